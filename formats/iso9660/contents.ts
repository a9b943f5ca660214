import type { FileEntry, Segment } from '../segments.ts';
import { sizePair } from '../size-words.ts';
import { unrepresentable } from './nodes.ts';
import { SECTOR, sectors } from './sector.ts';

/**
 * The contents of an image. A content is the bytes that one or more paths name; it is stored once. An empty file has
 * none.
 */
export interface Contents {
  /** Bytes of all contents together, each filled up to whole sectors. */
  readonly size: number;
  /** Gives each content its place; the first one starts at logical block `start`. */
  place(start: number): void;
  /**
   * The logical block of a file's first byte. An empty file gets that of the first content: any valid block would do.
   */
  readonly block: (entry: FileEntry) => number;
  /** How many paths share the bytes of a file; an empty file shares none. */
  readonly links: (entry: FileEntry) => number;
  /** Lists each content at its place, and the padding that fills its last sector. The list is made while it is read. */
  readonly segments: () => Iterable<Segment>;
}

/**
 * Gathers the contents of `files` by key, in the order in which the keys first appear. Throws `FormatError`
 * `iso9660-unrepresentable` if two files of one key differ in size.
 */
export function gatherContents(files: readonly FileEntry[]): Contents {
  // Columns of numbers, not objects: there may be a million contents.
  const numbers = new Map<string, number>();
  const first = new Uint32Array(files.length);
  const links = new Uint32Array(files.length);
  const blocks = new Uint32Array(files.length);
  let all = 0;
  for (const [at, { key, size, path }] of files.entries()) {
    const known = numbers.get(key);
    const number = known ?? numbers.size;
    if (known === undefined) {
      numbers.set(key, number);
      first[number] = at;
      all += sectors(size);
    }
    const given = files[first[number]!]!.size;
    if (given !== size) {
      const [here, elsewhere] = sizePair(size, given);
      throw unrepresentable(path, `its content has ${here} here and ${elsewhere} elsewhere`);
    }
    links[number]! += 1;
  }
  let start = 0;
  const place = (from: number): void => {
    let block = from;
    start = from;
    for (let number = 0; number < numbers.size; number += 1) {
      blocks[number] = block;
      block += sectors(files[first[number]!]!.size);
    }
  };
  return {
    size: all * SECTOR,
    place,
    block: ({ key, size }) => (size === 0 ? start : blocks[numbers.get(key)!]!),
    links: ({ key, size }) => (size === 0 ? 1 : links[numbers.get(key)!]!),
    segments: function* () {
      let offset = start * SECTOR;
      for (let number = 0; number < numbers.size; number += 1) {
        const entry = files[first[number]!]!;
        yield* contentSegments(entry, offset);
        offset += sectors(entry.size) * SECTOR;
      }
    },
  };
}

function* contentSegments({ key, size, path }: FileEntry, offset: number): Generator<Segment> {
  if (size === 0) return;
  yield { kind: 'data', offset, size, key };
  const padding = sectors(size) * SECTOR - size;
  if (padding === 0) return;
  const bytes = (): Uint8Array => new Uint8Array(padding);
  yield { kind: 'meta', offset: offset + size, size: padding, name: `padding after ${path}`, bytes };
}
