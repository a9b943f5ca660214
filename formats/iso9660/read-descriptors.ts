import type { ReadAt } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { limits } from './limits.ts';
import { parseRecord } from './read-records.ts';
import { recordFlags, SECTOR, SYSTEM_SECTORS } from './sector.ts';
import { type DirectoryExtent, directoryAt, readBoth16, readBoth32, type Volume } from './volume.ts';

/** What the volume descriptors of an image say. */
export interface Descriptors {
  readonly volume: Volume;
  readonly volumeId: string;
  /** The top of the primary tree. */
  readonly top: DirectoryExtent;
  /** The top of the Joliet tree, where there is one. */
  readonly joliet: DirectoryExtent | undefined;
}

/** Escape sequences that make a supplementary descriptor one of Joliet, levels 1 to 3. */
const jolietEscapes = ['%/@', '%/C', '%/E'];

/** Whether a volume descriptor begins at `at`: the standard identifier (ECMA-119 8.1.2). */
export function hasIdentifier(bytes: Uint8Array, at: number): boolean {
  return latin1(bytes.subarray(at + 1, at + 6)) === 'CD001';
}

/**
 * Reads the volume descriptors (ECMA-119 8): the first primary one, and the first one of Joliet. Others, of boot records,
 * partitions and ISO 9660:1999, are passed over. Throws `FormatError` `iso9660-descriptor`, and for the records of the
 * tops what `parseRecord` and `directoryAt` throw.
 */
export async function readDescriptors(source: ReadAt, lenient: boolean): Promise<Descriptors> {
  let primary: { bytes: Uint8Array; offset: number } | undefined;
  let joliet: { bytes: Uint8Array; offset: number } | undefined;
  for (let count = 0; ; count += 1) {
    const offset = (SYSTEM_SECTORS + count) * SECTOR;
    if (count >= limits.descriptors) throw damaged(offset, `there are more than ${limits.descriptors}`);
    if (offset + SECTOR > source.size) throw damaged(offset, 'the image ends there');
    const bytes = await source.read(offset, SECTOR);
    if (!hasIdentifier(bytes, 0)) throw damaged(offset, 'it does not begin with CD001');
    const [type, version] = [bytes[0], bytes[6]];
    if (type === 255) break;
    if (type === 1 && version !== 1) throw damaged(offset, `its version is ${version}`);
    if (type === 1) primary ??= { bytes, offset };
    if (type === 2 && version === 1 && jolietEscapes.includes(latin1(bytes.subarray(88, 91)))) {
      joliet ??= { bytes, offset };
    }
  }
  if (!primary) throw damaged(SYSTEM_SECTORS * SECTOR, 'there is no primary one');
  const { bytes, offset } = primary;
  const volume = { source, blocks: readBoth32(bytes, 80, offset, lenient), lenient };
  return {
    volume,
    volumeId: latin1(bytes.subarray(40, 72)).replace(/[ \0]+$/, ''),
    top: topOf(volume, bytes, offset),
    joliet: joliet && topOf(volume, joliet.bytes, joliet.offset),
  };
}

/** The top directory that a descriptor names (ECMA-119 8.4.18). */
function topOf(volume: Volume, bytes: Uint8Array, offset: number): DirectoryExtent {
  const block = readBoth16(bytes, 128, offset, volume.lenient);
  if (block !== SECTOR) throw damaged(offset, `its logical blocks have ${block} bytes; only ${SECTOR} are supported`);
  readBoth32(bytes, 132, offset, volume.lenient);
  const record = parseRecord(bytes.subarray(0, 190), 156, offset, volume.lenient);
  if ((record.flags & recordFlags.directory) === 0) throw damaged(offset, 'its top is not a directory');
  return directoryAt(volume, record.block, record.size, 'the top directory');
}

function damaged(offset: number, why: string): FormatError {
  return new FormatError('iso9660-descriptor', `the volume descriptor at byte ${offset} is unusable: ${why}`, {
    offset,
  });
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
