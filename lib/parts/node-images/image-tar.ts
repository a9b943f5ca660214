import type { Bytes } from '../../../formats/bytes.ts';
import { type ImageArchiveFile, imageArchiveFiles } from '../../../formats/oci/image-archive.ts';
import { layoutTar } from '../../../formats/tar/layout.ts';
import { openChecked } from '../../kernel/content/index.ts';
import type { NodeImage } from './kind.ts';

/** A tar archive of images, which is made while it is read. */
export interface ImageTar {
  /** In bytes. */
  readonly size: number;
  /** Streams it; contents are checked on the way. The same images make the same bytes. Throws `content-mismatch`. */
  bytes(signal: AbortSignal): Bytes;
}

/** An image, and its names in an archive. */
export interface TarImage {
  readonly image: NodeImage;
  readonly names: readonly string[];
  /** Whether its names alone are in the archive: what it consists of is where it goes already. */
  readonly isBare?: boolean;
}

/** Puts images into one OCI archive (a tar of an OCI layout). Every date in it is that of 1970. */
export function imageTar(images: readonly TarImage[], docker?: Uint8Array): ImageTar {
  const files = imageArchiveFiles(images.map(archived), docker);
  const byKey = new Map(files.map((file) => [file.key, file]));
  const { size, segments } = layoutTar(files, { modified: 0 });
  const sources = new Map(images.flatMap(({ image }) => image.contents.map(({ digest }) => [digest, image.source])));
  const contentOf = ({ content }: ImageArchiveFile, signal: AbortSignal): Bytes | Iterable<Uint8Array> => {
    if (content instanceof Uint8Array) return [content];
    return openChecked({ descriptor: content, source: sources.get(content.digest)! }, signal);
  };
  return {
    size,
    bytes: async function* (signal) {
      for (const segment of segments) {
        signal.throwIfAborted();
        if (segment.kind === 'meta') yield segment.bytes();
        else yield* contentOf(byKey.get(segment.key)!, signal);
      }
    },
  };
}

function archived({ image, names, isBare = false }: TarImage): Parameters<typeof imageArchiveFiles>[0][number] {
  return { names, descriptor: image.descriptor, contents: isBare ? [] : image.contents };
}
