import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { verified } from '../../formats/digest.ts';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { imagesOf, mapImages } from '../../formats/manifest/images.ts';
import { withNamespace } from '../../formats/manifest/namespace.ts';
import { formatReference, parseReference } from '../../formats/oci/reference.ts';
import type { ComponentMetadata } from '../../formats/solution/metadata.ts';
import type { Archive } from '../archives/index.ts';
import { damaged } from '../archives/index.ts';
import type { RenderedComponent, RenderedSolution } from '../clusters/index.ts';
import { render as renderComponent } from '../components/index.ts';
import { type Flow, lend } from '../flow.ts';
import { temporaryFolder, unwritable, writeFile } from '../host.ts';
import { inside } from '../paths.ts';

/**
 * Renders all components of an archive, in their order. `pullNames` says by which name an image is pulled where that
 * is not its own. Throws what the component kinds throw.
 */
export async function renderSolution(
  archive: Archive,
  pullNames: ReadonlyMap<string, string>,
  flow: Flow,
): Promise<RenderedSolution> {
  const { name, version, components } = archive.catalog.metadata;
  const rendered = await lend(await temporaryFolder(flow.host), async ({ path }) => {
    const all: (RenderedComponent & { readonly namespace: string | undefined })[] = [];
    for (const component of components) {
      flow.onEvent({ type: 'step', step: 'render', subject: `${component.kind} ${component.name}` });
      const objects = await renderOne(archive, component, join(path, component.name), flow);
      tellForeign(archive, component.name, objects, flow);
      const pulled = mapImages(objects, (image) => pullNames.get(normal(image)) ?? image);
      all.push({ name: component.name, namespace: component.namespace, objects: pulled });
    }
    return all;
  });
  // Which kinds have a namespace may be said by a definition in another component.
  const known = rendered.flatMap(({ objects }) => objects);
  return {
    name,
    version,
    components: rendered.map(({ name: component, namespace, objects }) => ({
      name: component,
      objects: namespace === undefined ? objects : withNamespace(objects, namespace, known),
    })),
  };
}

async function renderOne(
  archive: Archive,
  component: ComponentMetadata,
  folder: string,
  flow: Flow,
): Promise<readonly KubernetesObject[]> {
  await unpack(archive, component.name, folder, flow);
  const { name, version } = archive.catalog.metadata;
  return renderComponent(
    component.kind,
    {
      name: component.name,
      folder,
      entry: component.entry,
      values: component.values,
      namespace: component.namespace,
      solution: { name, version },
    },
    flow,
  );
}

/** Writes a component's files below `folder`, checked against their digests as they are written. */
async function unpack(archive: Archive, name: string, folder: string, flow: Flow): Promise<void> {
  const prefix = `components/${name}/`;
  await fs.mkdir(folder, { recursive: true });
  for (const { path, descriptor, mode } of archive.catalog.files) {
    if (!path.startsWith(prefix)) continue;
    const full = inside(folder, path.slice(prefix.length));
    try {
      await fs.mkdir(dirname(full), { recursive: true });
      await writeFile(full, verified(archive.source.open(descriptor, flow.signal), descriptor), mode);
    } catch (error) {
      throw damaged(archive.path, unwritable(full, error));
    }
  }
}

/** Tells of images that objects use but the archive does not hold: without a network they cannot be pulled. */
function tellForeign(archive: Archive, component: string, objects: readonly KubernetesObject[], flow: Flow): void {
  const held = new Set(archive.catalog.images.map(({ reference }) => reference));
  for (const image of imagesOf(objects)) {
    if (held.has(normal(image))) continue;
    flow.onEvent({
      type: 'notice',
      subject: image,
      message: `is used by component ${component}, but is not in ${archive.path}`,
    });
  }
}

/** An image name with its registry spelled out; a name that is none stays as it is. */
function normal(image: string): string {
  try {
    return formatReference(parseReference(image));
  } catch {
    return image;
  }
}
