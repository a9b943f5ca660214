import { type Bytes, once } from '../../../formats/bytes.ts';
import { type Digest, measure, sha256 } from '../../../formats/digest.ts';
import { type DockerImage, type DockerLayer, encodeDockerImage } from '../../../formats/docker-archive/read.ts';
import { type Descriptor, mediaTypes } from '../../../formats/oci/descriptor.ts';
import type { TreeEntry } from '../../../formats/tree.ts';
import type { ContentSource, OpenOptions } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { FileRange } from '../../kernel/files/index.ts';
import { entryFile, entryRange, type SourceTar, streamFile } from './files.ts';

/** The content of a Docker archive by digest, and OCI manifests that are made for its images. */
export interface DockerContent extends Required<Pick<ContentSource, 'open' | 'locate'>> {
  /** Makes the manifest of an image. Layers that are stored compressed are hashed for it, each once. */
  manifest(image: DockerImage, signal?: AbortSignal): Promise<Descriptor>;
}

/** Reads content of the `images` of `tar` in place. */
export function dockerContent(tar: SourceTar, images: readonly DockerImage[]): DockerContent {
  const entries = new Map<Digest, TreeEntry>();
  const manifests = new Map<Digest, Uint8Array>();
  const hashed = new Map<string, Digest>();
  const stream = (entry: TreeEntry, options?: OpenOptions): Bytes =>
    streamFile(async () => entryFile(tar.source, entry), options);

  const digestOf = async ({ digest, file }: DockerLayer, signal?: AbortSignal): Promise<Digest> => {
    const at = `${file.extents[0]?.offset}`;
    const known = digest ?? hashed.get(at);
    if (known) return known;
    const measured = await measure(stream(file, { signal }));
    hashed.set(at, measured.digest);
    return measured.digest;
  };

  const manifest = async (image: DockerImage, signal?: AbortSignal): Promise<Descriptor> => {
    const digests: Digest[] = [];
    for (const layer of image.layers) {
      const digest = await digestOf(layer, signal);
      entries.set(digest, layer.file);
      digests.push(digest);
    }
    entries.set(image.config.descriptor.digest, image.config.file);
    const bytes = encodeDockerImage(image, digests);
    const digest = sha256(bytes);
    manifests.set(digest, bytes);
    return { mediaType: mediaTypes.manifest, digest, size: bytes.length };
  };

  async function* open({ digest }: Descriptor, options: OpenOptions = {}): Bytes {
    const { offset = 0, signal } = options;
    signal?.throwIfAborted();
    // A caller that knows the digest from elsewhere may ask for content before any image was resolved.
    if (!manifests.has(digest) && !entries.has(digest)) for (const image of images) await manifest(image, signal);
    const bytes = manifests.get(digest);
    const entry = entries.get(digest);
    if (bytes) yield* once(bytes.subarray(offset));
    else if (entry) yield* stream(entry, options);
    else {
      throw new SolpackError('source-invalid', tar.name, `holds no content ${digest}`, {
        side: 'source',
        hint: 'write the archive again with docker save or podman save',
      });
    }
  }

  const locate = async ({ digest }: Descriptor): Promise<FileRange | undefined> => {
    const entry = entries.get(digest);
    return entry && entryRange(tar.place, entry);
  };

  return { manifest, open, locate };
}
