import type { FileEntry, Layout, Segment, StructureField } from '../segments.ts';
import { sizeWords } from '../size-words.ts';
import { EXPANSION } from '../tree.ts';
import { type Assembly, assembly } from './assembly.ts';
import { type Contents, gatherContents } from './contents.ts';
import { type Instant, recordDate } from './dates.ts';
import { descriptorField } from './descriptor-fields.ts';
import { encodeDescriptor, encodeTerminator } from './descriptors.ts';
import { encodeContinuation, encodeRecords, type TargetPlaces } from './directory.ts';
import { continuationField, directoryField } from './directory-fields.ts';
import { buildTree, type DirectoryNode, unrepresentable } from './nodes.ts';
import { encodePathTable, type PathTableType, pathTableField, pathTableSize } from './path-table.ts';
import { type PlannedDirectory, placeDirectories, planDirectories, plannedRows } from './plan-directories.ts';
import { SECTOR, SYSTEM_SECTORS, sectors } from './sector.ts';
import { type DirectoryRow, jolietTree, rockRidgeTree, type TreeKind } from './tree-kinds.ts';
import { requireVolumeId } from './volume-id.ts';

/** What an image says beside its files. */
export interface ImageOptions {
  /** 1 to 32 characters of A-Z, 0-9 and _, as `volumeIdFrom` makes them. */
  readonly volumeId: string;
  /** When the volume was created, in seconds since 1970. Every file and directory has this date too. */
  readonly created: number;
  /**
   * When the volume was modified. `blkid` derives the UUID of the volume from it, so it should be derived from the
   * content.
   */
  readonly modified: Instant;
}

/** Sectors of zeros at the end, for readers that read ahead or refuse small images. */
const TAIL_SECTORS = 150;

/** Zeros for the longest run of empty sectors. */
const empty = new Uint8Array(TAIL_SECTORS * SECTOR);

/** One tree while it is being laid out. */
interface PlannedTree {
  readonly kind: TreeKind;
  readonly table: readonly PlannedDirectory[];
  readonly tableSize: number;
  /** The first blocks of its two path tables, of type L and of type M. */
  l: number;
  m: number;
}

/**
 * Lays out an ISO 9660 image (ECMA-119, level 3) with Rock Ridge and Joliet. All structures lie before all contents, so
 * that the image can be written, and listed, front to back.
 * A pure function: it asks neither clock nor locale. The contents lie in the order in which their keys first appear in
 * `files`; nothing else depends on the order of `files`. Segments are made while somebody goes through them. Structures
 * make their bytes when asked, one directory at a time. So memory grows by some hundred bytes for each file.
 * Throws `FormatError` `iso9660-unrepresentable` for what the format, or a widely used reader of it, cannot hold: see
 * `buildTree`.
 */
export function layoutImage(files: readonly FileEntry[], options: ImageOptions): Layout {
  requireVolumeId(options.volumeId);
  const top = buildTree(files);
  const contents = gatherContents(files);
  const date = recordDate(options.created);
  const trees = [rockRidgeTree, jolietTree].map((kind) => planTree(kind, top));
  const image = assembly();
  const zeros = (name: string, count: number): void =>
    image.meta(name, count * SECTOR, () => empty.subarray(0, count * SECTOR));
  const descriptor = ({ kind, table, tableSize, l, m }: PlannedTree): Uint8Array => {
    const pathTable = { size: tableSize, l, m };
    return encodeDescriptor({ ...options, joliet: kind === jolietTree, blocks, pathTable, top: table[0]!, date });
  };
  zeros('system area', SYSTEM_SECTORS);
  for (const [at, name] of ['primary', 'Joliet'].entries()) {
    const structure = `${name} volume descriptor`;
    const fieldAt = (byte: number): StructureField => ({ structure, field: descriptorField(byte) });
    image.meta(structure, SECTOR, () => descriptor(trees[at]!), fieldAt);
  }
  image.meta('volume descriptor set terminator', SECTOR, encodeTerminator);
  for (const tree of trees) addPathTables(image, tree);
  for (const tree of trees) addDirectories(image, tree, contents, date);
  contents.place(image.block);
  image.run(contents.size, contents.segments);
  zeros('padding at the end', TAIL_SECTORS);
  const blocks = image.block;
  const layout = image.finish();
  requireReadable(files, layout.size);
  return layout;
}

/**
 * Throws if the files together are too large for the image. Readers refuse such an image, because it would unfold to
 * far more than it is.
 */
function requireReadable(files: readonly FileEntry[], size: number): void {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total <= size * EXPANSION) return;
  const why = `its files have ${sizeWords(total)} together, more than ${EXPANSION} times the image's ${sizeWords(size)}`;
  throw unrepresentable('', why);
}

function planTree(kind: TreeKind, top: DirectoryNode): PlannedTree {
  const table = planDirectories(kind, top);
  return { kind, table, tableSize: pathTableSize(kind, table), l: 0, m: 0 };
}

function addPathTables(image: Assembly, tree: PlannedTree): void {
  const { kind, table } = tree;
  const size = sectors(tree.tableSize) * SECTOR;
  const add = (type: PathTableType): number => {
    const { block } = image;
    const name = `${type} path table, ${kind.name}`;
    const fieldAt = (at: number): StructureField => pathTableField(kind, table, name, at);
    image.meta(name, size, () => encodePathTable(kind, table, type, size), fieldAt);
    return block;
  };
  tree.l = add('L');
  tree.m = add('M');
}

function addDirectories(image: Assembly, { kind, table }: PlannedTree, contents: Contents, date: Uint8Array): void {
  const start = image.block;
  const size = (placeDirectories(table, start) - start) * SECTOR;
  const byNode = new Map(table.map((directory) => [directory.node, directory]));
  const directory = (node: DirectoryNode) => byNode.get(node)!;
  const places = { date, directory, file: contents.block, links: contents.links };
  image.run(size, function* () {
    for (const planned of table) yield* directorySegments(kind, planned, places);
  });
}

function* directorySegments(kind: TreeKind, planned: PlannedDirectory, places: TargetPlaces): Generator<Segment> {
  const { node, block, size, continuation } = planned;
  const rows = (): readonly DirectoryRow[] => plannedRows(kind, planned);
  const where = `${node.path === '' ? 'the top' : node.path}, ${kind.name}`;
  const records = (): Uint8Array => encodeRecords(kind, node, rows(), places);
  const offset = block * SECTOR;
  const fieldAt = (at: number): StructureField => directoryField(kind, node, rows(), at);
  yield { kind: 'meta', offset, size, name: `directory ${where}`, bytes: records, fieldAt };
  if (continuation === 0) return;
  const name = `continuation area of ${where}`;
  const area = (): Uint8Array => encodeContinuation(kind, node, rows(), places, continuation);
  const areaFieldAt = (at: number): StructureField => continuationField(kind, node, rows(), at);
  yield { kind: 'meta', offset: offset + size, size: continuation, name, bytes: area, fieldAt: areaFieldAt };
}
