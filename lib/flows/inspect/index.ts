import type { Digest } from '../../../formats/digest.ts';
import { isObjectProbe, type ObjectProbe, type ReadyProbe } from '../../../formats/solution/ready-probe.ts';
import { isUnrelated, type Relations, relationsOf } from '../../../formats/solution/relations.ts';
import type { Upgrade } from '../../../formats/solution/upgrade.ts';
import { isInRegistry, type Place, type RegistryPlace } from '../../kernel/content/index.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import {
  type AbsentChild,
  type Archive,
  absentOf,
  type CarrierKind,
  type Catalog,
  type CatalogImage,
  type CatalogReferrer,
  type DeltaSummary,
  deltaSummary,
  type ForeignMedium,
  readAttestationHead,
} from '../../parts/archives/index.ts';
import { readSignatures, type SignatureAlgorithm } from '../../parts/trust/index.ts';
import { openLocal } from '../../shared/solutions/media/index.ts';
import { type InspectedAttestation, inspectedAttestations } from './attestations.ts';
import { findInRegistry, type SolutionInRegistry } from './registry.ts';

export {
  /** An attestation of the Solution or of an image of it. */
  type InspectedAttestation,
  /** Passes the wanted predicates to `take`, one after another, as their authors wrote them. */
  readPredicates,
  /** Which predicates to read: the provenance of the Solution, or SBOMs. */
  type WantedPredicates,
} from './attestations.ts';

/** One component of an archive. */
export interface InspectedComponent {
  readonly name: string;
  readonly kind: string;
  /** Version of the chart, for kind helm. */
  readonly version?: string;
  readonly namespace?: string;
  /** Only the node can render it; nobody has proved that the archive holds all that it asks for. */
  readonly render?: 'install';
  /** What tells that it is ready, besides that its objects are; absent where nothing does. */
  readonly ready?: readonly ObjectProbe[];
  /** Endpoints of Services that have to answer; absent where there are none. */
  readonly endpoints?: readonly Pick<ReadyProbe, 'http' | 'https' | 'tcp' | 'namespace'>[];
  /** Bytes of its files. */
  readonly size: number;
}

/** One image of an archive. */
export interface InspectedImage {
  readonly reference: string;
  readonly digest: Digest;
  readonly mediaType: string;
  /** Bytes of everything that it consists of, manifests included. */
  readonly size: number;
  readonly platforms: readonly string[];
  /** Children of its index that were left out. */
  readonly absent: readonly AbsentChild[];
  /** Its signatures, SBOMs and attestations in the archive. */
  readonly referrers: readonly InspectedReferrer[];
}

/** A signature, an SBOM or an attestation of an image. */
export interface InspectedReferrer {
  readonly digest: Digest;
  readonly subject: Digest;
  readonly artifactType?: string;
  /** Its tag, where its manifest names no subject. */
  readonly tag?: string;
}

/** A program or a key in an archive for nodes that have nothing else. */
export interface InspectedProgram {
  readonly path: string;
  readonly digest: Digest;
  readonly size: number;
}

/** A signature in an archive. Only `verify` checks whether it is valid. */
export interface InspectedSignature {
  readonly slot: number;
  readonly algorithm: SignatureAlgorithm;
  /** SHA-256 of the public key that it names, in hexadecimal. */
  readonly keyId: string;
}

/** Proof that an archive holds everything that its objects need, from when it was packed. */
export interface InspectedClosure {
  /** The Kubernetes versions for which it was proved; empty where that is the one that Helm takes by itself. */
  readonly kubernetes: readonly string[];
}

/** What is known of a medium that solpack did not pack. */
export interface InspectedMedium {
  readonly kind: 'metalk8s';
  /** How it describes itself: `manifest.yaml` from MetalK8s 2.5.1 on, `product.txt` before. */
  readonly era: 'manifest' | 'product';
  /** Folders that should hold images and do not, and images that it lists and lacks. */
  readonly faults: readonly { readonly path: string; readonly message: string }[];
  /** Files for MetalK8s that are not installed from here. */
  readonly unused: readonly string[];
  /** Files of it whose bytes nothing on it says. */
  readonly unproved: readonly string[];
}

/** What an archive says about itself. */
export interface Inspection {
  /** Path, address without user, password and query, or reference in a registry. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly root: Digest;
  readonly carrier: CarrierKind | 'folder' | 'registry';
  /** Bytes of the archive; in a folder and in a registry, of everything that the Solution consists of. */
  readonly size: number;
  /** Rises with each release. */
  readonly sequence?: number;
  /** Seconds since 1970. */
  readonly created: number;
  /** When it ends to be installable, in seconds since 1970. */
  readonly expires?: number;
  /** The range of Kubernetes versions that it is for. */
  readonly kubernetes?: string;
  /** What it asks of other Solutions, and offers them; absent where that is nothing. */
  readonly relations?: Relations;
  /** Over which versions of it, and of what it provides, it may be installed. Left out: over any. */
  readonly upgrade?: Upgrade;
  /** What was proved when it was packed; absent where nothing was. */
  readonly closure?: InspectedClosure;
  /** Images that its objects use and that sites bring. */
  readonly externalImages?: readonly string[];
  readonly components: readonly InspectedComponent[];
  readonly images: readonly InspectedImage[];
  /** Absent where it brings no installer. */
  readonly installer?: readonly InspectedProgram[];
  /** Bytes that several images share, and that are stored once. */
  readonly sharedBytes: number;
  readonly signatures: readonly InspectedSignature[];
  readonly signatureSlots: number;
  /** What the author says about the Solution and its images; referrers are what others say. */
  readonly attestations: readonly InspectedAttestation[];
  /**
   * The medium that it is, where solpack did not pack it. Its root is that of the archive that its Solution would be.
   */
  readonly medium?: InspectedMedium;
  /** What it lacks; absent where it is whole. */
  readonly delta?: DeltaSummary;
}

/** How many slots of attestations are read in an archive on a server. */
const HEADS = 2;

/** Describes an archive. Reads its directory, manifests and metadata, never its payload. Throws as `openArchive`. */
export async function inspect(place: Place | RegistryPlace, flow: Flow): Promise<Inspection> {
  if (isInRegistry(place)) return described({ ...(await findInRegistry(place, flow)), carrier: 'registry' });
  return lend(await openLocal(place, flow), inspectOpened);
}

/** Describes an archive that is open already. */
export async function inspectOpened(archive: Archive): Promise<Inspection> {
  const { path, catalog, file, foreign } = archive;
  const carrier = foreign ? foreign.format : archive.carrier;
  // In an archive on a server, each head is a request of its own.
  const isNear = file.prefetch === undefined || catalog.attestations.length <= HEADS;
  const attestations = await inspectedAttestations(
    catalog,
    isNear ? (attestation) => readAttestationHead(archive, attestation) : undefined,
  );
  const slots = await archive.slots();
  // A folder has no bytes of its own: what counts is what it holds.
  const { root, contents } = catalog;
  const size = foreign
    ? foreign.size
    : carrier
      ? file.size
      : [root, ...contents].reduce((sum, content) => sum + content.size, 0);
  const found = described({ path, catalog, carrier: carrier?.kind ?? 'folder', size, slots, attestations });
  return foreign ? { ...found, medium: mediumOf(foreign) } : found;
}

function mediumOf({ kind, era, faults, unused, unproved }: ForeignMedium): InspectedMedium {
  return { kind, era, faults, unused, unproved };
}

function described(found: SolutionInRegistry & Pick<Inspection, 'carrier'>): Inspection {
  const { path, catalog, carrier, size, slots, attestations } = found;
  const { metadata, root, images } = catalog;
  const delta = deltaSummary(catalog);
  return {
    path,
    name: metadata.name,
    version: metadata.version,
    ...(metadata.description === undefined ? {} : { description: metadata.description }),
    root: root.digest,
    carrier,
    size,
    ...(metadata.sequence === undefined ? {} : { sequence: metadata.sequence }),
    created: metadata.created,
    ...(metadata.expires === undefined ? {} : { expires: metadata.expires }),
    ...(metadata.kubernetes === undefined ? {} : { kubernetes: metadata.kubernetes }),
    ...(isUnrelated(metadata) ? {} : { relations: relationsOf(metadata) }),
    ...(metadata.upgrade === undefined ? {} : { upgrade: metadata.upgrade }),
    ...(metadata.closure ? { closure: { kubernetes: metadata.closure.kubernetes } } : {}),
    ...(metadata.externalImages ? { externalImages: metadata.externalImages } : {}),
    components: componentsOf(catalog),
    images: imagesOf(images),
    ...(catalog.installer.length === 0 ? {} : { installer: catalog.installer.map(programOf) }),
    sharedBytes: sharedBytes(images),
    signatures: readSignatures(slots).carried.map(({ slot, algorithm, keyId }) => ({
      slot,
      algorithm,
      keyId,
    })),
    signatureSlots: metadata.signatureSlots.count,
    attestations,
    ...(delta ? { delta } : {}),
  };
}

function programOf({ path, descriptor: { digest, size } }: Catalog['installer'][number]): InspectedProgram {
  return { path, digest, size };
}

function componentsOf(catalog: Catalog): InspectedComponent[] {
  const sizes = new Map<string, number>();
  for (const { path, descriptor } of catalog.files) {
    const name = /^components\/([^/]+)\//.exec(path)?.[1] ?? '';
    sizes.set(name, (sizes.get(name) ?? 0) + descriptor.size);
  }
  return catalog.metadata.components.map(({ name, kind, version, namespace, render, ready: probes = [] }) => {
    const ready = probes.filter(isObjectProbe);
    const endpoints = probes.filter((probe) => !isObjectProbe(probe));
    return {
      name,
      kind,
      ...(version === undefined ? {} : { version }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(render === undefined ? {} : { render }),
      ...(ready.length === 0 ? {} : { ready }),
      ...(endpoints.length === 0 ? {} : { endpoints }),
      size: sizes.get(name) ?? 0,
    };
  });
}

function imagesOf(images: readonly CatalogImage[]): InspectedImage[] {
  // What images share is described once.
  const known = new Map<unknown, Pick<InspectedImage, 'absent' | 'size'>>();
  return images.map((image) => {
    const { closure } = image;
    const shared = known.get(closure) ?? { absent: absentOf(image), size: sumOf(closure) };
    known.set(closure, shared);
    return imageOf(image, shared);
  });
}

function sumOf(closure: CatalogImage['closure']): number {
  return sizes(closure).reduce((sum, [, size]) => sum + size, 0);
}

function imageOf(image: CatalogImage, { absent, size }: Pick<InspectedImage, 'absent' | 'size'>): InspectedImage {
  const { reference, descriptor, platforms } = image;
  const { digest, mediaType } = descriptor;
  return {
    reference,
    digest,
    mediaType,
    size,
    platforms,
    absent,
    referrers: image.referrers.map(referrerOf),
  };
}

function referrerOf({ descriptor: { digest, artifactType }, subject, tag }: CatalogReferrer): InspectedReferrer {
  return {
    digest,
    subject,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(tag === undefined ? {} : { tag }),
  };
}

function sizes({ manifests, blobs }: CatalogImage['closure']): [Digest, number][] {
  return [...manifests.map(({ descriptor }) => descriptor), ...blobs].map(({ digest, size }) => [digest, size]);
}

function sharedBytes(images: readonly CatalogImage[]): number {
  const seen = new Set<Digest>();
  let shared = 0;
  for (const [digest, size] of images.flatMap(({ closure }) => sizes(closure))) {
    if (seen.has(digest)) shared += size;
    seen.add(digest);
  }
  return shared;
}
