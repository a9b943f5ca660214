import type { ReadAt } from '../bytes.ts';
import { FormatError } from '../error.ts';
import type { Tree } from '../tree.ts';
import { readDescriptors } from './read-descriptors.ts';
import { hasIdentifier, otherKind } from './read-kind.ts';
import type { Namespace } from './read-names.ts';
import { readSelf } from './read-records.ts';
import { rockRidgeSkip } from './read-rock-ridge.ts';
import { treeOf } from './read-tree.ts';
import { SECTOR, SYSTEM_SECTORS } from './sector.ts';
import { sectorReader } from './system-use.ts';

/** The files of an ISO 9660 image. */
export interface ImageTree extends Tree {
  /** The volume identifier of the primary descriptor, without trailing spaces. */
  readonly volumeId: string;
  /** Bytes of the volume, as the primary descriptor states them. */
  readonly volumeSize: number;
  /** Which tree is read. */
  readonly namespace: Namespace;
}

/** Which tree is read if there are several. Linux chooses alike, but ignores that of ISO 9660:1999. */
const preferred: readonly Namespace[] = ['rock-ridge', 'joliet', 'enhanced', 'plain'];

const titles = { 'rock-ridge': 'Rock Ridge', joliet: 'Joliet', enhanced: 'ISO 9660:1999', plain: 'plain' } as const;

/** How an image is opened. */
export interface OpenImageOptions {
  /** The tree to read; default: Rock Ridge, otherwise Joliet, otherwise that of ISO 9660:1999, otherwise plain. */
  readonly namespace?: Namespace;
  /** Whether to take the little-endian copy of a number if the big-endian one differs. Else the image is refused. */
  readonly lenient?: boolean;
}

/**
 * Returns whether `head` begins an ISO 9660 image, or one of a kind that `openImage` refuses by its name. `head` should
 * have 64 KiB; if it has fewer than 32,774 bytes, the answer is no.
 */
export function sniffImage(head: Uint8Array): boolean {
  return hasIdentifier(head, SYSTEM_SECTORS * SECTOR) || otherKind(head) !== undefined;
}

/**
 * Opens an ISO 9660 image (ECMA-119; ISO 9660:1999; Rock Ridge, RRIP 1.12; Joliet). Reads the volume descriptors from
 * block 16 on, as Linux does for a file. If the image has several sessions, that is the first one, unless its writer
 * put the last one's descriptors there. Also reads the first record of the top directory. Other directories are read
 * when they are asked for, and path tables never.
 * Here and in `lookup` and `walk`, a damaged or hostile image throws a `FormatError` `iso9660-…` or `truncated`.
 * `iso9660-unsupported` means that the tree that was asked for is not there, and a walk throws `iso9660-overlap` if
 * files share bytes without being the same.
 */
export async function openIsoImage(source: ReadAt, options: OpenImageOptions = {}): Promise<ImageTree> {
  const { volume, volumeId, tops } = await readDescriptors(source, options.lenient ?? false);
  const skip = rockRidgeSkip((await readSelf(volume, tops.plain.block)).systemUse);
  const there = { ...tops, 'rock-ridge': skip === undefined ? undefined : tops.plain };
  const namespace = options.namespace ?? preferred.find((one) => there[one] !== undefined)!;
  const top = there[namespace];
  if (!top)
    throw new FormatError('iso9660-unsupported', `the image has no ${titles[namespace]} tree; read another one`);
  const tree = treeOf({ volume, namespace, skip: skip ?? 0, readSector: sectorReader(volume) }, top);
  return { ...tree, volumeId, volumeSize: volume.blocks * SECTOR, namespace };
}
