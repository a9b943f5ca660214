import { collect } from '../../formats/bytes.ts';
import { type Digest, verified } from '../../formats/digest.ts';
import { decodeJson } from '../../formats/json.ts';
import { type Descriptor, type Platform, platformName } from '../../formats/oci/descriptor.ts';
import type { Manifest } from '../../formats/oci/manifest.ts';
import { z } from '../../formats/schema.ts';
import type { Budget } from '../budget.ts';
import type { Closure } from '../closure.ts';
import type { ContentSource } from '../model.ts';

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

/** Reads the platform that the config of an image names; undefined where it names none. Throws `FormatError` `manifest-invalid`. */
export function platformIn(config: Uint8Array): Platform | undefined {
  const { os, architecture, variant } = decodeJson(config, imageConfig, 'manifest-invalid', 'image config');
  return os === undefined || architecture === undefined ? undefined : { os, architecture, variant };
}

/** Tells the platforms of the image manifests in a closure, by its index where that names them, else by their configs. */
export type PlatformsOf = (closure: Closure) => Promise<readonly string[]>;

/** Reads each config once, whatever closures name it, and makes one list for each closure; all of it counts in `budget`. */
export function createPlatformsOf(source: ContentSource, budget: Budget, signal?: AbortSignal): PlatformsOf {
  const configs = new Map<Digest, Promise<Platform | undefined>>();
  const lists = new Map<Closure, Promise<readonly string[]>>();
  const inConfig = async (descriptor: Descriptor): Promise<Platform | undefined> => {
    const bytes = await readConfig(source, descriptor, signal);
    budget.look(bytes);
    return platformIn(bytes);
  };
  const list = async (closure: Closure): Promise<readonly string[]> => {
    const platforms = manifestsOf(closure).flatMap(({ platform }) => platform ?? []);
    for (const config of platformConfigs(closure)) {
      const known = configs.get(config.digest) ?? inConfig(config);
      configs.set(config.digest, known);
      platforms.push(...[(await known) ?? []].flat());
    }
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
    .filter(({ platform }) => !platform)
    .map(({ value }) => value.config)
    .filter(({ size, mediaType }) => size <= LIMIT && /image(\.config)?\.v1\+json$/.test(mediaType));
}

/** Lists the image manifests of a closure, with the platforms that an index names. */
function manifestsOf({ manifests }: Closure): { value: Manifest; platform: Platform | undefined }[] {
  const named = new Map<Digest, Platform | undefined>();
  for (const { value } of manifests) {
    if (value.kind === 'index') for (const child of value.manifests) named.set(child.digest, child.platform);
  }
  return manifests.flatMap(({ descriptor, value }) =>
    value.kind === 'index' ? [] : [{ value, platform: named.get(descriptor.digest) }],
  );
}
