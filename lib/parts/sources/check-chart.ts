import { readChart } from '../../../formats/chart/read.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { requestWords } from './failures.ts';
import type { SourceRequest } from './kind.ts';
import { bytesOf } from './store.ts';

/**
 * Makes sure that a file is a packed chart, and the one that was asked for by name and version. Throws
 * `component-invalid`.
 */
export async function requireChart(
  path: string,
  request: SourceRequest,
  asked: { readonly name: string; readonly version: string | undefined },
): Promise<void> {
  const hint = 'check the address, and inform the publisher';
  const subject = requestWords(request);
  const { metadata } = await refused('component-invalid', subject, () => readChart(bytesOf(path), true), hint);
  const same = plain(metadata.version) === plain(asked.version ?? metadata.version);
  if (metadata.name === asked.name && same) return;
  const wanted = `${asked.name} ${asked.version ?? ''}`.trim();
  const message = `the chart ${wanted} was requested, but the answer is ${metadata.name} ${metadata.version}`;
  throw new SolpackError('component-invalid', subject, message, { hint });
}

/** A version without the letter that tags often begin with. */
function plain(version: string): string {
  return version.replace(/^v(?=\d)/, '');
}
