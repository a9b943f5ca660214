/** A run of bytes in a file: from `from` on, up to `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** How many bytes of a file are searched for its program headers. */
export const ELF_HEAD: number = 64 * 1024;

const MAGIC = Buffer.from('\x7fELF', 'latin1');
const LOAD = 1;
const WRITABLE = 2;

/** Returns whether `head`, the first 4 bytes or more of a file, begins an ELF file. */
export function isElf(head: Uint8Array): boolean {
  return head.length >= 4 && MAGIC.equals(head.subarray(0, 4));
}

/**
 * Returns where an ELF file keeps writable data: its loaded segments with that permission (System V ABI, "Program
 * Header"). If the program headers lie outside of `head` or make no sense, that is the whole file: tools like patchelf
 * move them.
 */
export function writableRuns(head: Uint8Array): Run[] {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const everything = [{ from: 0, to: Number.POSITIVE_INFINITY }];
  const wide = head[4] === 2;
  if (head.length < (wide ? 64 : 52)) return everything;
  const little = head[5] === 1;
  const word = (at: number): number => (wide ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little));
  const table = word(wide ? 32 : 28);
  const size = view.getUint16(wide ? 54 : 42, little);
  const count = view.getUint16(wide ? 56 : 44, little);
  if (size < (wide ? 56 : 32) || count === 0 || table + size * count > head.length) return everything;
  const runs: Run[] = [];
  for (let at = table; at < table + size * count; at += size) {
    const flags = view.getUint32(at + (wide ? 4 : 24), little);
    if (view.getUint32(at, little) !== LOAD || (flags & WRITABLE) === 0) continue;
    const from = word(at + (wide ? 8 : 4));
    runs.push({ from, to: from + word(at + (wide ? 32 : 16)) });
  }
  return runs;
}
