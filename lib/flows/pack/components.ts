import { type Digest, sha256 } from '../../../formats/digest.ts';
import { encodeJson } from '../../../formats/json.ts';
import { annotations, type Descriptor, mediaTypes, noPlatform } from '../../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../../formats/oci/manifest.ts';
import { componentFolder } from '../../../formats/solution/component-folder.ts';
import type { ComponentDefinition } from '../../../formats/solution/definition.ts';
import type { LockedSource } from '../../../formats/solution/lock.ts';
import { type ComponentMetadata, solutionTypes } from '../../../formats/solution/metadata.ts';
import type { Relations } from '../../../formats/solution/relations.ts';
import type { Upgrade } from '../../../formats/solution/upgrade.ts';
import { type Flow, refused } from '../../kernel/events/index.ts';
import { requireSafePaths } from '../../parts/archives/index.ts';
import {
  type Collected,
  type CollectedFile,
  collectComponent,
  SITE_SCHEMA,
  siteSchemaFiles,
} from '../../parts/components/index.ts';
import type { ComponentSources } from './component-sources.ts';
import type { Content } from './content.ts';
import { fileLayer, fileSource } from './file-layer.ts';
import { lockedFiles } from './locked-files.ts';

/** A file of a component, whose content is known. */
export interface ComponentFile {
  /** Below the folder of the component. */
  readonly path: string;
  readonly mode: number;
  readonly descriptor: Descriptor;
}

/** A component of the definition, whose files were measured and added to the content. */
export interface ResolvedComponent {
  readonly metadata: ComponentMetadata;
  /** Layers of the solution artifact. */
  readonly layers: readonly Descriptor[];
  /** The chart's manifest, as the root lists it; undefined for other kinds. */
  readonly chart: Descriptor | undefined;
  /** All files, the chart among them. */
  readonly files: readonly ComponentFile[];
  /** Digest over the paths, modes and contents of all files. */
  readonly digest: Digest;
  /** The files of the author, as the lock lists them; undefined where they are many. */
  readonly listed: readonly string[] | undefined;
  /** What it asks of other Solutions, and offers them. */
  readonly relations: Relations;
  /** Over which versions of what it provides it may be installed; undefined where it does not say. */
  readonly upgrade: Upgrade['provides'];
  /** What was fetched for it. */
  readonly sources: readonly LockedSource[];
}

/**
 * Lists and measures the files of a component. Throws `component-invalid`, `path-escapes`, `file-missing`, and what
 * fetching throws.
 */
export async function resolveComponent(
  definition: ComponentDefinition,
  sources: ComponentSources,
  content: Content,
  flow: Flow,
): Promise<ResolvedComponent> {
  const { fetched, explain, ...located } = await sources.locate(definition);
  const { name, kind, set, skipSchemaValidation } = definition;
  const collected = await collectComponent({ name, kind, set, skipSchemaValidation, ...located }, flow.signal).catch(
    (error) => {
      throw explain(error);
    },
  );
  for (const message of collected.notices ?? []) flow.onEvent({ type: 'notice', subject: definition.name, message });
  const schema = await siteSchemaFiles(located.home, definition.siteSchema);
  const packed = [...collected.files, ...schema];
  const prefix = componentFolder(definition);
  const paths = packed.map((file) => prefix + file.path);
  await refused('component-invalid', definition.path, () => requireSafePaths(paths), 'rename one of its files');
  const layers: Descriptor[] = [];
  const files: ComponentFile[] = [];
  const digests = new Map<CollectedFile, Digest>();
  let chart: Descriptor | undefined;
  for (const file of packed) {
    const isChart = collected.chart?.path === file.path;
    const layer = await fileLayer(file, isChart ? mediaTypes.helmChart : solutionTypes.file, prefix + file.path);
    digests.set(file, layer.digest);
    content.add(layer, fileSource(file, `${definition.path}: ${file.path}`));
    files.push({ path: file.path, mode: file.mode, descriptor: layer });
    if (isChart) chart = chartManifest(collected, layer, content);
    else layers.push(layer);
  }
  return {
    metadata: metadataOf(definition, collected),
    layers,
    chart,
    files,
    digest: digestOf(layers, chart),
    listed: await lockedFiles(packed, digests, located.home),
    relations: collected.relations ?? {},
    upgrade: collected.upgrade,
    sources: fetched(),
  };
}

/**
 * Makes the manifest of a chart as Helm stores it in a registry: its metadata is the config, the .tgz the only layer.
 */
function chartManifest({ chart }: Collected, layer: Descriptor, content: Content): Descriptor {
  const { name, version } = chart!.metadata;
  const title = layer.annotations![annotations.title]!;
  const config = content.addBytes(encodeJson(chart!.metadata), mediaTypes.helmConfig, title);
  const { mediaType, digest, size } = layer;
  const manifest = encodeManifest({
    config,
    layers: [{ mediaType, digest, size }],
    annotations: { [annotations.title]: name, 'org.opencontainers.image.version': version },
  });
  const descriptor = content.addBytes(manifest, mediaTypes.manifest, title);
  return {
    ...descriptor,
    artifactType: mediaTypes.helmConfig,
    platform: noPlatform,
    annotations: { [annotations.title]: title },
  };
}

function metadataOf(definition: ComponentDefinition, collected: Collected): ComponentMetadata {
  const { entry, values, chart, version = chart?.metadata.version, atInstall: needsNode } = collected;
  const { name, kind, after, timeout, release, atInstall, siteSchema, skipSchemaValidation, keepDrawn, ready } =
    definition;
  const own = definition.namespace === undefined ? collected.namespace : undefined;
  const { namespace = own?.name, createNamespace = own } = definition;
  return {
    name,
    kind,
    ...(version === undefined ? {} : { version }),
    ...(namespace === undefined ? {} : { namespace }),
    after: [...after],
    ...(timeout === undefined ? {} : { timeout }),
    entry,
    values: [...values],
    ...(chart ? { chart: chart.path } : {}),
    ...(release === name ? {} : { release }),
    ...(createNamespace === undefined ? {} : { createNamespace: namespaceOf(createNamespace) }),
    ...(atInstall || needsNode ? { render: 'install' } : {}),
    ...(siteSchema === undefined ? {} : { siteSchema: SITE_SCHEMA }),
    ...(skipSchemaValidation ? { skipSchemaValidation } : {}),
    ...(keepDrawn ? { keepDrawn } : {}),
    ...(ready.length === 0 ? {} : { ready: [...ready] }),
  };
}

function namespaceOf({
  labels,
}: NonNullable<ComponentDefinition['createNamespace']>): ComponentMetadata['createNamespace'] {
  return Object.keys(labels).length === 0 ? {} : { labels: { ...labels } };
}

function digestOf(layers: readonly Descriptor[], chart: Descriptor | undefined): Digest {
  const all = [...layers, ...(chart ? [chart] : [])];
  return sha256(encodeJson(all.map(({ digest, annotations: notes }) => [digest, notes])));
}
