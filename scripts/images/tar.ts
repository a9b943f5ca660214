import { Header } from 'tar/header';

/** A member of a tar file: a file where it has bytes, otherwise a folder. */
export interface Member {
  /** At most 100 bytes; the path of a folder has no trailing slash. */
  readonly path: string;
  readonly bytes?: Uint8Array;
  /** Permission bits; left out: 0o644 for files, 0o755 for folders. */
  readonly mode?: number;
}

const BLOCK = 512;

/**
 * Makes a POSIX ustar file of `members`, in their order, owned by root, with the time `mtime`: the same bytes
 * everywhere.
 */
export function tar(members: readonly Member[], mtime: Date): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { path, bytes, mode } of members) {
    const header = new Header({
      path: bytes ? path : `${path}/`,
      type: bytes ? 'File' : 'Directory',
      mode: mode ?? (bytes ? 0o644 : 0o755),
      size: bytes?.length ?? 0,
      uid: 0,
      gid: 0,
      mtime,
    });
    const block = Buffer.alloc(BLOCK);
    if (header.encode(block)) throw new Error(`${path} does not fit a ustar header`);
    parts.push(block);
    if (bytes) parts.push(bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  parts.push(Buffer.alloc(2 * BLOCK));
  return Buffer.concat(parts);
}
