import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Index, Manifest } from '../../../formats/oci/manifest.ts';

/** A manifest or an index with its exact bytes. */
export interface Fetched {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
  readonly value: Manifest | Index;
}

/** Everything that a manifest reaches. */
export interface Closure {
  /** Manifests and indexes, children before their parents, each digest once. */
  readonly manifests: readonly Fetched[];
  /** Configs and layers in the order of their first mention, each digest once. */
  readonly blobs: readonly Descriptor[];
  /** Children of indexes that were not followed. */
  readonly absent: readonly Descriptor[];
}

/** Decides which children of an index are followed, given all of them. */
export type Keep = (children: readonly Descriptor[]) => (child: Descriptor) => boolean;
