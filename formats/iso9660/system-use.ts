import { FormatError } from '../error.ts';
import { limits } from './limits.ts';
import type { RawRecord } from './read-records.ts';
import { SECTOR } from './sector.ts';
import { readBoth32, type Volume } from './volume.ts';

/** A System Use entry. */
export interface SystemUseEntry {
  readonly signature: string;
  /** What follows signature, length and version. */
  readonly payload: Uint8Array;
  /** Where the payload begins in the image. */
  readonly offset: number;
}

/** Reads continuation areas; the one for all of a volume, since many records share a sector. */
export type ReadSector = (block: number) => Promise<Uint8Array>;

/** Reads sectors of `volume`, and keeps the last one. */
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
 * The System Use entries of `record`, those of its continuation areas included (SUSP 4, 5.1); `skip` bytes of its own field
 * belong to something else. Throws `FormatError` `iso9660-rock-ridge` for an entry that does not fit, and
 * `iso9660-continuation` for an area that was read before, lies outside the volume or crosses a sector.
 */
export async function readSystemUse(
  volume: Volume,
  readSector: ReadSector,
  record: RawRecord,
  skip: number,
): Promise<SystemUseEntry[]> {
  const entries: SystemUseEntry[] = [];
  const seen = new Set<string>();
  const field = record.systemUse.subarray(Math.min(skip, record.systemUse.length));
  let area: Area | undefined = { bytes: field, offset: record.offset };
  let total = field.length;
  while (area) {
    const pointer = parseArea(area, entries);
    if (!pointer) return entries;
    const [block, at, length] = [0, 8, 16].map((where) =>
      readBoth32(pointer.payload, where, pointer.offset, volume.lenient),
    ) as [number, number, number];
    const bad = (why: string): FormatError =>
      new FormatError(
        'iso9660-continuation',
        `the continuation area of the directory record at byte ${record.offset} ${why}`,
        { offset: pointer.offset },
      );
    if (seen.has(`${block} ${at}`)) throw bad('leads back to itself');
    seen.add(`${block} ${at}`);
    total += length;
    if (seen.size > limits.continuations || total > limits.systemUse) throw bad('goes on for too long');
    if (at + length > SECTOR) throw bad('crosses the end of a sector');
    if (block >= volume.blocks || (block + 1) * SECTOR > volume.source.size) throw bad('lies outside the volume');
    area = { bytes: (await readSector(block)).subarray(at, at + length), offset: block * SECTOR + at };
  }
  return entries;
}

/** Adds the entries of `area` to `entries`; returns its CE entry, which is followed once the area has ended. */
function parseArea({ bytes, offset }: Area, entries: SystemUseEntry[]): SystemUseEntry | undefined {
  let pointer: SystemUseEntry | undefined;
  for (let at = 0; bytes.length - at >= 4 && bytes[at] !== 0; ) {
    const length = bytes[at + 2]!;
    if (length < 4 || at + length > bytes.length) {
      const what = `the System Use entry at byte ${at} of those at byte ${offset} claims ${length} bytes`;
      throw new FormatError('iso9660-rock-ridge', `${what}, which do not fit`, { offset: offset + at });
    }
    const signature = String.fromCharCode(bytes[at]!, bytes[at + 1]!);
    const entry = { signature, payload: bytes.subarray(at + 4, at + length), offset: offset + at + 4 };
    if (signature === 'CE') {
      if (pointer || entry.payload.length < 24) {
        const what = `the continuation entry at byte ${offset + at} is damaged`;
        throw new FormatError('iso9660-continuation', what, { offset: offset + at });
      }
      pointer = entry;
    } else if (signature === 'ST') return pointer;
    else entries.push(entry);
    at += length;
  }
  return pointer;
}
