import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizePair } from '../size-words.ts';
import { type Block, decodeBlock, hasChecksum, isZero } from '../tar/block.ts';
import { paxRecords } from '../tar/pax.ts';
import { Pull } from '../tar/pull.ts';
import { chartLimits } from './limits.ts';

/** Most bytes of an extended header that are accepted. */
const EXTENSION = 64 * 1024;

/** A regular file of a tar stream. */
export interface TarFile {
  /** As it is stored. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The content; what is left unread when the next file is asked for is skipped. */
  readonly body: Bytes;
}

/** What pax and GNU headers say about the entry that follows them. */
interface Pending {
  path?: string;
  size?: number;
}

/** How messages call what is not a regular file. */
const types: Readonly<Record<string, string>> = {
  '1': 'Link',
  '2': 'SymbolicLink',
  '3': 'CharacterDevice',
  '4': 'BlockDevice',
  '6': 'FIFO',
};

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Goes through the regular files of a tar stream in order, as Helm does (POSIX.1-2017 pax interchange format and ustar;
 * GNU long names). Links and special files are refused. Throws `FormatError` `chart-invalid`, also where `chartLimits`
 * are exceeded.
 */
export async function* untar(bytes: Bytes): AsyncGenerator<TarFile, void, undefined> {
  const source = new Pull(bytes, 'chart-invalid');
  let pending: Pending = {};
  try {
    for (let count = 0; ; count += 1) {
      const block = await source.block();
      if (!block || isZero(block)) break;
      if (count > 2 * chartLimits.entries) throw invalid(`more than ${chartLimits.entries} files`);
      const header = decoded(block);
      if ('xgL'.includes(header.type)) {
        note(pending, header.type, await source.extension(header.size, EXTENSION));
        continue;
      }
      const file = fileOf(header, pending);
      pending = {};
      if (!file) continue;
      yield { ...file, body: source.body(file.size) };
      await source.skip();
    }
    await source.zeros();
  } finally {
    await source.close();
  }
}

function decoded(block: Uint8Array): Block {
  if (!hasChecksum(block)) throw invalid('the checksum of a tar header is wrong');
  return legible('a tar header is damaged', () => decodeBlock(block, 0)!);
}

/** The file that a header is of; undefined for a folder. */
function fileOf(header: Block, pending: Pending): Omit<TarFile, 'body'> | undefined {
  const path = pending.path ?? decoder.decode(header.name);
  if (header.type === '5') return undefined;
  const size = pending.size ?? header.size;
  // Before POSIX, a folder was a file whose name ends in a slash.
  if (header.type === '0' && path.endsWith('/') && size === 0) return undefined;
  if (header.type !== '0') {
    const type = types[header.type] ?? JSON.stringify(header.type);
    throw invalid(`${JSON.stringify(path)} is not a regular file, but of type ${type}`);
  }
  if (size > chartLimits.file) {
    const [own, most] = sizePair(size, chartLimits.file);
    throw invalid(`${JSON.stringify(path)} has ${own}, more than the ${most} that Helm loads`);
  }
  return { path, size };
}

/** Remembers what an extended header says; later ones count, and those for all entries are passed over. */
function note(pending: Pending, type: string, body: Uint8Array): void {
  if (type === 'L') {
    const end = body.indexOf(0);
    pending.path = decoder.decode(end < 0 ? body : body.subarray(0, end));
    return;
  }
  if (type === 'g') return;
  const records = legible('a pax header is damaged', () => [...paxRecords(body, 0)]);
  for (const { key, value } of records) {
    if (key === 'path') pending.path = decoder.decode(value);
    if (key === 'size') pending.size = sizeOf(decoder.decode(value));
  }
}

function sizeOf(digits: string): number {
  if (!/^[0-9]{1,12}$/.test(digits)) throw invalid('the size in a pax header is damaged');
  return Number(digits);
}

/** What `decode` makes of a header; where it cannot be decoded, the chart has the problem `damage`. */
function legible<T>(damage: string, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    throw invalid(damage, cause);
  }
}

function invalid(message: string, cause?: unknown): FormatError {
  return new FormatError('chart-invalid', message, cause === undefined ? {} : { cause });
}
