import { join } from 'node:path';
import { algorithmOf, type Digest, hexOf } from '../../../../formats/digest.ts';
import { blobPath } from '../../../../formats/oci/layout.ts';

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
  readonly folder: string;
  readonly uploads: string;
  readonly blobs: string;
  readonly repositories: string;
  readonly lock: string;
  blob(digest: Digest): string;
  link(key: string, kind: LinkKind, digest: Digest): string;
  tag(key: string, tag: string): string;
}

/** The paths of the store in `folder`. */
export function storePaths(folder: string): StorePaths {
  const repositories = join(folder, 'repositories');
  return {
    folder,
    uploads: join(folder, 'uploads'),
    blobs: join(folder, 'blobs'),
    repositories,
    lock: join(folder, 'lock'),
    blob: (digest) => join(folder, blobPath(digest)),
    link: (key, kind, digest) => join(repositories, folderOf(key), `_${kind}`, algorithmOf(digest), hexOf(digest)),
    tag: (key, tag) => join(repositories, folderOf(key), '_tags', tag),
  };
}

/** The folder of a repository, as one could write it in a URL: `host:5000` is `host_5000`. */
export function folderOf(key: string): string {
  return key.replace(':', '_');
}
