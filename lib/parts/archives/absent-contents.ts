import type { Digest } from '../../../formats/digest.ts';
import { type Descriptor, totalSize } from '../../../formats/oci/descriptor.ts';
import { emptyConfig } from '../../../formats/sigstore/referrer.ts';
import type { DeltaBase } from '../../../formats/solution/selection.ts';
import type { Catalog } from './catalog.ts';

/**
 * Lists what an archive may lack: layers of images and of what is about them. The root, manifests, configs and the
 * Solution's own files are in every archive, so that each says what it is, and renders, alone.
 */
export function sparableContents({ imageBlobs, manifests }: Pick<Catalog, 'imageBlobs' | 'manifests'>): Descriptor[] {
  const configs = new Set<Digest>(
    manifests.flatMap(({ value }) => (value.kind === 'index' ? [] : [value.config.digest])),
  );
  // A tar has it in any case, for signatures.
  configs.add(emptyConfig.descriptor.digest);
  return imageBlobs.filter(({ digest }) => !configs.has(digest));
}

/** The digests that a catalog's archive lacks. */
export function absentDigests({ selection }: Pick<Catalog, 'selection'>): ReadonlySet<Digest> {
  return new Set(selection?.absent.map(({ digest }) => digest));
}

/** The contents that are in a catalog's archive. */
export function presentContents(catalog: Pick<Catalog, 'selection' | 'contents'>): readonly Descriptor[] {
  if (!catalog.selection) return catalog.contents;
  const absent = absentDigests(catalog);
  return catalog.contents.filter(({ digest }) => !absent.has(digest));
}

/** What a delta lacks, and the releases that have it according to the delta. */
export interface DeltaSummary {
  /** Contents that it lacks, and their bytes. */
  readonly absent: number;
  readonly absentBytes: number;
  /** Bytes of all contents of the Solution. */
  readonly wholeBytes: number;
  readonly bases: readonly DeltaBase[];
}

/** Returns what a delta lacks; undefined of an archive that is whole. */
export function deltaSummary(catalog: Catalog): DeltaSummary | undefined {
  const { selection, contents } = catalog;
  if (!selection) return undefined;
  const wholeBytes = totalSize(contents);
  const absentBytes = wholeBytes - totalSize(presentContents(catalog));
  return { absent: selection.absent.length, absentBytes, wholeBytes, bases: selection.bases };
}
