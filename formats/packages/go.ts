import type { Bytes } from '../bytes.ts';
import { ELF_HEAD, isElf, type Run, writableRuns } from './elf.ts';
import { type GoBuild, goPackages } from './go-modules.ts';
import { type PackageKind, textOf } from './kind.ts';

const MAGIC = Buffer.from('\xff Go buildinf:', 'latin1');
/** Go aligns its build information to this many bytes. Elsewhere the same bytes mean nothing. */
const ALIGN = 16;
/** Bytes of the header: the magic, the pointer size, the flags, and what programs before Go 1.18 need. */
const HEADER = 32;
/** The flag that says that the strings follow directly. */
const INLINE = 2;
/** Bytes that frame the list of modules, at either end. */
const FRAME = 16;
/** The most bytes of the two strings together. Those of the largest programs have 100 KiB. */
const LIMIT = 2 * 1024 * 1024;

/** Programs that Go built, whatever their names. */
export const go: PackageKind = {
  name: 'go',
  wants: () => false,
  recognises: ({ head }) => isElf(head),
  read: async (body) => {
    const found = await readGoBuild(body);
    if (found === undefined) return { packages: [], silent: true };
    if (found === 'old')
      return { packages: [], missing: 'built by Go before 1.18, whose build information is not supported' };
    const packages = goPackages(found);
    return found.modules.includes('\ndep\t') || found.modules.includes('\nmod\t')
      ? { packages }
      : { packages, missing: 'built without modules, so its dependencies are unknown' };
  },
};

/**
 * Finds Go's build information in an ELF file, in the format of Go 1.18 (Go's `debug/buildinfo`), while holding little
 * more than that in memory. Returns undefined if there is none, and `old` for the format before. Throws `FormatError`
 * `packages-invalid`.
 */
export async function readGoBuild(body: Bytes): Promise<GoBuild | 'old' | undefined> {
  const source = new BodyReader(body);
  await source.fill(ELF_HEAD);
  const runs = writableRuns(source.bytes);
  for (;;) {
    const found = nextMagic(source, runs);
    if (found === undefined) {
      // A magic may lie across two chunks.
      if (!(await source.advance(Math.max(0, source.bytes.length - MAGIC.length + 1), runs))) return undefined;
      continue;
    }
    source.drop(found);
    const build = await buildAt(source);
    if (build !== undefined) return build;
    source.drop(ALIGN);
  }
}

/** Returns where in the held bytes the next magic lies that is aligned and in one of `runs`. */
function nextMagic({ bytes, at }: BodyReader, runs: readonly Run[]): number | undefined {
  for (let from = 0; ; ) {
    const found = bytes.indexOf(MAGIC, from);
    if (found < 0) return undefined;
    const offset = at + found;
    if (offset % ALIGN === 0 && runs.some((run) => offset >= run.from && offset < run.to)) return found;
    from = found + 1;
  }
}

/** Reads the build information that begins with the first byte held. Undefined if it is none. */
async function buildAt(source: BodyReader): Promise<GoBuild | 'old' | undefined> {
  await source.fill(HEADER);
  if (source.bytes.length < HEADER) return undefined;
  if ((source.bytes[15]! & INLINE) === 0) return 'old';
  const version = await stringAt(source, HEADER);
  const modules = version && (await stringAt(source, version.end));
  if (!version?.bytes.length || !modules) return undefined;
  const { bytes } = modules;
  const framed = bytes.length > 2 * FRAME && bytes[bytes.length - FRAME - 1] === 0x0a;
  return {
    version: textOf(version.bytes),
    modules: framed ? textOf(bytes.subarray(FRAME, -FRAME)) : '',
  };
}

/** Reads a string that follows its length, a varint. Undefined if it is cut off or too long. */
async function stringAt(source: BodyReader, at: number): Promise<{ bytes: Uint8Array; end: number } | undefined> {
  await source.fill(at + 4);
  let length = 0;
  for (let index = 0; index < 4; index += 1) {
    const byte = source.bytes[at + index];
    if (byte === undefined) return undefined;
    length |= (byte & 0x7f) << (7 * index);
    if (byte >= 0x80) continue;
    const start = at + index + 1;
    if (start + length > LIMIT) return undefined;
    await source.fill(start + length);
    if (source.bytes.length < start + length) return undefined;
    return { bytes: source.bytes.subarray(start, start + length), end: start + length };
  }
  return undefined;
}

/** A window on a stream. It only moves forward. */
class BodyReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** The bytes in the window. */
  bytes: Buffer = Buffer.alloc(0);
  /** The position of the window in the stream. */
  at = 0;

  constructor(body: Bytes) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** Reads until `size` bytes are held, or all that there are. */
  async fill(size: number): Promise<void> {
    if (this.bytes.length >= size) return;
    // The memory of chunks may be used again before the last one is there.
    const parts: Uint8Array[] = [Buffer.from(this.bytes)];
    for (let held = this.bytes.length; held < size; ) {
      const next = await this.#chunks.next();
      if (next.done) break;
      parts.push(Buffer.from(next.value));
      held += next.value.length;
    }
    // At the end of a file, this may be called again and again.
    if (parts.length > 1) this.bytes = Buffer.concat(parts);
  }

  drop(size: number): void {
    this.bytes = this.bytes.subarray(size);
    this.at += size;
  }

  /** Drops `size` bytes and holds the next chunk that touches one of `runs`. Returns false if there is none. */
  async advance(size: number, runs: readonly Run[]): Promise<boolean> {
    this.drop(size);
    for (;;) {
      if (runs.every(({ to }) => to <= this.at)) return false;
      const next = await this.#chunks.next();
      if (next.done) return false;
      const end = this.at + this.bytes.length + next.value.length;
      if (runs.some(({ from, to }) => from < end && to > this.at)) {
        this.#hold(next.value);
        return true;
      }
      this.bytes = Buffer.from(next.value.subarray(-(MAGIC.length - 1)));
      this.at = end - this.bytes.length;
    }
  }

  /** Holds a chunk after the few bytes that are held. Copies it only if a magic may begin in those. */
  #hold(chunk: Uint8Array): void {
    const seam = Buffer.concat([this.bytes, chunk.subarray(0, MAGIC.length - 1)]);
    if (chunk.length < MAGIC.length || seam.includes(MAGIC)) {
      this.bytes = Buffer.concat([this.bytes, chunk]);
      return;
    }
    this.at += this.bytes.length;
    this.bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}
