import { CYCLONEDX, encodeBom, type ImageBom, type Property } from '../../../formats/cyclonedx/bom.ts';
import type { Digest } from '../../../formats/digest.ts';
import { packageKinds } from '../../../formats/packages/index.ts';
import { encodeSpdx } from '../../../formats/spdx/document.ts';
import { type Layered, readingChains, type SbomLayer } from './chains.ts';
import { componentsOf } from './components.ts';
import type { Files } from './files.ts';
import type { FileFinding } from './finding.ts';
import { type SbomLimits, sbomLimits } from './limits.ts';
import { UnreadList } from './unread.ts';

export type { SbomLayer } from './chains.ts';

/** An image for one platform. */
export interface SbomImage {
  /** Digest of its manifest. */
  readonly digest: Digest;
  /** Name in the document; the digest where it is absent. */
  readonly name?: string;
  /** From the lowest to the topmost. */
  readonly layers: readonly SbomLayer[];
}

/** Options of `sbomsOf`. */
export interface SbomOptions {
  /** Replaces some of `sbomLimits`. */
  readonly limits?: Partial<SbomLimits>;
}

/** An SBOM and its media type. */
export interface Sbom {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Encodes the same as SPDX 2.3. */
  readonly spdx: () => Uint8Array;
}

/**
 * Makes SBOMs of images, CycloneDX 1.6 as JSON, of what is installed in each: the packages in the databases that its
 * layers together contain. Layers are streamed, so memory does not grow with them; those that images have in common
 * from the lowest on are read once. The same image gives the same bytes, whatever the others. Returns a function that
 * makes the SBOM of one of `images`; each may be made once, and several at the same time.
 *
 * A document states where it is incomplete: each property `solpack:unread` names something that was not read because
 * its kind is not supported, because it is damaged, or because a limit was reached. That function throws only what the
 * sources of layers throw, and the reason of its signal.
 */
export function sbomsOf<I extends SbomImage>(
  images: readonly I[],
  { limits }: SbomOptions = {},
): (image: I, signal: AbortSignal) => Promise<Sbom> {
  const read = readingChains(images, { ...sbomLimits, ...limits });
  return async (image, signal) => documentOf(image, await read(image, signal));
}

function documentOf(image: SbomImage, layered: Layered): Sbom {
  const { below } = layered.layers;
  const unread = new UnreadList();
  for (const [at, why] of layered.unread) unread.note(`${at + 1} of ${image.layers.length}`, { what: 'layer', why });
  noteUnread(below, unread);
  const lines = unread.lines();
  const properties: Property[] = [
    { name: 'solpack:looked-for', value: packageKinds.map(({ name }) => name).join(', ') },
    ...lines.map((value) => ({ name: 'solpack:unread', value })),
  ];
  const bom: ImageBom = {
    digest: image.digest,
    name: image.name ?? image.digest,
    components: componentsOf(below),
    properties,
    incomplete: lines.length > 0,
  };
  return { bytes: encodeBom(bom), mediaType: CYCLONEDX, spdx: () => encodeSpdx(bom) };
}

/** The reason for listing a program that cannot belong to a package, because the image has no system packages. */
const SILENT = { what: 'program', why: 'does not say what it was built from' };

/**
 * Notes what files were reported as unread and, where the image has no system packages, its programs without any
 * information.
 */
function noteUnread(files: Files<FileFinding>, unread: UnreadList): void {
  let hasSystem = false;
  for (const [path, finding] of files.entries()) {
    if (finding.unread) unread.note(path, finding.unread);
    hasSystem ||= finding.packages?.some(({ type }) => type === 'deb' || type === 'apk') ?? false;
  }
  if (hasSystem) return;
  for (const [path, { silent }] of files.entries()) if (silent) unread.note(path, SILENT);
}
