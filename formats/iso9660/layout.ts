import type { FileEntry, Layout } from '../segments.ts';
import { type Assembly, assembly } from './assembly.ts';
import { gatherContents } from './contents.ts';
import { type Instant, recordDate } from './dates.ts';
import { encodeDescriptor, encodeTerminator } from './descriptors.ts';
import { type DirectoryBytes, encodeDirectory, type Places } from './directory.ts';
import { limits } from './limits.ts';
import { buildTree, type DirectoryNode, unrepresentable } from './nodes.ts';
import { encodePathTable, type NumberedDirectory, numberDirectories, pathTableSize } from './path-table.ts';
import { SECTOR, SYSTEM_SECTORS, sectors } from './sector.ts';
import { jolietTree, rockRidgeTree, type TreeKind } from './trees.ts';
import { requireVolumeId } from './volume-id.ts';

/** What an image says beside its files. */
export interface ImageOptions {
  /** 1 to 32 of A-Z, 0-9 and _, as `volumeIdFrom` makes them. */
  readonly volumeId: string;
  /** When the volume was created, and the date of every file and directory: seconds since 1970. */
  readonly created: number;
  /** When the volume was modified. `blkid` makes the UUID of the volume from it: derive it from the content. */
  readonly modified: Instant;
}

/** Zero sectors at the end, for readers that read ahead or refuse small images. */
const TAIL_SECTORS = 150;

/** One tree while it is laid out. */
interface PlannedTree {
  readonly kind: TreeKind;
  readonly table: readonly NumberedDirectory[];
  readonly tableSize: number;
  /** Of each directory: the block, 0 until it has one; bytes of its records; bytes of its continuation area. */
  readonly places: Map<DirectoryNode, { block: number; readonly size: number; readonly continuation: number }>;
  /** Blocks of the path tables. */
  l: number;
  m: number;
}

type Finder = (tree: PlannedTree | undefined) => Places;

/**
 * Lays out an ISO 9660 image (ECMA-119, level 3) with Rock Ridge and Joliet, its structures before all content, so that it
 * can be written, and listed, front to back. A pure function: no clock, no locale. The extents follow the order in which
 * keys first appear in `files`; nothing else depends on the order of `files`. The structures make their bytes when asked,
 * one directory at a time. Throws `FormatError` `iso9660-unrepresentable` for what the format, or a reader of it in wide
 * use, cannot hold: see `buildTree`.
 */
export function layoutImage(files: readonly FileEntry[], options: ImageOptions): Layout {
  requireVolumeId(options.volumeId);
  const top = buildTree(files);
  const contents = gatherContents(files);
  const date = recordDate(options.created);
  let emptyBlock = 0;
  const finder: Finder = (tree) => ({
    date,
    directory: (node) => tree?.places.get(node) ?? { block: 0, size: 0 },
    file: ({ key, size }) => (size === 0 ? emptyBlock : contents.get(key)!.block),
    links: ({ key, size }) => (size === 0 ? 1 : contents.get(key)!.links),
  });
  const primary = planTree(rockRidgeTree, top, finder);
  const joliet = planTree(jolietTree, top, finder);
  const image = assembly();
  image.meta('system area', SYSTEM_SECTORS * SECTOR, () => new Uint8Array(SYSTEM_SECTORS * SECTOR));
  const descriptor = (tree: PlannedTree) => (): Uint8Array =>
    encodeDescriptor({
      ...options,
      joliet: tree === joliet,
      blocks,
      pathTable: { size: tree.tableSize, l: tree.l, m: tree.m },
      top: tree.places.get(top)!,
      date,
    });
  image.meta('primary volume descriptor', SECTOR, descriptor(primary));
  image.meta('Joliet volume descriptor', SECTOR, descriptor(joliet));
  image.meta('volume descriptor set terminator', SECTOR, encodeTerminator);
  for (const tree of [primary, joliet]) placePathTables(image, tree);
  for (const tree of [primary, joliet]) placeDirectories(image, tree, finder);
  emptyBlock = image.block;
  for (const content of contents.values()) {
    content.block = image.block;
    image.data(content.key, content.size, content.path);
  }
  image.meta('padding at the end', TAIL_SECTORS * SECTOR, () => new Uint8Array(TAIL_SECTORS * SECTOR));
  const blocks = image.block;
  const layout = image.finish();
  requireReadable(files, layout.size);
  return layout;
}

/** Readers that guard against images that unfold to far more than they are would refuse this one. */
function requireReadable(files: readonly FileEntry[], size: number): void {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total <= size * limits.expansion) return;
  const why = `its files have ${total} bytes together, more than ${limits.expansion} times the image's ${size}`;
  throw unrepresentable('', why);
}

function planTree(kind: TreeKind, top: DirectoryNode, finder: Finder): PlannedTree {
  const table = numberDirectories(kind, top);
  const places: PlannedTree['places'] = new Map();
  const nowhere = finder(undefined);
  for (const { node } of table) {
    const { records, continuation } = encodeDirectory(kind, node, nowhere);
    places.set(node, { block: 0, size: records.length, continuation: continuation.length });
  }
  return { kind, table, tableSize: pathTableSize(table), places, l: 0, m: 0 };
}

function placePathTables(image: Assembly, tree: PlannedTree): void {
  const blockOf = (node: DirectoryNode): number => tree.places.get(node)!.block;
  const size = sectors(tree.tableSize) * SECTOR;
  for (const type of ['L', 'M'] as const) {
    tree[type === 'L' ? 'l' : 'm'] = image.block;
    image.meta(`${type} path table, ${tree.kind.name}`, size, () => {
      const bytes = new Uint8Array(size);
      bytes.set(encodePathTable(tree.table, type, blockOf));
      return bytes;
    });
  }
}

/** Each directory directly before its continuation area: readers that go forward only look nowhere else. */
function placeDirectories(image: Assembly, tree: PlannedTree, finder: Finder): void {
  const encode = (node: DirectoryNode): DirectoryBytes => encodeDirectory(tree.kind, node, finder(tree));
  for (const { node } of tree.table) {
    const place = tree.places.get(node)!;
    place.block = image.block;
    const where = `${node.path === '' ? 'the top' : node.path}, ${tree.kind.name}`;
    image.meta(`directory ${where}`, place.size, () => encode(node).records);
    image.meta(`continuation area of ${where}`, place.continuation, () => encode(node).continuation);
  }
}
