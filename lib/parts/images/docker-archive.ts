import { isDigest } from '../../../formats/digest.ts';
import { isDockerArchive, readDockerArchive } from '../../../formats/docker-archive/read.ts';
import { layoutPaths } from '../../../formats/oci/layout.ts';
import { Manifests, type NamedSource } from '../../kernel/content/index.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { dockerContent } from './docker-content.ts';
import { closingOnFailure, type SourceTar, tarFiles } from './files.ts';
import type { ImageSourceKind } from './kind.ts';
import { layoutSource } from './layout.ts';
import { splitLocation } from './location.ts';
import { findImage } from './names.ts';

/** `docker-archive:file[:reference]`: what `docker save` or `podman save` wrote, read in place. */
export const dockerArchive: ImageSourceKind = {
  transport: 'docker-archive',
  open: async (location, context) => {
    const { path, reference } = splitLocation('docker-archive', location, context);
    const tar = await tarFiles(path, context.host);
    return { source: await closingOnFailure(tar, () => dockerArchiveSource(tar)), name: reference };
  },
};

/** Opens the images of an archive as `docker save` or `podman save` writes it. Throws `source-invalid`. */
export async function dockerArchiveSource(tar: SourceTar): Promise<NamedSource> {
  if (await tar.tree.lookup(layoutPaths.marker)) return hybridSource(tar);
  if (!(await isDockerArchive(tar.tree))) {
    throw new SolpackError('source-invalid', tar.name, 'is not what docker save writes: it has no manifest.json', {
      hint: 'name an archive made by docker save or podman save',
    });
  }
  const images = await imagesOf(tar);
  const content = dockerContent(tar, images);
  const named = images.map((image) => ({ image, digest: image.config.descriptor.digest, names: image.repoTags }));
  return {
    name: tar.name,
    open: (descriptor, options) => content.open(descriptor, options),
    locate: (descriptor) => content.locate(descriptor),
    resolve: async (name, signal) => {
      if (isDigest(name)) {
        for (const image of images) {
          const manifest = await content.manifest(image, signal);
          if (manifest.digest === name) return manifest;
        }
      }
      const found = findImage(named, name, tar.name);
      return found && content.manifest(found.image, signal);
    },
    close: () => tar.close(),
  };
}

/**
 * Opens an archive of Docker 25 or later, which has an OCI layout and a `manifest.json` over the same blobs. The layout
 * has the original manifests.
 */
async function hybridSource(tar: SourceTar): Promise<NamedSource> {
  if (!(await isDockerArchive(tar.tree))) return layoutSource(tar);
  let manifests: Manifests | undefined;
  let images: ReturnType<typeof imagesOf> | undefined;
  return layoutSource(tar, async (entry, source) => {
    manifests ??= new Manifests(source);
    const { value } = await manifests.fetch(entry);
    if (value.kind === 'index') return [];
    images ??= imagesOf(tar);
    return (await images).flatMap(({ config, repoTags }) =>
      config.descriptor.digest === value.config.digest ? repoTags : [],
    );
  });
}

function imagesOf(tar: SourceTar): ReturnType<typeof readDockerArchive> {
  const hint = 'write the archive again with docker save or podman save';
  return refused('source-invalid', tar.name, () => readDockerArchive(tar.tree, tar.source), hint);
}
