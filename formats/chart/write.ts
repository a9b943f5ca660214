import { type Bytes, byteOrder } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizePair, sizeWords } from '../size-words.ts';
import { BLOCK } from '../tar/block.ts';
import { encodeHeader } from '../tar/encode.ts';
import { gzip } from './gzip.ts';
import { chartLimits } from './limits.ts';

/** Two blocks of zeros end a tar archive. */
const END = 2 * BLOCK;
// A fixed time, as late as the first of 1980: some tools take times before that for an error.
const TIME = 315_532_800;

/** A file on its way into a packed chart. */
export interface ChartFile {
  /** Relative to the chart's own folder, `/` between names. */
  readonly path: string;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  open(): Bytes;
}

/**
 * Packs a chart as `helm package` lays it out: `<name>/Chart.yaml` first, the others in byte order of their paths, no
 * folders, no owners, one fixed time, and gzip. The same files give the same bytes everywhere.
 * Throws `FormatError` `chart-invalid` where `Chart.yaml` is missing, a path is there twice or leads out, or Helm
 * would refuse to load the result (`chartLimits`), and `size-mismatch` where a file is not as long as announced.
 */
export function packChart(name: string, files: readonly ChartFile[]): Bytes {
  const ordered = arranged(files);
  requireLoadable(name, ordered);
  return gzip(tar(name, ordered));
}

function arranged(files: readonly ChartFile[]): ChartFile[] {
  const rank = (file: ChartFile): number => (file.path === 'Chart.yaml' ? 0 : 1);
  const ordered = [...files].sort((a, b) => rank(a) - rank(b) || byteOrder(a.path, b.path));
  if (ordered[0]?.path !== 'Chart.yaml') throw new FormatError('chart-invalid', 'Chart.yaml is missing');
  if (ordered.length > chartLimits.entries) {
    throw new FormatError('chart-invalid', `${ordered.length} files, more than ${chartLimits.entries}`);
  }
  for (const [at, { path, size }] of ordered.entries()) {
    if (path === ordered[at + 1]?.path) throw new FormatError('chart-invalid', `${path} is there twice`);
    if (path.split('/').some((part) => part === '' || part === '.' || part === '..') || /[\\\0]/.test(path)) {
      throw new FormatError('chart-invalid', `the path ${JSON.stringify(path)} is not a path within its folder`);
    }
    if (size > chartLimits.file) {
      const [own, most] = sizePair(size, chartLimits.file);
      throw new FormatError('chart-invalid', `${path} has ${own}, but Helm loads at most ${most}`);
    }
  }
  return ordered;
}

function requireLoadable(name: string, files: readonly ChartFile[]): void {
  const size = files.reduce((sum, file) => sum + headerOf(name, file).length + padded(file.size), END);
  if (size <= chartLimits.total) return;
  const [own, most] = sizePair(size, chartLimits.total);
  throw new FormatError('chart-invalid', `its files have ${own}, but Helm loads at most ${most}`);
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

async function* tar(name: string, files: readonly ChartFile[]): Bytes {
  for (const file of files) {
    yield headerOf(name, file);
    let size = 0;
    for await (const chunk of file.open()) {
      size += chunk.length;
      if (size > file.size) break;
      yield chunk;
    }
    if (size !== file.size) {
      throw new FormatError('size-mismatch', `${file.path} no longer has the ${sizeWords(file.size)} it had`);
    }
    if (padded(size) > size) yield new Uint8Array(padded(size) - size);
  }
  yield new Uint8Array(END);
}

function headerOf(name: string, { path, size, mode }: ChartFile): Uint8Array {
  return encodeHeader({ path: `${name}/${path}`, size, mode, modified: TIME }, 'PaxHeader');
}
