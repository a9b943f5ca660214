import { memory } from '../../../../formats/bytes.ts';
import type { Digest } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { parseReference } from '../../../../formats/oci/reference.ts';
import { signatureReferrer } from '../../../../formats/sigstore/referrer.ts';
import type { Closure } from '../../../kernel/content/index.ts';
import { type Archive, absentOf, archiveStamp, bundlesIn, type CatalogImage } from '../../../parts/archives/index.ts';
import type { ServedContent, ServedRepository } from '../../../parts/registry-server/index.ts';
import { type AttestationReferrer, attestationReferrers } from '../attestations/index.ts';

/** Where Solutions themselves are served, by name and version. */
const SOLUTIONS = 'solutions';

/**
 * Lists what a registry serves of an archive: the repositories of its images with their tags, content and referrers,
 * and the Solution itself as `solutions/NAME:VERSION`, whose referrers are the archive's signatures and attestations.
 */
export async function servedContent(archive: Archive): Promise<ServedContent> {
  // What is served outlives what was read to know it: no function below may hold the archive, and its catalog with it.
  const { path, content: contentIn, pathOf } = archive;
  const repositories = new Map<string, { registry: string; repository: string; images: CatalogImage[] }>();
  for (const image of archive.catalog.images) {
    const { registry, repository } = parseReference(image.reference);
    const key = `${registry}/${repository}`;
    const known = repositories.get(key) ?? { registry, repository, images: [] };
    known.images.push(image);
    repositories.set(key, known);
  }
  const attestations = await attestationReferrers(archive, () => undefined);
  const { solution, made } = await solutionOf(archive, attestations);
  const bundles = new Map(attestations.map(({ bundle, content }) => [bundle.digest, content]));
  const images: ServedRepository[] = [];
  for (const entry of repositories.values()) images.push(served(entry, attestations));
  return {
    name: path,
    repositories: [...images, solution],
    read: async (descriptor) => {
      const bytes = made.get(descriptor.digest);
      if (bytes) return memory(bytes);
      const own = bundles.get(descriptor.digest) ?? contentIn(descriptor);
      const [content, version] = await Promise.all([own, archiveStamp(pathOf?.(descriptor) ?? path)]);
      return { ...content, ...(version === undefined ? {} : { version }) };
    },
  };
}

function served(
  { registry, repository, images }: { registry: string; repository: string; images: readonly CatalogImage[] },
  attestations: readonly AttestationReferrer[],
): ServedRepository {
  const tags = new Map<string, Descriptor>();
  const content = new Map<Digest, Descriptor>();
  const absent = new Map<Digest, string>();
  for (const image of images) {
    const { reference, descriptor, closure, referrers } = image;
    for (const { digest, platform } of absentOf(image)) absent.set(digest, platform);
    const { tag } = parseReference(reference);
    if (tag !== undefined) tags.set(tag, plain(descriptor));
    addClosure(content, closure);
    for (const referrer of referrers) {
      if (referrer.tag !== undefined) tags.set(referrer.tag, plain(referrer.descriptor));
      addClosure(content, referrer.closure);
    }
  }
  addAttestations(
    content,
    attestations.filter(({ subject }) => content.has(subject.digest)),
  );
  return { registry, repository, tags, content, absent };
}

function addClosure(content: Map<Digest, Descriptor>, { blobs, manifests }: Closure): void {
  for (const blob of blobs) content.set(blob.digest, plain(blob));
  for (const { descriptor } of manifests) content.set(descriptor.digest, plain(descriptor));
}

/** Takes annotations off a descriptor: clients find them in the manifest that has it. */
function plain({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size };
}

function addAttestations(content: Map<Digest, Descriptor>, attestations: readonly AttestationReferrer[]): void {
  for (const { manifest, config, bundle } of attestations) {
    for (const descriptor of [manifest.descriptor, config.descriptor, bundle])
      content.set(descriptor.digest, descriptor);
  }
}

/** Makes the repository of the Solution itself, and the bytes of its referrers, which are no blobs of the archive. */
async function solutionOf(
  archive: Archive,
  attestations: readonly AttestationReferrer[],
): Promise<{ solution: ServedRepository; made: Map<Digest, Uint8Array> }> {
  const { root, metadata, manifests } = archive.catalog;
  const content = new Map<Digest, Descriptor>();
  const made = new Map<Digest, Uint8Array>();
  for (const [slot, signature] of bundlesIn(await archive.slots()).entries()) {
    if (!signature) continue;
    const { manifest, blobs } = signatureReferrer(signature, root, slot);
    for (const { descriptor, bytes } of [manifest, ...blobs]) {
      content.set(descriptor.digest, descriptor);
      made.set(descriptor.digest, bytes);
    }
  }
  addAttestations(content, attestations);
  for (const { descriptor, bytes } of attestations.flatMap(({ manifest, config }) => [manifest, config])) {
    made.set(descriptor.digest, bytes);
  }
  for (const blob of archive.catalog.contents) content.set(blob.digest, plain(blob));
  for (const { descriptor } of manifests) content.set(descriptor.digest, plain(descriptor));
  content.set(root.digest, root);
  // Tags cannot hold the + of build metadata; charts have the same rule.
  const tags = new Map([[metadata.version.replace('+', '_'), root]]);
  return { solution: { registry: '', repository: `${SOLUTIONS}/${metadata.name}`, tags, content }, made };
}
