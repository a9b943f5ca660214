import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MountOptions, mountOptions } from './init.ts';

/** What Linux says of one file or directory. */
export interface KernelEntry {
  readonly path: string;
  /** File type and permission bits, as stat(2) has them. */
  readonly mode: number;
  readonly size: number;
  /** Seconds since 1970. */
  readonly modified: number;
  readonly owner: string;
  /** In hexadecimal; undefined for what is not a regular file, or a large one. */
  readonly sha256: string | undefined;
}

/** What Linux reads of an image under one set of mount options. */
export interface KernelTree {
  readonly entries: readonly KernelEntry[];
  /** For each large file: offset to the SHA-256 of the bytes there, in hexadecimal. */
  readonly windows: ReadonlyMap<string, ReadonlyMap<number, string>>;
}

/** What Linux reads of an image, under each set of mount options. */
export type KernelTrees = Readonly<Record<MountOptions, KernelTree>>;

/** Reads the folders that the virtual machine wrote for image number `image`. Throws where Linux failed to read it. */
export function readResults(folder: string, image: number): KernelTrees {
  const trees = mountOptions.map((options, at) => {
    const own = join(folder, String(image), String(at));
    const failed = readFileSync(join(own, 'failed'), 'utf8');
    if (failed !== '' || !readdirSync(own).includes('windows')) {
      throw new Error(`Linux cannot read image ${image} mounted with ${options}: ${failed}`);
    }
    return [options, { entries: readEntries(own), windows: readWindows(own) }];
  });
  return Object.fromEntries(trees);
}

function readEntries(folder: string): KernelEntry[] {
  const names = pathsOf(readFileSync(join(folder, 'names')));
  const stats = readFileSync(join(folder, 'stats'), 'utf8').trimEnd().split('\n');
  const sums = readSums(folder);
  if (names.length > 0 && names.length !== stats.length)
    throw new Error(`${names.length} names, ${stats.length} stats`);
  return names.map((path, at) => {
    const [mode = '', size, modified, uid, gid] = stats[at]!.split(' ');
    const owner = `${uid}:${gid}`;
    return {
      path,
      mode: Number.parseInt(mode, 16),
      size: Number(size),
      modified: Number(modified),
      owner,
      sha256: sums.get(path),
    };
  });
}

/** Names may hold line ends, so that `sums` can only be read beside the names themselves. */
function readSums(folder: string): Map<string, string> {
  const paths = pathsOf(readFileSync(join(folder, 'files')));
  const text = readFileSync(join(folder, 'sums'), 'utf8');
  const sums = new Map<string, string>();
  let at = 0;
  for (const path of paths) {
    const rest = `  ./${path}\n`;
    if (!text.startsWith(rest, at + 64)) throw new Error(`no SHA-256 of ${JSON.stringify(path)}`);
    sums.set(path, text.slice(at, at + 64));
    at += 64 + rest.length;
  }
  return sums;
}

function readWindows(folder: string): Map<string, Map<number, string>> {
  const windows = new Map<string, Map<number, string>>();
  for (const line of readFileSync(join(folder, 'windows'), 'utf8').trimEnd().split('\n')) {
    if (line === '') continue;
    const [file = '', at, sha256 = ''] = line.split(' ');
    const path = file.slice(2);
    const own = windows.get(path) ?? new Map<number, string>();
    windows.set(path, own.set(Number(at), sha256));
  }
  return windows;
}

function pathsOf(names: Buffer): string[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const paths = decoder.decode(names).split('\0').slice(0, -1);
  return paths.map((path) => path.slice(2));
}
