import { dirname } from 'node:path';
import { Header } from 'tar/header';

/** An entry of a layer: a file where it has bytes, a symbolic link where it has `link`, otherwise a folder. */
export interface Entry {
  /** At most 100 bytes, without a leading slash. */
  readonly path: string;
  readonly bytes?: Uint8Array;
  readonly link?: string;
  /** Permission bits; left out: 0o644 for files and 0o755 for folders. */
  readonly mode?: number;
}

const BLOCK = 512;
const modes = { File: 0o644, SymbolicLink: 0o777, Directory: 0o755 } as const;

/**
 * Makes the uncompressed tar file of a layer (OCI image-spec "Image Layer Filesystem Changeset"), and adds parent
 * folders.
 */
export function layerTar(entries: readonly Entry[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { path, bytes, link, mode } of withFolders(entries)) {
    const type = bytes ? 'File' : link ? 'SymbolicLink' : 'Directory';
    const header = new Header({
      path: type === 'Directory' ? `${path}/` : path,
      type,
      ...(link ? { linkpath: link } : {}),
      mode: mode ?? modes[type],
      size: bytes?.length ?? 0,
      uid: 0,
      gid: 0,
      mtime: new Date(0),
    });
    const block = Buffer.alloc(BLOCK);
    if (header.encode(block)) throw new Error(`${path} does not fit a ustar header`);
    parts.push(block);
    if (bytes) parts.push(bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Returns the entries, each after its parent folders. */
function withFolders(entries: readonly Entry[]): Entry[] {
  const all = new Map<string, Entry>();
  const addFolder = (path: string): void => {
    if (path === '.' || all.has(path)) return;
    addFolder(dirname(path));
    all.set(path, { path });
  };
  for (const entry of entries) {
    addFolder(dirname(entry.path));
    all.set(entry.path, entry);
  }
  return [...all.values()];
}
