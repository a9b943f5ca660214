import { once } from '../../formats/bytes.ts';
import type { NodeImage } from '../../lib/parts/node-images/index.ts';
import { buildImage } from './image.ts';

/** An image in memory, as places of a node take it. */
export function nodeImage(reference: string, platforms: readonly string[] = ['linux/amd64']): NodeImage {
  const { index, manifests, blobs } = buildImage({ platforms, seed: reference });
  const own = new Map([index, ...manifests].map((one) => [one.digest, one]));
  const all = [...blobs].map(([digest, { length: size }]) => {
    return own.get(digest) ?? { mediaType: 'application/octet-stream', digest, size };
  });
  return {
    reference,
    digest: index.digest,
    descriptor: index,
    contents: all,
    source: { name: 'memory', open: ({ digest }) => once(blobs.get(digest)!) },
  };
}
