import { collect } from '../../formats/bytes.ts';
import { type Digest, verified } from '../../formats/digest.ts';
import { decodeJson } from '../../formats/json.ts';
import { type Descriptor, type Platform, platformName } from '../../formats/oci/descriptor.ts';
import type { Manifest } from '../../formats/oci/manifest.ts';
import { z } from '../../formats/schema.ts';
import type { Closure } from '../copy.ts';
import type { ContentSource } from '../model.ts';

/** The largest config that is read, in bytes. */
const LIMIT = 16 * 1024 * 1024;

const imageConfig = z.looseObject({
  os: z.string().optional(),
  architecture: z.string().optional(),
  variant: z.string().optional(),
});

/** Reads a config whole, and checked. */
export async function readConfig(
  source: ContentSource,
  descriptor: Descriptor,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  return collect(verified(source.open(descriptor, signal), descriptor), LIMIT);
}

/** The platforms of the image manifests in `closure`, read from their configs where no index names them. */
export async function platformsOf(closure: Closure, source: ContentSource, signal?: AbortSignal): Promise<string[]> {
  const platforms = manifestsOf(closure).flatMap(({ platform }) => platform ?? []);
  for (const config of platformConfigs(closure)) {
    const { os, architecture, variant } = decodeJson(
      await readConfig(source, config, signal),
      imageConfig,
      'manifest-invalid',
      'image config',
    );
    if (os !== undefined && architecture !== undefined) platforms.push({ os, architecture, variant });
  }
  return [...new Set(platforms.filter(({ os }) => os !== 'unknown').map(platformName))].sort();
}

/** The configs that `platformsOf` reads. */
export function platformConfigs(closure: Closure): Descriptor[] {
  return manifestsOf(closure)
    .filter(({ platform }) => !platform)
    .map(({ value }) => value.config)
    .filter(({ size, mediaType }) => size <= LIMIT && /image(\.config)?\.v1\+json$/.test(mediaType));
}

/** The image manifests of a closure, with the platforms that an index names. */
function manifestsOf({ manifests }: Closure): { value: Manifest; platform: Platform | undefined }[] {
  const named = new Map<Digest, Platform | undefined>();
  for (const { value } of manifests) {
    if (value.kind === 'index') for (const child of value.manifests) named.set(child.digest, child.platform);
  }
  return manifests.flatMap(({ descriptor, value }) =>
    value.kind === 'index' ? [] : [{ value, platform: named.get(descriptor.digest) }],
  );
}
