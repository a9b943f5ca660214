import type { Bytes } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { Layers } from './layer.ts';
import type { SbomLimits } from './limits.ts';

/** A layer as an image has it. */
export interface SbomLayer {
  readonly mediaType: string;
  /** Names its bytes: a layer of the same digest and media type is the same. Left out, it is like no other. */
  readonly digest?: string;
  /**
   * Opens its bytes as they are stored; they are read to their end unless the layer is damaged. The memory of a chunk
   * may be used again after a few more.
   */
  open(signal: AbortSignal): Bytes;
}

/** What the layers of an image come to, from the lowest up to one of them. */
export interface Layered {
  readonly layers: Layers;
  /** Why layers count as empty, by their positions from 0. */
  readonly unread: ReadonlyMap<number, string>;
}

/** A layer above certain others, and what they come to together. */
interface Link {
  /** Images that have not come by yet. */
  expected: number;
  readonly above: Map<string | symbol, Link>;
  layered?: Promise<Layered>;
}

/**
 * Reads the layers of images. What several images have in common from the lowest layer on is read once, and kept as
 * long as one of them has not come by. Returns a function that reads one of `images`; each may be read once.
 */
export function readingChains<I extends { readonly layers: readonly SbomLayer[] }>(
  images: readonly I[],
  limits: SbomLimits,
): (image: I, signal: AbortSignal) => Promise<Layered> {
  const bottom: Link = { expected: 0, above: new Map() };
  const chains = new Map(images.map((image) => [image, chainOf(image.layers, bottom)]));
  return async (image, signal) => {
    let below: Layered = { layers: new Layers(limits), unread: new Map() };
    let isOwn = true;
    for (const [at, link] of (chains.get(image) ?? []).entries()) {
      // Whoever does not own what is below copies it now, before its owner continues.
      link.layered ??= addLayer(
        isOwn ? below.layers : new Layers(limits, below.layers),
        image.layers[at]!,
        signal,
      ).then(noted(below, at));
      below = await link.layered;
      link.expected -= 1;
      isOwn = link.expected === 0;
      if (isOwn) delete link.layered;
    }
    return below;
  };
}

/** Returns the links of layers, from the lowest on; those that others begin with as well are the same. */
function chainOf(layers: readonly SbomLayer[], bottom: Link): Link[] {
  let link = bottom;
  return layers.map(({ mediaType, digest }) => {
    const key = digest === undefined ? Symbol() : `${digest} ${mediaType}`;
    const next = link.above.get(key) ?? { expected: 0, above: new Map() };
    link.above.set(key, next);
    next.expected += 1;
    link = next;
    return next;
  });
}

function noted({ unread }: Layered, at: number): (read: Read) => Layered {
  return ({ layers, why }) => ({ layers, unread: why === undefined ? unread : new Map([...unread, [at, why]]) });
}

interface Read {
  readonly layers: Layers;
  /** Why the layer could not be read, if so. */
  readonly why: string | undefined;
}

async function addLayer(layers: Layers, layer: SbomLayer, signal: AbortSignal): Promise<Read> {
  if (!/\btar\b/.test(layer.mediaType))
    return { layers, why: `of the media type ${layer.mediaType}, which is not supported` };
  let failure: { error: unknown } | undefined;
  async function* source(): Bytes {
    try {
      yield* layer.open(signal);
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  try {
    signal.throwIfAborted();
    await layers.add(source(), signal);
    return { layers, why: undefined };
  } catch (error) {
    if (failure) throw failure.error;
    if (!(error instanceof FormatError)) throw error;
    return { layers, why: `not read: ${error.message}` };
  }
}
