import type { Digest } from '../../formats/digest.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';
import { parseReference } from '../../formats/oci/reference.ts';
import type { Archive, CatalogImage } from '../archives/index.ts';
import type { ServedContent, ServedRepository } from '../registries/index.ts';

/** The images of an archive, as a registry serves them: each repository with its tags and all content below them. */
export function servedContent(archive: Archive): ServedContent {
  const repositories = new Map<string, { registry: string; repository: string; images: CatalogImage[] }>();
  for (const image of archive.catalog.images) {
    const { registry, repository } = parseReference(image.reference);
    const key = `${registry}/${repository}`;
    const known = repositories.get(key) ?? { registry, repository, images: [] };
    known.images.push(image);
    repositories.set(key, known);
  }
  return {
    name: archive.path,
    repositories: [...repositories.values()].map(served),
    read: archive.content,
  };
}

function served({
  registry,
  repository,
  images,
}: {
  registry: string;
  repository: string;
  images: readonly CatalogImage[];
}): ServedRepository {
  const tags = new Map<string, Descriptor>();
  const content = new Map<Digest, Descriptor>();
  for (const { reference, descriptor, closure } of images) {
    const { tag } = parseReference(reference);
    if (tag !== undefined) tags.set(tag, descriptor);
    for (const blob of closure.blobs) content.set(blob.digest, blob);
    for (const manifest of closure.manifests) content.set(manifest.descriptor.digest, manifest.descriptor);
  }
  return { registry, repository, tags, content };
}
