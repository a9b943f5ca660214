import { FormatError } from '../error.ts';
import type { FileEntry, Layout, MetaSegment, Segment, StructureField } from '../segments.ts';
import { BLOCK, NAME_LIMIT, OCTAL_LIMIT } from './block.ts';
import { encodeHeader } from './encode.ts';
import { headerPart } from './header-fields.ts';

/**
 * Lays out a tar archive of `files`, in exactly their order: POSIX ustar headers, and a pax header ahead of those whose
 * name is not ASCII or does not fit, or whose size exceeds 8 GiB. Owners are 0 and have no names; `modified` (epoch
 * seconds) is the time of every entry; folders get no entries. A file is its header, its bytes (none where it is empty)
 * and zeros up to the next 512; the end is two blocks of zeros. tar cannot share bytes: a key that appears again is
 * data again. The same input makes the same bytes, always. Throws `FormatError` `tar-unrepresentable`. Follows
 * POSIX.1-2017 pax, "ustar Interchange Format" and "pax Header Block".
 */
export function layoutTar(files: readonly FileEntry[], options: { modified: number }): Layout {
  requireOctal(options.modified, 'the modification time');
  requireTree(files);
  let size = 2 * BLOCK;
  for (const file of files) size += headerSize(file, options.modified) + file.size + paddingAfter(file);
  if (!Number.isSafeInteger(size)) throw new FormatError('tar-unrepresentable', `an archive of ${size} bytes`);
  return { size, segments: { [Symbol.iterator]: () => segmentsOf(files, options.modified) } };
}

/** Made as they are gone through: there may be some hundred thousand files. */
function* segmentsOf(files: readonly FileEntry[], modified: number): Generator<Segment> {
  let offset = 0;
  for (const file of files) {
    const size = headerSize(file, modified);
    const fieldAt = (at: number): StructureField => headerPart(file.path, size, at);
    const bytes = (): Uint8Array => headerOf(file, modified);
    yield { kind: 'meta', offset, size, name: `tar header of ${file.path}`, bytes, fieldAt };
    offset += size;
    if (file.size > 0) yield { kind: 'data', offset, size: file.size, key: file.key };
    offset += file.size;
    const padding = paddingAfter(file);
    if (padding > 0) yield zeros(offset, padding, `padding after ${file.path}`);
    offset += padding;
  }
  yield zeros(offset, 2 * BLOCK, 'end of archive');
}

function zeros(offset: number, size: number, name: string): MetaSegment {
  return { kind: 'meta', offset, size, name, bytes: () => new Uint8Array(size) };
}

function paddingAfter({ size }: FileEntry): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function headerSize(file: FileEntry, modified: number): number {
  return fitsOneBlock(file) ? BLOCK : headerOf(file, modified).length;
}

/** Whether a plain header surely holds the file; most do, and encoding each of them twice would take its time. */
function fitsOneBlock({ path, size }: FileEntry): boolean {
  return path.length < 100 && size <= OCTAL_LIMIT && /^[\x20-\x7e]*$/.test(path);
}

function headerOf(file: FileEntry, modified: number): Uint8Array {
  return encodeHeader({ ...file, modified }, 'PaxHeaders');
}

/** Refuses what cannot be read back as written: paths that are unsafe, twice there, or both a file and a folder. */
function requireTree(files: readonly FileEntry[]): void {
  const paths = new Set<string>();
  const folders = new Set<string>();
  for (const { path, size, mode } of files) {
    const bad = (why: string): FormatError => new FormatError('tar-unrepresentable', `${JSON.stringify(path)} ${why}`);
    if (path.split('/').some((name) => name === '' || name === '.' || name === '..') || path.includes('\0')) {
      throw bad('is not a relative path of plain names');
    }
    if (!path.isWellFormed() || Buffer.byteLength(path) > NAME_LIMIT)
      throw bad(`is not UTF-8 of up to ${NAME_LIMIT} bytes`);
    if (paths.has(path)) throw bad('appears twice');
    if (!Number.isSafeInteger(size) || size < 0) throw bad(`has a size of ${size}`);
    if (!Number.isInteger(mode) || mode < 0 || mode > 0o7777) throw bad(`has a mode of ${mode}`);
    paths.add(path);
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
  }
  for (const path of paths) {
    if (folders.has(path))
      throw new FormatError('tar-unrepresentable', `${JSON.stringify(path)} is a file and a folder`);
  }
}

function requireOctal(value: number, what: string): void {
  if (!Number.isInteger(value) || value < 0 || value > OCTAL_LIMIT) {
    throw new FormatError('tar-unrepresentable', `${what} is ${value}, and has to be from 0 to ${OCTAL_LIMIT}`);
  }
}
