import { movedTo } from '../../../formats/manifest/relocate.ts';
import { instanceName } from '../../../formats/solution/environments.ts';
import type { SolutionMetadata } from '../../../formats/solution/metadata.ts';
import type { Archive } from '../../parts/archives/index.ts';
import { filesOfComponent } from './component-files.ts';
import type { Renderable } from './renderable.ts';

/** Makes an open archive something to render. Reading its files throws `archive-damaged`. */
export function renderableArchive(archive: Archive): Renderable {
  const { path, catalog } = archive;
  return {
    path,
    metadata: catalog.metadata,
    root: catalog.root.digest,
    images: catalog.images,
    installer: catalog.installer.map((file) => ({ path: file.path, digest: file.descriptor.digest })),
    files: (component, { signal }) => filesOfComponent(archive, component, signal),
  };
}

/** The label by which MetalK8s marks the namespaces of an environment. */
const ENVIRONMENT = 'solutions.metalk8s.scality.com/environment';

/**
 * Makes an open archive something to render into a namespace, whatever namespaces its author has for its components.
 */
export function movedArchive(archive: Archive, namespace: string): Renderable {
  const renderable = renderableArchive(archive);
  const { metadata } = renderable;
  const from = metadata.components.map((component) => component.namespace ?? 'default');
  const own = metadata.components.map(({ createNamespace }) => createNamespace?.labels);
  const labels: Readonly<Record<string, string>> = Object.assign({}, ...own, { [ENVIRONMENT]: namespace });
  const instance = instanceName(metadata.name, namespace);
  return { ...renderable, metadata: within(metadata, namespace), moved: { instance, namespace, from, labels } };
}

/** The namespace is brought with what is moved into it, and by no component. */
function within(metadata: SolutionMetadata, namespace: string): SolutionMetadata {
  const components = metadata.components.map(({ createNamespace: _, ready, ...component }) => ({
    ...component,
    namespace,
    ...(ready && { ready: ready.map((probe) => ({ ...probe, namespace: movedTo(namespace, probe.namespace) })) }),
  }));
  return { ...metadata, components };
}
