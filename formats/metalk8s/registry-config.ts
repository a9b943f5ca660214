import { utf8 } from '../bytes.ts';
import type { Digest } from '../digest.ts';
import type { ViewName } from './names.ts';

/** A manifest that a registry made of files hands out. */
interface ServedManifest {
  readonly digest: Digest;
  readonly mediaType: string;
  /** The name of its file in the folder of the image. */
  readonly file: string;
}

/** An image in `images/<name>/<tag>/`, as the registry of MetalK8s is reported it. */
export interface ServedImage extends ViewName {
  readonly manifest: ServedManifest;
  /** The manifests that its index names, as far as they are there. */
  readonly children: readonly ServedManifest[];
}

/**
 * Writes `registry-config.inc.j2`: the part of nginx's configuration that makes a registry of the folder `images`, as
 * the importer of MetalK8s includes it. It fills in `repository`, which all names begin with, and `registry_root`, the
 * path of the folder.
 */
export function encodeRegistryConfig(images: readonly ServedImage[]): Uint8Array {
  const byName = Map.groupBy(images, ({ name }) => name);
  return utf8([...byName].map(([name, tagged]) => locationsOf(name, tagged)).join('\n'));
}

function locationsOf(name: string, images: readonly ServedImage[]): string {
  const base = `/v2/{{ repository }}/${name}`;
  const tags = images.map(({ tag }) => tag);
  const known = new Set<Digest>();
  const manifests = images.flatMap(({ tag, manifest, children }) => [
    manifestLocation(`${base}/manifests/${tag}`, `${name}/${tag}`, manifest),
    ...[manifest, ...children]
      .filter(({ digest }) => !known.has(digest) && known.add(digest))
      .map((one) => manifestLocation(`${base}/manifests/${one.digest}`, `${name}/${tag}`, one)),
  ]);
  return [
    `location = "${base}/tags/list" {
  types { }
  default_type "application/json";
  return 200 '${JSON.stringify({ name, tags })}';
}`,
    ...manifests,
    `location ~ "${base}/blobs/sha256:([a-f0-9]{64})$" {
  alias {{ registry_root }}/${name}/;
  try_files ${tags.map((tag) => `${tag}/$1`).join(' ')} =404;
}
`,
  ].join('\n');
}

function manifestLocation(path: string, folder: string, { digest, mediaType, file }: ServedManifest): string {
  return `location = "${path}" {
  alias {{ registry_root }}/${folder}/;
  types { }
  default_type "${mediaType}";
  add_header 'Docker-Content-Digest' '${digest}';
  try_files ${file} =404;
  error_page 404 @404_tag;
}`;
}
