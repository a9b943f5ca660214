import * as fs from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { isRemote } from '../../../formats/manifest/kustomization.ts';
import { parseRemoteBase } from '../../../formats/manifest/remote-base.ts';
import { portable } from '../../kernel/files/index.ts';
import type { RemoteParts } from './kind.ts';

/** The folder for copies of what a kustomization names on a network; `kustomize localize` has the same. */
const FOLDER = 'localized-files';

/** A copy of what was remote. */
export type RemoteCopy =
  | {
      /** What takes the place of the reference: a path relative to the kustomization. */
      readonly name: string;
      /** The folder on this machine. */
      readonly path: string;
      /** The top of the repository, and where that belongs, relative to the kustomization. */
      readonly root: string;
      readonly mount: string;
    }
  | { readonly name: string; readonly path: string; readonly root: undefined };

/** Whether what a kustomization in `folder` refers to is on a network, as kustomize decides it. */
export async function isRemoteReference(folder: string, reference: string): Promise<boolean> {
  return reference.includes('://') || (isRemote(reference) && !(await exists(resolve(folder, reference))));
}

/** Whether there is anything at `path`. */
export async function exists(path: string): Promise<boolean> {
  return (await fs.lstat(path).catch(() => undefined)) !== undefined;
}

/** Fetches what a kustomization refers to. Throws `FormatError` `address-invalid`, and what fetching throws. */
export async function fetchCopy(reference: string, remote: RemoteParts): Promise<RemoteCopy> {
  const target = parseRemoteBase(reference);
  if (target.kind === 'file') {
    const { host, pathname } = target.url;
    return { name: plain(FOLDER, host, pathname), path: await remote.file(reference), root: undefined };
  }
  const { path, root } = await remote.folder(reference);
  const mount = plain(FOLDER, target.name, target.ref ?? '');
  return { name: posix.join(mount, portable(target.path)), path, root, mount };
}

/** Joins names to a path that every file system can hold. */
function plain(...names: readonly string[]): string {
  return names
    .flatMap((name) => name.split('/').filter(Boolean))
    .map((name) => name.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\.+$/, '-'))
    .join('/');
}
