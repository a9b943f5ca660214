import { collect } from '../../../formats/bytes.ts';
import { type Digest, verified } from '../../../formats/digest.ts';
import { decodeJson } from '../../../formats/json.ts';
import { type Descriptor, type Platform, platformName } from '../../../formats/oci/descriptor.ts';
import type { Manifest } from '../../../formats/oci/manifest.ts';
import { z } from '../../../formats/schema.ts';
import type { Budget, Closure, ContentSource, Fetched } from '../../kernel/content/index.ts';

/** The largest config that is read, in bytes. */
const LIMIT = 16 * 1024 * 1024;

const name = z.string().max(255).optional();
const imageConfig = z.object({ os: name, architecture: name, variant: name });

/** Reads a config whole, and checked. */
export async function readConfig(
  source: ContentSource,
  descriptor: Descriptor,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  return collect(verified(source.open(descriptor, { signal }), descriptor), LIMIT);
}

/**
 * Reads the platform that the config of an image names; undefined where it names none. Throws `FormatError`
 * `manifest-invalid`.
 */
export function platformIn(config: Uint8Array): Platform | undefined {
  const { os, architecture, variant } = decodeJson(config, imageConfig, 'manifest-invalid', 'image config');
  return os === undefined || architecture === undefined ? undefined : { os, architecture, variant };
}

/** An image manifest, and the platforms that it is for: one, or several where an index lists it for these. */
export interface PlacedManifest {
  readonly fetched: Fetched & { readonly value: Manifest };
  /** Empty where nothing tells. */
  readonly platforms: readonly Platform[];
}

/**
 * Lists the image manifests of a closure with their platforms: by its index where that names them, otherwise by their
 * configs.
 */
export async function placedManifests(
  closure: Closure,
  inConfig: (config: Descriptor) => Promise<Platform | undefined>,
): Promise<PlacedManifest[]> {
  const placed: PlacedManifest[] = [];
  for (const { fetched, platforms } of manifestsOf(closure)) {
    const { config } = fetched.value;
    const own = platforms.length === 0 && tellsPlatform(config) ? await inConfig(config) : undefined;
    placed.push({ fetched, platforms: own ? [own] : platforms });
  }
  return placed;
}

/** Tells the platforms of the image manifests in a closure, as `placedManifests` finds them. */
export type PlatformsOf = (closure: Closure) => Promise<readonly string[]>;

/**
 * Reads each config once, whatever closures name it, and makes one list for each closure; all of it counts in `budget`.
 */
export function createPlatformsOf(source: ContentSource, budget: Budget, signal?: AbortSignal): PlatformsOf {
  const configs = new Map<Digest, Promise<Platform | undefined>>();
  const lists = new Map<Closure, Promise<readonly string[]>>();
  const read = async (descriptor: Descriptor): Promise<Platform | undefined> => {
    const bytes = await readConfig(source, descriptor, signal);
    budget.look(bytes);
    return platformIn(bytes);
  };
  const inConfig = (config: Descriptor): Promise<Platform | undefined> => {
    const known = configs.get(config.digest) ?? read(config);
    configs.set(config.digest, known);
    return known;
  };
  const list = async (closure: Closure): Promise<readonly string[]> => {
    const platforms = (await placedManifests(closure, inConfig)).flatMap((one) => one.platforms);
    return [...new Set(platforms.filter(({ os }) => os !== 'unknown').map(platformName))].sort();
  };
  return (closure) => {
    const known = lists.get(closure) ?? list(closure);
    lists.set(closure, known);
    return known;
  };
}

/** Lists the configs that `platformsOf` reads. */
export function platformConfigs(closure: Closure): Descriptor[] {
  return manifestsOf(closure)
    .filter(({ platforms }) => platforms.length === 0)
    .map(({ fetched }) => fetched.value.config)
    .filter(tellsPlatform);
}

/** Whether a config is one of an image, which names its platform. */
export function tellsPlatform({ size, mediaType }: Descriptor): boolean {
  return size <= LIMIT && /image(\.config)?\.v1\+json$/.test(mediaType);
}

/** Lists the image manifests of a closure, with the platforms that an index names. */
function manifestsOf({ manifests }: Closure): PlacedManifest[] {
  const named = new Map<Digest, Platform[]>();
  for (const { value } of manifests) {
    for (const { digest, platform } of value.kind === 'index' ? value.manifests : []) {
      if (platform) named.set(digest, [...(named.get(digest) ?? []), platform]);
    }
  }
  return manifests.flatMap(({ descriptor, bytes, value }) =>
    value.kind === 'index'
      ? []
      : [{ fetched: { descriptor, bytes, value }, platforms: named.get(descriptor.digest) ?? [] }],
  );
}
