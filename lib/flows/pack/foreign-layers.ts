import { type Bytes, skip } from '../../../formats/bytes.ts';
import { type Descriptor, isForeignType } from '../../../formats/oci/descriptor.ts';
import type { ImageDefinition } from '../../../formats/solution/definition.ts';
import type { Closure, ContentSource } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';

/**
 * Returns the source of an image's foreign layers: the addresses in its manifest, or the image's own source where a
 * layer has none. Undefined where the image has no foreign layers. Throws `image-unsupported` where they must not be
 * fetched.
 */
export function foreignSource(
  { reference, foreignLayers }: ImageDefinition,
  closure: Closure,
  own: ContentSource,
  allowed: boolean,
): ContentSource | undefined {
  const layers = closure.blobs.filter(({ mediaType }) => isForeignType(mediaType));
  const [first] = layers;
  if (!first) return undefined;
  if (foreignLayers !== 'fetch' && !allowed) {
    const more = layers.length > 1 ? ` and ${layers.length - 1} more` : '';
    const message = `has foreign layers, which registries do not hold: ${first.digest}${more}`;
    throw new SolpackError('image-unsupported', reference, message, {
      hint: 'write foreign-layers = "fetch" for it in the definition, or give --allow-foreign-layers, if you may distribute them',
    });
  }
  const urls = new Map(layers.map(({ digest, urls: places = [] }) => [digest, places.filter(isHttp)]));
  return {
    name: own.name,
    open: (descriptor, options = {}) => {
      const places = urls.get(descriptor.digest) ?? [];
      if (places.length === 0) return own.open(descriptor, options);
      const { offset = 0, signal } = options;
      return skip(fromFirst(reference, descriptor, places, signal), offset);
    },
  };
}

/** Yields the bytes at the first of `places` that answers. Their digest is checked by whoever reads them. */
async function* fromFirst(
  reference: string,
  { digest }: Descriptor,
  places: readonly string[],
  signal: AbortSignal | undefined,
): Bytes {
  const { openAddress } = await import('../../kernel/http/open-address.ts');
  const failures: string[] = [];
  for (const place of places) {
    let answered = false;
    try {
      for await (const chunk of openAddress(new URL(place), signal)) {
        answered = true;
        yield chunk;
      }
      return;
    } catch (error) {
      if (answered || !(error instanceof SolpackError)) throw error;
      failures.push(`${error.subject}: ${error.message}`);
    }
  }
  throw new SolpackError(
    'remote-error',
    reference,
    `its foreign layer ${digest} cannot be fetched: ${failures.join('; ')}`,
    {
      side: 'source',
      hint: 'make one of these addresses reachable',
    },
  );
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
