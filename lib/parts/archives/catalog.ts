import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Index } from '../../../formats/oci/manifest.ts';
import type { SolutionMetadata } from '../../../formats/solution/metadata.ts';
import type { Selection } from '../../../formats/solution/selection.ts';
import type { Closure, Fetched } from '../../kernel/content/index.ts';

/** An image of a Solution. */
export interface CatalogImage {
  readonly reference: string;
  readonly descriptor: Descriptor;
  /** Everything of it that the archive holds. */
  readonly closure: Closure;
  /** Platforms that the archive holds, as far as its index says; a single manifest's are in its config. */
  readonly platforms: readonly string[];
  /** What the archive holds about it: signatures, SBOMs, attestations, and what is about these. */
  readonly referrers: readonly CatalogReferrer[];
}

/** A file of a Solution: a view of a blob. */
export interface CatalogFile {
  /** Path in the archive. */
  readonly path: string;
  readonly descriptor: Descriptor;
  readonly mode: number;
}

/** All that a root reaches: what an archive consists of, whatever carries it. */
export interface Catalog {
  readonly root: Descriptor;
  readonly rootBytes: Uint8Array;
  readonly index: Index;
  readonly metadata: SolutionMetadata;
  readonly images: readonly CatalogImage[];
  readonly referrers: readonly CatalogReferrer[];
  /** What is said about the Solution and its images: provenance, SBOMs. */
  readonly attestations: readonly CatalogAttestation[];
  /** The manifests that attestations are about, each as the first image that has it. */
  readonly attested: ReadonlyMap<Digest, Attested>;
  /** `manifest.yaml`, the files of all components, charts among them, those of the installer, and predicates. */
  readonly files: readonly CatalogFile[];
  /** The files of the installer alone; none where the archive brings none. */
  readonly installer: readonly CatalogFile[];
  /** Every manifest but the root, children before parents, each once. */
  readonly manifests: readonly Fetched[];
  /** The solution artifact's own config and layers, those of charts, and those of the installer. */
  readonly solutionBlobs: readonly Descriptor[];
  /** Configs and layers of images, each once, without those above. */
  readonly imageBlobs: readonly Descriptor[];
  /** All of these three: what has to be in a carrier beside the root, in the canonical order of extents. */
  readonly contents: readonly Descriptor[];
  /** Which of the contents its archive lacks; absent where that has all of them. */
  readonly selection?: Selection;
}

/** A signature, an SBOM or an attestation of an image, as the root lists it. */
export interface CatalogReferrer {
  /** With its `artifactType`, where it has one. */
  readonly descriptor: Descriptor;
  /** The manifest that it is about. */
  readonly subject: Digest;
  /** The tag that it is known by, where its manifest names no subject. */
  readonly tag: string | undefined;
  readonly closure: Closure;
}

/**
 * Something that the author says about the Solution or an image: a predicate, and room for the signed statement of it.
 */
export interface CatalogAttestation {
  /** Unique in an archive. */
  readonly name: string;
  /** Where the predicate is in a carrier with views. */
  readonly path: string;
  readonly predicateType: string;
  /** The manifest of an image that it is about; undefined for the Solution. */
  readonly subject: Digest | undefined;
  /** The predicate, a JSON object. */
  readonly descriptor: Descriptor;
  /** Bytes of the slot that its bundle fits in. */
  readonly slotSize: number;
}

/** A manifest that something is said about, under the reference of its image. */
export type Attested = Descriptor & { readonly name: string };
