import { join } from 'node:path';
import { algorithmOf, type Digest, hexOf } from '../../../formats/digest.ts';
import type { HeldFolder } from '../../held-folder.ts';

/** What a repository has: a manifest's link holds its media type, a blob's is empty. */
export type LinkKind = 'manifests' | 'blobs';

/**
 * Where a store keeps what. No part of a repository name begins with `_`, so that these folders are never taken for one.
 *
 * ```text
 * blobs/sha256/HEX                          content, once
 * repositories/NAME/_manifests/sha256/HEX   that the repository has this manifest; holds its media type
 * repositories/NAME/_blobs/sha256/HEX       that the repository has this blob; empty
 * repositories/NAME/_tags/TAG               holds a digest
 * uploads/UUID                              what was sent so far
 * lock                                      a socket that whoever uses the store listens on
 * ```
 */
export interface StorePaths {
  /** How messages name it. */
  readonly folder: string;
  readonly uploads: string;
  readonly blobs: string;
  readonly repositories: string;
  blob(digest: Digest): string;
  link(key: string, kind: LinkKind, digest: Digest): string;
  tag(key: string, tag: string): string;
}

/** The paths of the store in `folder`, for as long as that is held. */
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

/** The folder of a repository, as one could write it in a URL: `host:5000` is `host_5000`. */
export function folderOf(key: string): string {
  return key.replace(':', '_');
}
