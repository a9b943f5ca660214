import { join } from 'node:path';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { UnpackedComponent } from '../kind.ts';
import { callPlugin } from './call.ts';
import { labelOf } from './program.ts';

/** Versions of the convention that this solpack follows. */
const versions = ['v1', 'v2'] as const;

/** The versions that plugins have answered with, by the run in which they were asked, and by their folders. */
const asked = new WeakMap<Flow, Map<string, ConventionVersion>>();

/** A version of the convention. */
export type ConventionVersion = (typeof versions)[number];

/**
 * Asks a plugin for the version of the convention that it follows, once for each run (one `flow`). Throws
 * `plugin-failed` where the version is unknown or missing, and what `callPlugin` throws.
 */
export async function requireVersion(component: UnpackedComponent, flow: Flow): Promise<ConventionVersion> {
  const folder = join(component.folder, component.entry);
  const known = asked.get(flow) ?? new Map<string, ConventionVersion>();
  const before = known.get(folder);
  if (before !== undefined) return before;
  const answer = await callPlugin(component, 'api-version', flow);
  const line = answer.endsWith('\n') ? answer.slice(0, -1) : answer;
  const version = versions.find((one) => one === line);
  if (version === undefined) throw unknown(labelOf(component), line);
  asked.set(flow, known.set(folder, version));
  return version;
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
      hint: `a plugin has to print one of ${known}, and nothing else`,
    },
  );
}
