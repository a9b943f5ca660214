import type { Archive } from '../archives/open.ts';
import type { Renderable } from './renderable.ts';
import { unpack } from './unpack.ts';

/** Makes an open archive something to render. Unpacking throws `archive-damaged`. */
export function renderableArchive(archive: Archive): Renderable {
  const { path, catalog } = archive;
  return {
    path,
    metadata: catalog.metadata,
    root: catalog.root.digest,
    images: catalog.images,
    installer: catalog.installer.map((file) => ({ path: file.path, digest: file.descriptor.digest })),
    unpack: (component, folder, flow) => unpack(archive, component, folder, flow),
  };
}
