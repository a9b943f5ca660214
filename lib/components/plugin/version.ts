import { join } from 'node:path';
import { SolpackError } from '../../errors.ts';
import type { Flow } from '../../flow.ts';
import type { UnpackedComponent } from '../kind.ts';
import { callPlugin } from './call.ts';
import { labelOf } from './program.ts';

/** Versions of the convention that this solpack follows. */
const versions: readonly string[] = ['v1'];

/** Folders of plugins that have answered with a known version, by the run in which they were asked. */
const asked = new WeakMap<Flow, Set<string>>();

/**
 * Asks a plugin for the version of the convention that it follows, once for each run (one `flow`). Throws
 * `plugin-failed` where the version is unknown or missing, and what `callPlugin` throws.
 */
export async function requireVersion(component: UnpackedComponent, flow: Flow): Promise<void> {
  const folder = join(component.folder, component.entry);
  const known = asked.get(flow) ?? new Set();
  if (known.has(folder)) return;
  const answer = await callPlugin(component, 'api-version', flow);
  const version = answer.endsWith('\n') ? answer.slice(0, -1) : answer;
  if (!versions.includes(version)) throw unknown(labelOf(component), version);
  asked.set(flow, known.add(folder));
}

function unknown(label: string, version: string): SolpackError {
  const known = versions.join(', ');
  if (/^v[0-9]{1,9}$/.test(version)) {
    return new SolpackError(
      'plugin-failed',
      label,
      `follows version ${version} of the convention; this solpack knows ${known}`,
      { hint: 'use a newer solpack, or an older plugin' },
    );
  }
  const found = JSON.stringify(version.slice(0, 40));
  return new SolpackError(
    'plugin-failed',
    label,
    `api-version printed ${found}, which is not one line with a version`,
    {
      hint: `a plugin has to print ${known}, and nothing else`,
    },
  );
}
