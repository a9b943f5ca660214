import { collect } from '../../../formats/bytes.ts';
import { verified } from '../../../formats/digest.ts';
import { decodeJson } from '../../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { childrenOf } from '../../../formats/oci/manifest.ts';
import { isRepository, isTag, parseReference } from '../../../formats/oci/reference.ts';
import { z } from '../../../formats/schema.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { Archive, CatalogImage } from '../../parts/archives/index.ts';
import { type RepositoryTarget, targetFor } from '../../parts/registries/index.ts';
import { imageGroups, topManifest } from '../../shared/solutions/registries/index.ts';
import type { NamedContent } from './plan-types.ts';

/** The largest config of a chart that is read, in bytes. */
const LIMIT = 1024 * 1024;

const chartConfig = z.looseObject({ name: z.string(), version: z.string() });

/**
 * Finds out where images and charts go below `target`: images under their own names without the host, as `install
 * --registry` has them; a chart as `charts/NAME:VERSION`, which is how Helm asks for it. Throws `image-conflict` where
 * two claim one name.
 */
export async function namedIn(
  archive: Archive,
  target: RepositoryTarget,
  signal: AbortSignal,
): Promise<NamedContent[]> {
  const images = archive.catalog.images.map((image) => imageAt(image, target));
  const charts: NamedContent[] = [];
  for (const entry of archive.catalog.index.manifests) {
    if (entry.artifactType === mediaTypes.helmConfig) charts.push(await chartAt(archive, entry, target, signal));
  }
  const all = [...images, ...charts];
  requireDistinct(all);
  return all;
}

function imageAt(image: CatalogImage, { scheme, registry, repository, insecure }: RepositoryTarget): NamedContent {
  const reference = parseReference(image.reference);
  const own = targetFor(`${scheme}://${registry}/${repository}`, reference);
  return {
    target: { ...own, ...(insecure ? { insecure } : {}) },
    tag: reference.tag,
    top: topManifest(image),
    groups: imageGroups(image),
    referrers: image.referrers,
  };
}

async function chartAt(
  { catalog, source, path }: Archive,
  entry: Descriptor,
  target: RepositoryTarget,
  signal: AbortSignal,
): Promise<NamedContent> {
  const top = catalog.manifests.find(({ descriptor }) => descriptor.digest === entry.digest)!;
  const config = top.value.kind === 'manifest' ? top.value.config : entry;
  const bytes = await collect(verified(source.open(config, { signal }), config), LIMIT);
  const { name, version } = decodeJson(
    bytes,
    chartConfig,
    'manifest-invalid',
    `the config of the chart ${entry.digest}`,
  );
  const repository = `${target.repository}/charts/${name}`;
  // As Helm does: a tag has no "+".
  const tag = version.replaceAll('+', '_');
  if (!isRepository(repository) || !isTag(tag)) {
    throw new SolpackError('component-invalid', path, `the chart ${name} ${version} cannot be named in a registry`, {
      hint: 'push without --expand, or rename the chart',
    });
  }
  return {
    target: { ...target, repository },
    tag,
    top,
    groups: [childrenOf(top.value), [top.descriptor]],
    referrers: [],
  };
}

function requireDistinct(all: readonly NamedContent[]): void {
  const claimed = new Map<string, string>();
  for (const { target, tag, top } of all) {
    const { digest } = top.descriptor;
    const name = `${target.repository}:${tag ?? digest}`;
    const other = claimed.get(name) ?? digest;
    if (other !== digest) {
      throw new SolpackError('image-conflict', name, `is claimed by ${other} and by ${digest}`, {
        hint: 'push without --expand; images whose names differ only in the host cannot both have one',
      });
    }
    claimed.set(name, digest);
  }
}
