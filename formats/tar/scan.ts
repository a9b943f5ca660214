import type { ReadAt } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizePair, sizeWords } from '../size-words.ts';
import { BLOCK, type Block, bad, decodeBlock, isZero, NAME_LIMIT, show, strictText } from './block.ts';
import { decodePax, type PaxRecords } from './pax.ts';
import { windowed } from './window.ts';

/** How large the body of one pax header may be, in bytes. */
const PAX_LIMIT = 1024 * 1024;

/** An entry of an archive, its names as stored. */
export interface TarMember {
  readonly name: string;
  readonly type: 'file' | 'dir' | 'symlink' | 'hardlink' | 'other';
  /** Of a file, in bytes; 0 for all else. */
  readonly size: number;
  readonly mode: number;
  /** Where the header that says so lies, in bytes. */
  readonly offset: number;
  /** Where the bytes of a file begin. */
  readonly data: number;
  /** What a link points to; '' for all else. */
  readonly link: string;
}

/** What pax and GNU headers said about the entry that follows them. */
interface Pending {
  pax?: PaxRecords;
  name?: string;
  link?: string;
}

const types: Readonly<Record<string, TarMember['type']>> = {
  '0': 'file',
  '7': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '3': 'other',
  '4': 'other',
  '5': 'dir',
  '6': 'other',
};

/** What is thrown where an archive continues behind the end of its bytes. */
export class CutTarError extends FormatError {
  /** Where the archive would end at least, in bytes. */
  readonly end: number;

  constructor(message: string, offset: number, end: number) {
    super('truncated', message, { offset });
    this.end = end;
  }
}

/**
 * Reads the headers of an archive, seeking over the bytes of its files; returns where the end marker ends. Knows
 * ustar, pax, GNU long names and base-256 sizes. Throws `CutTarError`, and `FormatError` `tar-header`, `tar-limit` or
 * `tar-unsupported`; whatever readers are known to disagree about is refused.
 */
export async function* scanTar(source: ReadAt): AsyncGenerator<TarMember, number> {
  const read = windowed(source);
  let pending: Pending = {};
  for (let offset = 0; ; ) {
    const block = decodeBlock(await readBlock(read, source, offset), offset);
    if (!block) {
      if (Object.keys(pending).length > 0) throw bad('ends the archive, though an entry should follow', offset);
      if (offset + 2 * BLOCK > source.size) throw noEnd(source, offset);
      if (!isZero(await readBlock(read, source, offset + BLOCK))) {
        throw bad('is a single block of zeros inside the archive', offset);
      }
      return offset + 2 * BLOCK;
    }
    const data = offset + BLOCK;
    if ('xgLK'.includes(block.type)) {
      if (data + roundUp(block.size) > source.size) throw noEnd(source, data + roundUp(block.size));
      const body = await bodyOf(read, block, data, offset);
      noteExtension(pending, block.type, body, offset);
      offset = data + roundUp(block.size);
      continue;
    }
    const member = memberOf(block, pending, offset);
    pending = {};
    if (member.size > source.size - data) {
      throw new CutTarError(
        `${show(member.name)} should have ${sizeWords(member.size)} at byte ${data}, but the data ends at byte ${source.size}`,
        data,
        data + roundUp(member.size) + 2 * BLOCK,
      );
    }
    yield member;
    offset = data + roundUp(member.size);
  }
}

function memberOf(block: Block, pending: Pending, offset: number): TarMember {
  const { pax } = pending;
  if (
    (pax?.path !== undefined && pending.name !== undefined) ||
    (pax?.linkpath !== undefined && pending.link !== undefined)
  ) {
    throw bad('has a name both by pax and by GNU rules', offset);
  }
  const name = pax?.path ?? pending.name ?? strictText(block.name, offset);
  const size = pax?.size ?? block.size;
  const sparse = block.type === 'S' || pax?.sparse !== undefined;
  if (sparse) throw unsupported(`${show(name)} is a sparse file; write the archive without sparse files`, offset);
  const stored = types[block.type];
  if (!stored) throw unsupported(`${show(name)} is an entry of type ${JSON.stringify(block.type)}`, offset);
  // Before POSIX, a folder was a file whose name ends in a slash.
  const type = stored === 'file' && name.endsWith('/') ? 'dir' : stored;
  if (type !== 'file' && size !== 0) throw bad(`gives ${show(name)}, which is not a file, a size of ${size}`, offset);
  const isLink = type === 'symlink' || type === 'hardlink';
  const link = isLink ? (pax?.linkpath ?? pending.link ?? strictText(block.link, offset)) : '';
  return { name, type, size, mode: block.mode, offset, data: offset + BLOCK, link };
}

async function bodyOf(read: ReadAt['read'], block: Block, data: number, offset: number): Promise<Uint8Array> {
  const limit = block.type === 'x' || block.type === 'g' ? PAX_LIMIT : NAME_LIMIT + 1;
  if (block.size > limit) {
    const [size, most] = sizePair(block.size, limit);
    throw new FormatError('tar-limit', `the header at ${offset} has ${size}, more than ${most}`, {
      offset,
    });
  }
  return read(data, block.size);
}

function noteExtension(pending: Pending, type: string, body: Uint8Array, offset: number): void {
  if (type === 'x') {
    if (pending.pax) throw bad('is a second pax header for one entry', offset);
    pending.pax = decodePax(body, offset);
  } else if (type === 'g') {
    // A name or size for all entries means different things to different readers, and is written by none.
    if (Object.keys(decodePax(body, offset)).length > 0) throw bad('sets a name or a size for all entries', offset);
  } else {
    const key = type === 'L' ? 'name' : 'link';
    if (pending[key] !== undefined) throw bad('is a second long name for one entry', offset);
    const end = body.indexOf(0);
    pending[key] = strictText(end < 0 ? body : body.subarray(0, end), offset);
  }
}

function unsupported(message: string, offset: number): FormatError {
  return new FormatError('tar-unsupported', `${message} (header at ${offset})`, { offset });
}

function roundUp(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

async function readBlock(read: ReadAt['read'], source: ReadAt, offset: number): Promise<Uint8Array> {
  if (offset + BLOCK > source.size) throw noEnd(source, offset);
  return read(offset, BLOCK);
}

/** The end marker should be at `offset`, or behind it. */
function noEnd({ size }: ReadAt, offset: number): CutTarError {
  const message = `the archive ends at ${size} without the two blocks of zeros that end it`;
  return new CutTarError(message, size, offset + 2 * BLOCK);
}
