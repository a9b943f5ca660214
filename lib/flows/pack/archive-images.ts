import type { Bytes } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { absentOf, openArchive } from '../../parts/archives/index.ts';
import type { ArchiveImage, ArchiveImages } from '../../parts/images/index.ts';

/** Opens the images of an archive, so that another archive can take them. Throws as `openArchive`. */
export async function openArchiveImages(path: string, signal?: AbortSignal): Promise<ArchiveImages> {
  const archive = await openArchive(path, signal);
  const { images, referrers } = archive.catalog;
  const known = new Set<Digest>(
    [...images, ...referrers].flatMap(({ closure: { manifests, blobs } }) =>
      [...manifests.map(({ descriptor }) => descriptor), ...blobs].map(({ digest }) => digest),
    ),
  );
  const absent = images.flatMap(absentOf);
  const missing = (digest: Digest): SolpackError => {
    const platform = absent.find((child) => child.digest === digest)?.platform;
    const what = platform ? `, which is ${platform} of an image that it holds in part` : '';
    return new SolpackError('source-invalid', path, `does not hold the content ${digest}${what}`, {
      side: 'source',
      hint: platform ? 'name the platforms that it has: platforms = […]' : 'name a complete archive',
    });
  };
  return {
    name: path,
    images: images.map(({ reference, descriptor }) => named(descriptor, reference)),
    attached: referrers.map(({ descriptor, tag }) => named(descriptor, tag)),
    referrers: async ({ digest }, artifactType) =>
      referrers
        .filter(({ subject, tag }) => subject === digest && tag === undefined)
        .map(({ descriptor }) => descriptor)
        .filter((entry) => artifactType === undefined || entry.artifactType === artifactType),
    open: async function* (descriptor, options = {}): Bytes {
      const { signal: inner } = options;
      inner?.throwIfAborted();
      if (!known.has(descriptor.digest)) throw missing(descriptor.digest);
      for await (const chunk of archive.source.open(descriptor, options)) {
        inner?.throwIfAborted();
        yield chunk;
      }
    },
    close: async () => archive[Symbol.asyncDispose](),
  };
}

/** Names a manifest, without the annotations that the archive's root gives it. */
function named({ mediaType, digest, size }: Descriptor, name: string | undefined): ArchiveImage {
  return { digest, names: name === undefined ? [] : [name], descriptor: { mediaType, digest, size } };
}
