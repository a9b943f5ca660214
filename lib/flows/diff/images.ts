import type { Digest } from '../../../formats/digest.ts';
import type { Renderable } from '../../shared/rendering/index.ts';

/** Images by reference. */
export interface ImageChanges {
  readonly added: readonly { readonly reference: string; readonly digest: Digest }[];
  readonly removed: readonly { readonly reference: string; readonly digest: Digest }[];
  readonly changed: readonly { readonly reference: string; readonly from: Digest; readonly to: Digest }[];
}

/** Bytes of layers and configs, each digest once. */
export interface LayerBytes {
  readonly shared: number;
  /** Of those that only the newer Solution has. */
  readonly new: number;
  /** Of those that only the older Solution has. */
  readonly gone: number;
}

/** Compares the images of two Solutions. */
export function compareImages(from: Renderable, to: Renderable): ImageChanges {
  const [old, now] = [digestsOf(from), digestsOf(to)];
  const only = (here: ReadonlyMap<string, Digest>, there: ReadonlyMap<string, Digest>) =>
    [...here].flatMap(([reference, digest]) => (there.has(reference) ? [] : [{ reference, digest }]));
  return {
    added: only(now, old),
    removed: only(old, now),
    changed: [...now].flatMap(([reference, digest]) => {
      const before = old.get(reference);
      return before === undefined || before === digest ? [] : [{ reference, from: before, to: digest }];
    }),
  };
}

/** Counts the bytes that two Solutions share, and those that they do not. */
export function compareLayers(from: Renderable, to: Renderable): LayerBytes {
  const [old, now] = [blobsOf(from), blobsOf(to)];
  const sum = (blobs: ReadonlyMap<string, number>, wanted: (digest: string) => boolean): number =>
    [...blobs].reduce((total, [digest, size]) => total + (wanted(digest) ? size : 0), 0);
  return {
    shared: sum(now, (digest) => old.has(digest)),
    new: sum(now, (digest) => !old.has(digest)),
    gone: sum(old, (digest) => !now.has(digest)),
  };
}

function digestsOf({ images }: Renderable): Map<string, Digest> {
  return new Map(images.map(({ reference, descriptor }) => [reference, descriptor.digest]));
}

function blobsOf({ images }: Renderable): Map<string, number> {
  return new Map(images.flatMap(({ closure }) => closure.blobs.map(({ digest, size }) => [digest, size] as const)));
}
