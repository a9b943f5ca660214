import { type Bytes, collect } from '../bytes.ts';
import { gunzip } from './gunzip.ts';
import { chartLimits } from './limits.ts';
import { untar } from './untar.ts';

/** How deep charts may be packed in each other. */
const DEPTH = 16;

/** A file of a chart. */
export interface ChartText {
  /** As Helm names it: `web/charts/common/templates/_names.tpl`, also where a chart is packed in another one. */
  readonly path: string;
  readonly text: string;
}

/**
 * Yields the files of a packed chart (`.tgz`), and of the charts in it. `budget` bounds the bytes of all of them.
 * Throws `FormatError` `chart-invalid`.
 */
export function chartTexts(bytes: Bytes, budget: { left: number }): AsyncGenerator<ChartText> {
  return textsBelow(bytes, budget, '', 0);
}

async function* textsBelow(
  bytes: Bytes,
  budget: { left: number },
  folder: string,
  depth: number,
): AsyncGenerator<ChartText> {
  for await (const file of untar(gunzip(bytes, budget))) {
    const path = folder + file.path;
    if (/\/charts\/[^/]+\.tgz$/.test(file.path)) {
      if (depth < DEPTH) yield* textsBelow(file.body, budget, path.slice(0, path.lastIndexOf('/') + 1), depth + 1);
      continue;
    }
    const content = await collect(file.body, chartLimits.file);
    yield { path, text: Buffer.from(content).toString() };
  }
}
