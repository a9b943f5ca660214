import type { ReadAt } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizePair } from '../size-words.ts';
import { trimmedEnd } from '../trim.ts';
import { limits } from './limits.ts';
import { hasIdentifier, KIND_HEAD, otherKind } from './read-kind.ts';
import { sessionStart } from './read-session.ts';
import { recordFlags, SECTOR, SYSTEM_SECTORS } from './sector.ts';
import { type DirectoryExtent, directoryAt, readBoth16, readBoth32, type Volume } from './volume.ts';

/** What the volume descriptors of an image say. */
export interface Descriptors {
  readonly volume: Volume;
  readonly volumeId: string;
  /** The top directory of each tree. Rock Ridge's is that of the primary tree. */
  readonly tops: {
    readonly plain: DirectoryExtent;
    readonly joliet: DirectoryExtent | undefined;
    readonly enhanced: DirectoryExtent | undefined;
  };
}

/** Escape sequences of a Joliet descriptor, levels 1 to 3. */
const jolietEscapes = ['%/@', '%/C', '%/E'];

/** A volume descriptor, and where in the image it lies. */
interface Descriptor {
  readonly bytes: Buffer;
  readonly offset: number;
}

type Kind = keyof Descriptors['tops'];

/**
 * Reads the volume descriptors (ECMA-119 8): the first primary one, the first one of Joliet and the first enhanced one
 * of ISO 9660:1999. Others, such as boot records and partitions, are passed over. Throws `FormatError`
 * `iso9660-descriptor` for damage, `iso9660-unsupported` for what is no ISO 9660, and what `directoryAt` throws for the
 * tops, or `truncated` where the image ends too early.
 */
export async function readDescriptors(source: ReadAt, lenient: boolean): Promise<Descriptors> {
  const { found, count } = await descriptorsOf(source);
  const { plain, joliet, enhanced } = found;
  if (!plain) throw damaged(SYSTEM_SECTORS * SECTOR, 'there is no primary one');
  const { bytes, offset } = plain;
  const declared = readBoth32(bytes, 80, offset, lenient);
  const blocks = declared + (await sessionStart(source, bytes, declared));
  const volume = { source, blocks, descriptors: count, lenient };
  const top = (descriptor: Descriptor): DirectoryExtent => topOrCut(volume, descriptor);
  return {
    volume,
    volumeId: trimmedEnd(latin1(bytes.subarray(40, 72)), ' \0'),
    tops: {
      plain: top(plain),
      joliet: joliet && top(joliet),
      enhanced: enhanced && top(enhanced),
    },
  };
}

/** Finds a top directory. Where the image is cut ahead of that, its end is what is wrong with it. */
function topOrCut(volume: Volume, descriptor: Descriptor): DirectoryExtent {
  try {
    return topOf(volume, descriptor);
  } catch (error) {
    const [size, whole] = [volume.source.size, volume.blocks * SECTOR];
    if (size >= whole || !(error instanceof FormatError)) throw error;
    const [lacking, all] = sizePair(whole - size, whole);
    throw new FormatError('truncated', `bytes are missing at the end: ${lacking} of ${all}`, { cause: error });
  }
}

/** Finds the first descriptor of each kind, and counts all of them, the terminator included. */
async function descriptorsOf(source: ReadAt): Promise<{ found: Partial<Record<Kind, Descriptor>>; count: number }> {
  const found: Partial<Record<Kind, Descriptor>> = {};
  for (let count = 0; ; count += 1) {
    const offset = (SYSTEM_SECTORS + count) * SECTOR;
    if (count >= limits.descriptors) throw damaged(offset, `there are more than ${limits.descriptors}`);
    if (offset + SECTOR > source.size) throw damaged(offset, 'the image ends there');
    const read = await source.read(offset, SECTOR);
    const bytes = Buffer.from(read.buffer, read.byteOffset, read.length);
    if (!hasIdentifier(bytes, 0)) {
      if (count === 0) await refuseOthers(source);
      throw damaged(offset, 'it does not begin with CD001');
    }
    if (bytes[0] === 255) return { found, count: count + 1 };
    if (bytes[0] === 1 && bytes[6] !== 1) throw damaged(offset, `its version is ${bytes[6]}`);
    const kind = kindOf(bytes);
    if (kind) found[kind] ??= { bytes, offset };
  }
}

function kindOf(bytes: Buffer): Kind | undefined {
  const [type, version] = [bytes[0], bytes[6]];
  if (type === 1) return 'plain';
  if (type === 2 && version === 2) return 'enhanced';
  return type === 2 && version === 1 && jolietEscapes.includes(latin1(bytes.subarray(88, 91))) ? 'joliet' : undefined;
}

async function refuseOthers(source: ReadAt): Promise<void> {
  const kind = otherKind(await source.read(0, Math.min(KIND_HEAD, source.size)));
  if (kind) throw new FormatError('iso9660-unsupported', `the image holds ${kind}`);
}

/** Returns the top directory that a descriptor names (ECMA-119 8.4.18). */
function topOf(volume: Volume, { bytes, offset }: Descriptor): DirectoryExtent {
  const block = readBoth16(bytes, 128, offset, volume.lenient);
  if (block !== SECTOR) throw damaged(offset, `its logical blocks have ${block} bytes; only ${SECTOR} are supported`);
  readBoth32(bytes, 132, offset, volume.lenient);
  // Some writers give this record a wrong length. Its identifier has one byte, so its fields are where they always are.
  const [top, size] = [158, 166].map((at) => readBoth32(bytes, at, offset, volume.lenient)) as [number, number];
  if ((bytes[181]! & recordFlags.directory) === 0) throw damaged(offset, 'its top is not a directory');
  return directoryAt(volume, top, size, () => 'the top directory');
}

function damaged(offset: number, why: string): FormatError {
  return new FormatError('iso9660-descriptor', `the volume descriptor at byte ${offset} is unusable: ${why}`, {
    offset,
  });
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
