import { FormatError } from './error.ts';
import { encodeLeb128 } from './leb128.ts';

/** Bytes of a page of memory (WebAssembly Core Specification, "Memory Instances"). */
export const WASM_PAGE = 65_536;

const MAGIC = Buffer.from('\0asm\x01\0\0\0', 'latin1');
const MEMORY_SECTION = 5;

/**
 * Returns the module with at most `pages` pages for its one memory (WebAssembly Core Specification, "Memory Section").
 * Throws `FormatError` `encoder-invalid` for what is no module, has no memory of its own, or begins with more.
 */
export function withMemoryLimit(module: Uint8Array, pages: number): Uint8Array {
  if (Buffer.compare(module.subarray(0, MAGIC.length), MAGIC) !== 0) throw bad('is no WebAssembly module');
  for (let at = MAGIC.length; at < module.length; ) {
    const size = unsigned(module, at + 1);
    const end = size.end + size.value;
    if (module[at] === MEMORY_SECTION) {
      const section = limited(module, size.end, pages);
      return Buffer.concat([
        module.subarray(0, at),
        Uint8Array.of(MEMORY_SECTION),
        Uint8Array.from(encodeLeb128(section.length)),
        section,
        module.subarray(end),
      ]);
    }
    at = end;
  }
  throw bad('has no memory of its own');
}

/** Returns the body of the memory section that begins at `at`, with a limit. */
function limited(module: Uint8Array, at: number, pages: number): Uint8Array {
  const flags = module[at + 1];
  if (module[at] !== 1 || (flags !== 0 && flags !== 1)) throw bad('has memory of another kind');
  const least = unsigned(module, at + 2);
  if (least.value > pages) throw bad('needs more memory than it may have');
  const most = flags === 1 ? Math.min(pages, unsigned(module, least.end).value) : pages;
  return Uint8Array.from([1, 1, ...encodeLeb128(least.value), ...encodeLeb128(most)]);
}

/** Reads a number in groups of 7 bits (LEB128). */
function unsigned(module: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = module[at + index];
    if (byte === undefined) break;
    value += (byte & 127) * 128 ** index;
    if (byte < 128) return { value, end: at + index + 1 };
  }
  throw bad('is damaged');
}

function bad(why: string): FormatError {
  return new FormatError('encoder-invalid', `the encoder of a layer ${why}`);
}
