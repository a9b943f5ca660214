import { utf8 } from '../../../formats/bytes.ts';
import { algorithmOf, hexOf } from '../../../formats/digest.ts';
import { metalk8sPaths, viewName } from '../../../formats/metalk8s/names.ts';
import { encodeRegistryConfig, type ServedImage } from '../../../formats/metalk8s/registry-config.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import { type CarrierFile, knownFile } from './carrier-file.ts';
import type { Catalog, CatalogImage } from './catalog.ts';

/** What `skopeo copy dir:` writes beside each image. */
const VERSION = utf8('Directory Transport Version: 1.1\n');

/** What the view is made of. */
type Viewed = Pick<Catalog, 'metadata' | 'images'>;

/**
 * Lists the files that the importer of MetalK8s asks for beside those of components, where the root says that the
 * archive has them: each image in `images/<name>/<tag>/` as `skopeo copy dir:` writes it, and what makes nginx a
 * registry of these.
 */
export function metalk8sView({ metadata, images }: Viewed): CarrierFile[] {
  if (metadata.metalk8s !== true) return [];
  const named = imagesByName(images);
  const served = named.map(([folder, image]) => servedOf(folder, image));
  return [
    ...named.flatMap(([folder, image]) => imageFiles(folder, image)),
    knownFile(metalk8sPaths.registry, encodeRegistryConfig(served)),
  ];
}

/** Images by their folders, `<name>/<tag>`. Of several of one folder the first is there: `pack` refuses others. */
function imagesByName(images: readonly CatalogImage[]): [string, CatalogImage][] {
  const named = new Map<string, CatalogImage>();
  for (const image of images) {
    const view = viewName(parseReference(image.reference));
    const folder = view && `${view.name}/${view.tag}`;
    if (folder !== undefined && !named.has(folder)) named.set(folder, image);
  }
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1));
}

function imageFiles(folder: string, { descriptor, closure }: CatalogImage): CarrierFile[] {
  const at = (name: string): string => `${metalk8sPaths.images}/${folder}/${name}`;
  const children = closure.manifests.map((one) => one.descriptor).filter(({ digest }) => digest !== descriptor.digest);
  return [
    viewOfBlob(at('manifest.json'), descriptor),
    ...children.filter(isPlain).map((child) => viewOfBlob(at(`${hexOf(child.digest)}.manifest.json`), child)),
    ...closure.blobs.filter(isPlain).map((blob) => viewOfBlob(at(hexOf(blob.digest)), blob)),
    knownFile(at('version'), VERSION, VERSION_KEY),
  ];
}

/** All files of that content share one extent. */
const VERSION_KEY = 'metalk8s/version';

function servedOf(folder: string, { descriptor, closure }: CatalogImage): ServedImage {
  const slash = folder.indexOf('/');
  const others = closure.manifests.map((one) => one.descriptor).filter(({ digest }) => digest !== descriptor.digest);
  return {
    name: folder.slice(0, slash),
    tag: folder.slice(slash + 1),
    manifest: { digest: descriptor.digest, mediaType: descriptor.mediaType, file: 'manifest.json' },
    children: others.filter(isPlain).map(({ digest, mediaType }) => {
      return { digest, mediaType, file: `${hexOf(digest)}.manifest.json` };
    }),
  };
}

/** Whether content has a name in a folder of this form, which is that of its SHA-256. */
function isPlain({ digest }: Pick<Descriptor, 'digest'>): boolean {
  return algorithmOf(digest) === 'sha256';
}

function viewOfBlob(path: string, descriptor: Descriptor): CarrierFile {
  return { path, size: descriptor.size, mode: 0o644, key: descriptor.digest, content: { kind: 'blob', descriptor } };
}
