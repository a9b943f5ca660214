import { FormatError } from '../error.ts';
import { limits } from './limits.ts';
import type { RawRecord } from './read-records.ts';
import { SECTOR } from './sector.ts';
import { readBoth32, type Volume } from './volume.ts';
import { wrappedLengths } from './wrapped-length.ts';

/** A System Use entry. */
export interface SystemUseEntry {
  readonly signature: string;
  /** The bytes after signature, length and version. */
  readonly payload: Uint8Array;
  /** The byte of the image at which the payload begins. */
  readonly offset: number;
}

/**
 * Entries that the reader needs: of the protocol itself, and of Rock Ridge. Dates, owners, device numbers and others
 * are skipped.
 */
const read: ReadonlySet<string> = new Set(['CE', 'PX', 'NM', 'SL', 'CL', 'RE', 'ZF', 'SF']);

/** Reads a sector of a continuation area. One reader serves a whole volume, because many records share a sector. */
export type ReadSector = (block: number) => Promise<Uint8Array>;

/** Makes a reader of sectors of `volume` that keeps the last one. */
export function sectorReader(volume: Volume): ReadSector {
  let last: { block: number; bytes: Promise<Uint8Array> } | undefined;
  return (block) => {
    if (last?.block !== block) last = { block, bytes: volume.source.read(block * SECTOR, SECTOR) };
    return last.bytes;
  };
}

/** A run of System Use entries: a record's field, or a continuation area. */
interface Area {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/**
 * Reads the System Use entries of `record`, with those of its continuation areas (SUSP 4, 5.1). The first `skip` bytes
 * of its own field belong to something else. Returns a promise only if there are such areas. Throws `FormatError`
 * `iso9660-rock-ridge` for an entry that does not fit, and `iso9660-continuation` for an area that was read before,
 * lies outside the volume or crosses a sector.
 */
export function readSystemUse(
  volume: Volume,
  readSector: ReadSector,
  record: RawRecord,
  skip: number,
): SystemUseEntry[] | Promise<SystemUseEntry[]> {
  const entries: SystemUseEntry[] = [];
  const field = skip === 0 ? record.systemUse : record.systemUse.subarray(Math.min(skip, record.systemUse.length));
  const pointer = parseArea({ bytes: field, offset: record.offset }, entries);
  return pointer ? readContinued(volume, readSector, record, { entries, pointer, total: field.length }) : entries;
}

/** A reading in progress: entries so far, the entry that points to the next area, and bytes so far. */
interface OpenRecord {
  readonly entries: SystemUseEntry[];
  readonly pointer: SystemUseEntry;
  readonly total: number;
}

async function readContinued(
  volume: Volume,
  readSector: ReadSector,
  record: RawRecord,
  begun: OpenRecord,
): Promise<SystemUseEntry[]> {
  const seen = new Set<number>();
  let { total } = begun;
  for (let pointer: SystemUseEntry | undefined = begun.pointer; pointer; ) {
    const { payload, offset } = pointer;
    const number = (where: number): number => readBoth32(payload, where, offset, volume.lenient);
    const [block, at, length] = [number(0), number(8), number(16)];
    const bad = (why: string): FormatError => {
      const what = `the continuation area of the directory record at byte ${record.offset} ${why}`;
      return new FormatError('iso9660-continuation', what, { offset });
    };
    if (at + length > SECTOR) throw bad('crosses the end of a sector');
    const place = block * SECTOR + at;
    if (seen.has(place)) throw bad('leads to itself');
    seen.add(place);
    total += length;
    if (seen.size > limits.continuations || total > limits.systemUse) throw bad('is too long');
    if (block >= volume.blocks || (block + 1) * SECTOR > volume.source.size) throw bad('lies outside the volume');
    const area = { bytes: (await readSector(block)).subarray(at, at + length), offset: place };
    pointer = parseArea(area, begun.entries);
  }
  return begun.entries;
}

/**
 * Adds those entries of `area` that the reader needs to `entries`. Returns its CE entry, which is followed once the
 * area has ended.
 */
function parseArea({ bytes, offset }: Area, entries: SystemUseEntry[]): SystemUseEntry | undefined {
  let pointer: SystemUseEntry | undefined;
  const wrapped = wrappedLengths(bytes);
  for (let at = 0; bytes.length - at >= 4 && bytes[at] !== 0; ) {
    const length = wrapped.get(at) ?? bytes[at + 2]!;
    if (length < 4 || at + length > bytes.length) {
      const what = `the System Use entry at byte ${at} of those at byte ${offset} claims ${length} bytes`;
      throw new FormatError('iso9660-rock-ridge', `${what}, which do not fit`, { offset: offset + at });
    }
    const signature = String.fromCharCode(bytes[at]!, bytes[at + 1]!);
    if (signature === 'ST') return pointer;
    if (read.has(signature)) {
      const entry = { signature, payload: bytes.subarray(at + 4, at + length), offset: offset + at + 4 };
      if (signature !== 'CE') entries.push(entry);
      else if (!pointer && entry.payload.length >= 24) pointer = entry;
      else {
        const what = `the continuation entry at byte ${offset + at} is damaged`;
        throw new FormatError('iso9660-continuation', what, { offset: offset + at });
      }
    }
    at += length;
  }
  return pointer;
}
