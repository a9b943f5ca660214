import { nearest } from '../../../formats/document/suggest.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { containerd } from './containerd.ts';
import { dir } from './dir.ts';
import { dockerArchive } from './docker-archive.ts';
import { dockerDaemon } from './docker-daemon.ts';
import type { ImageSourceContext, ImageSourceKind, OpenedImage } from './kind.ts';
import { oci } from './oci.ts';
import { ociArchive } from './oci-archive.ts';
import { registry } from './registry.ts';
import { solpack } from './solpack.ts';

export type { ArchiveImage, ArchiveImages, Daemons, ImageSourceContext, ImageSourceKind, OpenedImage } from './kind.ts';
export { type ImageFiles, imagesInArchive, imagesInFolder } from './names-in-files.ts';

/** Every kind of image source, by its transport. */
export const imageSourceKinds: readonly ImageSourceKind[] = [
  registry,
  oci,
  ociArchive,
  dockerArchive,
  dir,
  solpack,
  containerd,
  dockerDaemon,
];

/**
 * Opens the image source `spec` (`transport:location`, as in containers-transports(5)). The caller closes it. Throws
 * `source-invalid` for an unknown transport or an unreadable source, `file-missing`, and what `context.connect` throws.
 */
export async function openImageSource(spec: string, context: ImageSourceContext): Promise<OpenedImage> {
  const colon = spec.indexOf(':');
  const transport = spec.slice(0, Math.max(0, colon));
  const kind = imageSourceKinds.find((candidate) => candidate.transport === transport);
  if (kind) return kind.open(spec.slice(colon + 1), context);
  throw new SolpackError('source-invalid', spec, 'does not begin with a known transport', {
    hint: hintFor(spec, transport),
  });
}

function hintFor(spec: string, transport: string): string {
  const known = imageSourceKinds.map((candidate) => candidate.transport);
  const list = known.map((name) => (name === 'docker' ? 'docker://' : `${name}:`)).join(', ');
  // What precedes the colon in nginx:1.27, or in a path of Windows, is no misspelled transport.
  const near = /^[a-z][a-z-]+$/.test(transport) ? nearest(transport, known) : undefined;
  if (near) return `did you mean ${near}:? The transports are ${list}`;
  const folder = `write oci:${spec} for a folder in OCI form; the transports are ${list}`;
  return isReference(spec) ? `write docker://${spec} for an image in a registry, or ${folder.slice(6)}` : folder;
}

function isReference(spec: string): boolean {
  try {
    return parseReference(spec) !== undefined;
  } catch {
    return false;
  }
}
