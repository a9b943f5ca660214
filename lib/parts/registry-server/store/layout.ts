import { join } from 'node:path';
import { algorithmOf, type Digest, hexOf } from '../../../../formats/digest.ts';
import type { HeldFolder } from '../../../kernel/files/index.ts';
import { pushedKey } from '../names.ts';

/** What a repository links to. The link of a manifest holds its media type; that of a blob is empty. */
export type LinkKind = 'manifests' | 'blobs';

/**
 * The layout of a store's folder. No part of a repository's name begins with `_`, so no repository can take the name of
 * these folders.
 *
 * ```text
 * blobs/sha256/HEX                          content, once
 * repositories/NAME/_manifests/sha256/HEX   that the repository has this manifest; holds its media type
 * repositories/NAME/_blobs/sha256/HEX       that the repository has this blob; empty
 * repositories/NAME/_tags/TAG               holds a digest
 * uploads/UUID                              what was sent so far
 * lock                                      a link to the socket on which the process that uses the store listens
 * ```
 */
export interface StorePaths {
  /** The store's folder, for messages. */
  readonly folder: string;
  readonly uploads: string;
  readonly blobs: string;
  readonly repositories: string;
  blob(digest: Digest): string;
  link(key: string, kind: LinkKind, digest: Digest): string;
  tag(key: string, tag: string): string;
}

/** Returns the paths of the store in `folder`, valid while that is held. */
export function storePaths(folder: string, { at }: Pick<HeldFolder, 'at'>): StorePaths {
  const repositories = at('repositories');
  const blobs = at('blobs');
  return {
    folder,
    uploads: at('uploads'),
    blobs,
    repositories,
    blob: (digest) => join(blobs, algorithmOf(digest), hexOf(digest)),
    link: (key, kind, digest) => join(repositories, folderOf(key), `_${kind}`, algorithmOf(digest), hexOf(digest)),
    tag: (key, tag) => join(repositories, folderOf(key), '_tags', tag),
  };
}

/**
 * Returns the folder of a repository, as one could write it in a URL: `host.example_5000` for `host.example:5000`, and
 * `host__5000` for `host:5000`, which would be the folder of another repository otherwise.
 */
export function folderOf(key: string): string {
  const folder = key.replace(':', '_');
  return pushedKey(folder) === key ? folder : key.replace(':', '__');
}
