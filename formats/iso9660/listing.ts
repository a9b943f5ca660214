import type { Extent, TreeEntry } from '../tree.ts';
import { BytePool } from './byte-pool.ts';
import { NumberList } from './number-list.ts';
import { SECTOR } from './sector.ts';
import type { DirectoryExtent } from './volume.ts';

/** What one directory holds under one name. */
export interface ListedNode extends Omit<TreeEntry, 'path'> {
  readonly name: string;
  /** Where a directory's own records lie. */
  readonly directory?: DirectoryExtent;
}

/** A node to be added to a listing: its name in UTF-8, and what it stands for. */
export type NewNode = { readonly name: Uint8Array; readonly mode: number } & (
  | { readonly type: 'file'; readonly extents: readonly Extent[] }
  | { readonly type: 'dir'; readonly directory: DirectoryExtent }
  | { readonly type: 'symlink'; readonly target: Uint8Array }
  | { readonly type: 'other' }
);

const types = ['file', 'dir', 'symlink', 'other', 'sections'] as const;

/**
 * How many numbers one node takes: the position of its name; one that packs length of the name, type and mode; and two
 * that depend on the type.
 */
const ROW = 4;

/**
 * What one directory holds. A node takes 20 bytes and those of its name, so that a directory of a million names fits in
 * memory. It becomes an object only when it is asked for.
 */
export class DirectoryListing {
  readonly #rows = new NumberList();
  /** Blocks and sizes of the extents of files that have more than one. */
  readonly #sections = new NumberList();
  readonly #texts = new BytePool();
  /** Rows in the order of their names. Set by `finish`. */
  #order = new Uint32Array();

  /** How many bytes the names and link targets take. */
  get texts(): number {
    return this.#texts.size;
  }

  /** How many nodes were added. */
  get added(): number {
    return this.#rows.length / ROW;
  }

  /** How many nodes are shown. */
  get length(): number {
    return this.#order.length;
  }

  /** Adds a node. */
  add(node: NewNode): void {
    if (node.type === 'other') this.#push(node, 'other', 0, 0);
    else if (node.type === 'dir') this.#push(node, 'dir', node.directory.block, node.directory.size);
    else if (node.type === 'symlink') this.#push(node, 'symlink', this.#texts.add(node.target), node.target.length);
    else if (node.extents.length > 1)
      this.#push(node, 'sections', this.#addSections(node.extents), node.extents.length);
    else this.#push(node, 'file', (node.extents[0]?.offset ?? 0) / SECTOR, node.extents[0]?.size ?? 0);
  }

  #push({ name, mode }: NewNode, type: (typeof types)[number], first: number, second: number): void {
    this.#rows.push(this.#texts.add(name));
    this.#rows.push((name.length << 16) | (types.indexOf(type) << 12) | (mode & 0o777));
    this.#rows.push(first);
    this.#rows.push(second);
  }

  /** Adds extents to `#sections`, and returns where they begin there. */
  #addSections(extents: readonly Extent[]): number {
    const start = this.#sections.length;
    for (const { offset, size } of extents) {
      this.#sections.push(offset / SECTOR);
      this.#sections.push(size);
    }
    return start;
  }

  /**
   * Sorts the nodes by the bytes of their names, once all are added. Returns a name that is there twice, if there is
   * one.
   */
  finish(): string | undefined {
    const order = new Uint32Array(this.added);
    let sorted = true;
    for (let row = 0; row < order.length; row += 1) {
      order[row] = row;
      sorted &&= row === 0 || this.#compare(row - 1, row) < 0;
    }
    this.#order = order;
    if (sorted) return undefined;
    order.sort((a, b) => this.#compare(a, b));
    for (let at = 1; at < order.length; at += 1) {
      if (this.#compare(order[at - 1]!, order[at]!) === 0) return this.#name(order[at]!).toString();
    }
    return undefined;
  }

  /** Leaves out the node at `position` from now on. */
  hide(position: number): void {
    this.#order = this.#order.filter((_, at) => at !== position);
  }

  /** Returns the node at `position`, from 0, in the order of names. */
  node(position: number): ListedNode {
    const row = this.#order[position]!;
    const [first, second] = [this.#rows.at(row * ROW + 2), this.#rows.at(row * ROW + 3)];
    const packed = this.#rows.at(row * ROW + 1);
    const type = types[(packed >>> 12) & 0xf]!;
    const common = { name: this.#name(row).toString(), size: 0, mode: packed & 0o777, extents: [] };
    if (type === 'other') return { ...common, type };
    if (type === 'dir') return { ...common, type, directory: { block: first, size: second } };
    if (type === 'symlink') return { ...common, type, target: this.#texts.run(first, second).toString() };
    if (type === 'sections') return { ...common, type: 'file', ...this.#file(first, second) };
    if (second === 0) return { ...common, type };
    return { ...common, type, size: second, extents: [{ offset: first * SECTOR, size: second }] };
  }

  /** Returns the position of the node called `name`, or -1. */
  find(name: string): number {
    const bytes = Buffer.from(name);
    let [from, to] = [0, this.#order.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const order = Buffer.compare(this.#name(this.#order[middle]!), bytes);
      if (order === 0) return middle;
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return -1;
  }

  /** Returns the positions of names that `pattern` matches, the last one first. */
  matching(pattern: RegExp): number[] {
    const found: number[] = [];
    for (let at = this.length - 1; at >= 0; at -= 1) {
      if (pattern.test(this.#name(this.#order[at]!).toString())) found.push(at);
    }
    return found;
  }

  #file(start: number, count: number): { size: number; extents: Extent[] } {
    const extents = Array.from({ length: count }, (_, at) => ({
      offset: this.#sections.at(start + at * 2) * SECTOR,
      size: this.#sections.at(start + at * 2 + 1),
    }));
    return { size: extents.reduce((total, { size }) => total + size, 0), extents };
  }

  #length(row: number): number {
    return this.#rows.at(row * ROW + 1) >>> 16;
  }

  #name(row: number): Buffer {
    return this.#texts.run(this.#rows.at(row * ROW), this.#length(row));
  }

  #compare(a: number, b: number): number {
    return this.#texts.compare(this.#rows.at(a * ROW), this.#length(a), this.#rows.at(b * ROW), this.#length(b));
  }
}
