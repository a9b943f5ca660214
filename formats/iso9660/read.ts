import type { ReadAt } from '../bytes.ts';
import { FormatError } from '../error.ts';
import type { Tree } from '../tree.ts';
import { type Descriptors, hasIdentifier, readDescriptors } from './read-descriptors.ts';
import type { Namespace } from './read-names.ts';
import { readSelf } from './read-records.ts';
import { rockRidgeSkip } from './read-rock-ridge.ts';
import { treeOf } from './read-tree.ts';
import { SECTOR, SYSTEM_SECTORS } from './sector.ts';
import { sectorReader } from './system-use.ts';

/** The files of an ISO 9660 image. */
export interface ImageTree extends Tree {
  /** The volume identifier of the primary descriptor, without the spaces at its end. */
  readonly volumeId: string;
  /** Bytes of the volume, as its primary descriptor has it. */
  readonly volumeSize: number;
  /** Which tree is read. */
  readonly namespace: Namespace;
}

/** How an image is opened. */
export interface OpenOptions {
  /** The tree to read; default: Rock Ridge, else Joliet, else plain, as Linux chooses. */
  readonly namespace?: Namespace;
  /** Take the little-endian copy of a number where the big-endian one differs, instead of refusing the image. */
  readonly lenient?: boolean;
}

/** Whether what begins with `head` is an ISO 9660 image; `head` needs 32,774 bytes, with fewer the answer is no. */
export function sniffImage(head: Uint8Array): boolean {
  return hasIdentifier(head, SYSTEM_SECTORS * SECTOR);
}

/**
 * Opens an ISO 9660 image (ECMA-119; Rock Ridge, RRIP 1.12; Joliet). Reads the volume descriptors and the first record of
 * the top; directories are read when they are asked for, path tables never. Here and in `lookup` and `walk`, a damaged or
 * hostile image ends in a `FormatError` `iso9660-…` or `truncated`; `iso9660-unsupported` where the tree that
 * was asked for is not there. A walk also ends in `iso9660-overlap` where files share bytes without being the same.
 */
export async function openImage(source: ReadAt, options: OpenOptions = {}): Promise<ImageTree> {
  const descriptors = await readDescriptors(source, options.lenient ?? false);
  const { volume, volumeId } = descriptors;
  const skip = rockRidgeSkip((await readSelf(volume, descriptors.top.block)).systemUse);
  const found: Namespace = skip !== undefined ? 'rock-ridge' : descriptors.joliet ? 'joliet' : 'plain';
  const namespace = options.namespace ?? found;
  if (namespace === 'rock-ridge' && skip === undefined) throw absent('Rock Ridge');
  const reading = { volume, namespace, skip: skip ?? 0, readSector: sectorReader(volume) };
  const tree = treeOf(reading, topOf(descriptors, namespace));
  return { ...tree, volumeId, volumeSize: volume.blocks * SECTOR, namespace };
}

function topOf({ top, joliet }: Descriptors, namespace: Namespace): Descriptors['top'] {
  if (namespace !== 'joliet') return top;
  if (!joliet) throw absent('Joliet');
  return joliet;
}

function absent(what: string): FormatError {
  return new FormatError('iso9660-unsupported', `the image has no ${what} tree; read another one`);
}
