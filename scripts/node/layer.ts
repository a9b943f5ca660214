import { dirname } from 'node:path';
import { Header } from 'tar/header';

/** What a layer holds: a file if it has bytes, a symbolic link if it has `link`, else a folder. */
export interface Entry {
  /** At most 100 bytes, without a leading slash. */
  readonly path: string;
  readonly bytes?: Uint8Array;
  readonly link?: string;
  /** Permission bits; 0o644 for files and 0o755 for folders where they are left out. */
  readonly mode?: number;
}

const BLOCK = 512;
const modes = { File: 0o644, SymbolicLink: 0o777, Directory: 0o755 } as const;

/** The uncompressed tar file of a layer (OCI image-spec "Image Layer Filesystem Changeset"); folders above are added. */
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

/** The entries, each after the folders that it lies in. */
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
