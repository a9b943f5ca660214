import type { ReadAt } from '../bytes.ts';
import { FormatError } from '../error.ts';
import type { Tree } from '../tree.ts';
import { BLOCK, hasChecksum, isZero } from './block.ts';
import { CutTarError, scanTar, type TarMember } from './scan.ts';
import { TarFiles } from './tree.ts';

/** The files of a tar archive, and where it ends. */
export interface TarTree extends Tree {
  /**
   * Where the end marker (two blocks of zeros) ends, in bytes; anything behind it is not a part of the archive. Behind
   * the end of the source, it is where an archive that was cut would end at least.
   */
  readonly end: number;
}

/**
 * Whether `head`, the first 512 bytes or more of a file, begins a tar archive: by the ustar magic or a valid checksum.
 */
export function sniffTar(head: Uint8Array): boolean {
  if (head.length < BLOCK) return false;
  const block = head.subarray(0, BLOCK);
  if (Buffer.from(block.subarray(257, 262)).toString('latin1') === 'ustar') return true;
  return !isZero(block) && hasChecksum(block);
}

/** How a tar archive is opened. */
export interface OpenTarOptions {
  /**
   * Whether an archive whose end is missing is taken as far as it goes: then `walk` throws at its end. Else it is
   * refused.
   */
  readonly cut?: boolean;
}

/**
 * Indexes a tar archive (ustar, pax, GNU) by its headers alone; bytes of files are not read. A leading `./` is
 * dropped, hard links become the file they name, folders that have no entry are made up (0o755); `walk` goes
 * through each folder in byte order of its names. Throws `FormatError`: `tar-path` for absolute paths, `..`, a path
 * that is taken already, an entry below a file or a link, and a hard link to what is not an earlier file;
 * `tar-unsupported` for compression and sparse files; `tar-limit`, `tar-header` and `truncated` (also where the end
 * marker is missing). Follows POSIX.1-2017 pax and the formats of GNU tar and star.
 */
export async function openTar(source: ReadAt, { cut = false }: OpenTarOptions = {}): Promise<TarTree> {
  await refuseCompressed(source);
  const files = new TarFiles(source.size);
  const members = scanTar(source);
  for (;;) {
    const next = await nextOf(members, cut);
    if (next instanceof CutTarError) return { end: next.end, ...cutTree(files.tree(), next) };
    if (next.done) return { end: next.value, ...files.tree() };
    files.add(next.value);
  }
}

/**
 * The files of an archive that was cut: who goes through them is informed where they end, and never takes them for all.
 */
function cutTree(tree: Tree, error: CutTarError): Tree {
  return {
    ...tree,
    walk: async function* (...asked) {
      yield* tree.walk(...asked);
      throw error;
    },
  };
}

async function nextOf(
  members: AsyncGenerator<TarMember, number>,
  cut: boolean,
): Promise<IteratorResult<TarMember, number> | CutTarError> {
  try {
    return await members.next();
  } catch (error) {
    if (cut && error instanceof CutTarError) return error;
    throw error;
  }
}

async function refuseCompressed(source: ReadAt): Promise<void> {
  const head = await source.read(0, Math.min(6, source.size));
  const starts = (...magic: number[]): boolean => magic.every((byte, at) => head[at] === byte);
  const found = starts(0x1f, 0x8b)
    ? ['gzip', 'gunzip']
    : starts(0x28, 0xb5, 0x2f, 0xfd)
      ? ['zstd', 'unzstd']
      : starts(0xfd, 0x37, 0x7a, 0x58, 0x5a)
        ? ['xz', 'unxz']
        : undefined;
  if (found)
    throw new FormatError('tar-unsupported', `compressed with ${found[0]}; decompress it first with ${found[1]}`);
}
