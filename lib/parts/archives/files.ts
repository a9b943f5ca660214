import { inByteOrder, utf8 } from '../../../formats/bytes.ts';
import { algorithmOf, type Digest, hexOf, sha256 } from '../../../formats/digest.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { blobPath, layoutMarker, layoutPaths } from '../../../formats/oci/layout.ts';
import { encodeIndex } from '../../../formats/oci/manifest.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import { encodeSelection } from '../../../formats/solution/selection.ts';
import { absentDigests, recipeContents } from './absent-contents.ts';
import { attestationSlotPath } from './attestations.ts';
import type { Carrier, Shape } from './carrier.ts';
import { type CarrierFile, knownFile } from './carrier-file.ts';
import type { Catalog, CatalogAttestation, CatalogFile, CatalogReferrer } from './catalog.ts';
import { type LayOut, type ListedSignature, listingFiles } from './listing.ts';
import { metalk8sView } from './metalk8s-view.ts';

/** Paths of this project's own files in an archive. */
export const archivePaths = {
  root: '.solpack/root.json',
  sums: '.solpack/SHA256SUMS',
  /** What an archive lacks; of a delta alone. */
  selection: '.solpack/selection.json',
  slot: (number: number): string => `.solpack/signatures/${number}.sigstore.json`,
} as const;

/**
 * Lists the files of an archive, in the canonical order of their extents: a pure function of the root and its
 * manifests, and, where the carrier lists them, of the signatures in its slots.
 */
export function carrierFiles(
  catalog: Catalog,
  carrier: Carrier,
  signatures: readonly (ListedSignature | undefined)[] = [],
): CarrierFile[] {
  const { metadata, rootBytes, root } = catalog;
  const slots = Array.from({ length: metadata.signatureSlots.count }, (_, number): CarrierFile => {
    const path = archivePaths.slot(number);
    return {
      path,
      size: metadata.signatureSlots.size,
      mode: 0o644,
      key: path,
      content: { kind: 'slot', slot: number },
    };
  });
  const plain = encodeLayoutIndex(catalog);
  const layOut: LayOut = (files) => carrier.layout(files, shapeOf(catalog));
  const { index, rooms } = carrier.listsSignatures
    ? listingFiles(catalog, plain, signatures, layOut)
    : { index: knownFile(layoutPaths.index, plain), rooms: [] };
  const { selection } = catalog;
  const absent = absentDigests(catalog);
  const files = [
    knownFile(layoutPaths.marker, layoutMarker),
    index,
    ...catalog.files.filter(isManifestYaml).map(viewOf),
    knownFile(archivePaths.root, rootBytes, root.digest),
    knownFile(archivePaths.sums, encodeSums(catalog, carrier.views)),
    ...(selection ? [knownFile(archivePaths.selection, encodeSelection(selection))] : []),
    ...slots,
    ...rooms,
    knownFile(blobPath(root.digest), rootBytes, root.digest),
    ...blobFiles(catalog),
    ...recipeContents(catalog).map(blobFile),
    ...catalog.attestations.map(attestationSlot),
    ...(carrier.views
      ? [...catalog.files.filter((file) => !isManifestYaml(file)).map(viewOf), ...metalk8sView(catalog)]
      : []),
  ];
  return files.filter(({ content }) => content.kind !== 'blob' || !absent.has(content.descriptor.digest));
}

/** Returns what shapes a carrier of `catalog` beyond its files. */
export function shapeOf({ root, metadata: { name, version, created } }: Catalog): Shape {
  return { name, version, created, root: root.digest };
}

/**
 * Writes `.solpack/SHA256SUMS`. It lists every file but itself, the root in its two places, `index.json` (which names
 * the root) and all slots. The root holds its digest. Blobs named by SHA-512 are left out.
 */
export function encodeSums(catalog: Summed, views: boolean): Uint8Array {
  return encodeLines(summedFiles(catalog), views);
}

/**
 * Computes the digests of `.solpack/SHA256SUMS`, as it is in carriers without views of files and in those with them.
 */
export function sumsDigests(catalog: Summed): { readonly plain: Digest; readonly withViews: Digest } {
  const files = summedFiles(catalog);
  return { plain: sha256(encodeLines(files, false)), withViews: sha256(encodeLines(files, true)) };
}

/** What the file of checksums is made of. */
type Summed = Pick<Catalog, 'contents' | 'files' | 'metadata' | 'images'>;

interface SummedFile {
  readonly path: string;
  readonly digest: Digest;
  /** Whether it is only in carriers with views of files. */
  readonly isView: boolean;
}

/** The files that may be in the file of checksums, in its order. */
function summedFiles({ contents, files, ...viewed }: Summed): SummedFile[] {
  const all: SummedFile[] = [
    { path: layoutPaths.marker, digest: sha256(layoutMarker), isView: false },
    ...contents.map(({ digest }) => ({ path: blobPath(digest), digest, isView: false })),
    ...files.map((file) => ({ path: file.path, digest: file.descriptor.digest, isView: !isManifestYaml(file) })),
    ...metalk8sView(viewed).map(({ path, content }) => ({ path, digest: digestOfFile(content), isView: true })),
  ];
  const named = all.filter(({ digest }) => algorithmOf(digest) === 'sha256');
  return inByteOrder(named, ({ path }) => path);
}

function digestOfFile(content: CarrierFile['content']): Digest {
  if (content.kind === 'blob') return content.descriptor.digest;
  if (content.kind === 'bytes') return sha256(content.bytes);
  throw new Error('a slot has no digest');
}

function encodeLines(files: readonly SummedFile[], views: boolean): Uint8Array {
  const lines = files.map(({ path, digest, isView }) => (isView && !views ? '' : `${hexOf(digest)}  ${path}\n`));
  return utf8(lines.join(''));
}

/**
 * Writes `index.json`. It lists the root by `name:version` and, for tools that take what follows the last colon for the
 * tag, by its version alone; every image by its full reference; and every referrer, which has no name.
 */
export function encodeLayoutIndex({ root, index, metadata, images, referrers }: Catalog): Uint8Array {
  const { name, version } = metadata;
  const rootAs = (refName: string): Descriptor => ({
    ...root,
    ...(index.artifactType ? { artifactType: index.artifactType } : {}),
    annotations: { [annotations.refName]: refName },
  });
  return encodeIndex({
    manifests: [
      rootAs(`${name}:${version}`),
      // A tag has no "+" (distribution-spec "Pulling manifests"); Helm writes "_" instead, and so do we.
      rootAs(version.replaceAll('+', '_')),
      ...images.map(({ reference, descriptor: { mediaType, digest, size } }) => ({
        mediaType,
        digest,
        size,
        annotations: { [annotations.containerdName]: reference, [annotations.refName]: reference },
      })),
      ...referrers.map(referrerEntry),
    ],
  });
}

/**
 * Makes the entry of a referrer. It has no name that runtimes would take for an image's: containerd unpacks what has
 * one, and fails at a signature.
 */
function referrerEntry({ descriptor, tag }: CatalogReferrer): Descriptor {
  const { mediaType, digest, size, artifactType } = descriptor;
  return {
    mediaType,
    digest,
    size,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(tag === undefined ? {} : { annotations: { [solutionAnnotations.tag]: tag } }),
  };
}

function isManifestYaml({ path }: CatalogFile): boolean {
  return path === 'manifest.yaml';
}

function viewOf({ path, descriptor, mode }: CatalogFile): CarrierFile {
  return { path, size: descriptor.size, mode, key: descriptor.digest, content: { kind: 'blob', descriptor } };
}

function attestationSlot(attestation: CatalogAttestation): CarrierFile {
  const path = attestationSlotPath(attestation);
  return { path, size: attestation.slotSize, mode: 0o644, key: path, content: { kind: 'slot', slot: attestation } };
}

/**
 * Programs of an installer are executable by their blobs too: libarchive takes all paths that share bytes for hard
 * links, of which it keeps the mode of the one that it meets first.
 */
function blobFiles({ contents, installer }: Catalog): CarrierFile[] {
  const modes = new Map(installer.map(({ descriptor, mode }) => [descriptor.digest, mode]));
  return contents.map((descriptor) => ({
    ...blobFile(descriptor),
    mode: modes.get(descriptor.digest) ?? 0o644,
  }));
}

function blobFile(descriptor: Descriptor): CarrierFile {
  const { digest, size } = descriptor;
  return { path: blobPath(digest), size, mode: 0o644, key: digest, content: { kind: 'blob', descriptor } };
}
