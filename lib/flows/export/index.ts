import type { Digest } from '../../../formats/digest.ts';
import { type Platform, platformName } from '../../../formats/oci/descriptor.ts';
import { dockerManifestFile } from '../../../formats/oci/image-archive.ts';
import { normalPlatformName, parsePlatform } from '../../../formats/oci/platform.ts';
import { localPaths } from '../../kernel/content/index.ts';
import { byteMeter, type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { requireNoInput, writeFile } from '../../kernel/files/index.ts';
import { requireFits } from '../../kernel/machine/index.ts';
import {
  type Archive,
  type CatalogImage,
  type PlacedManifest,
  placedManifests,
  platformIn,
  platformMatcher,
  readConfig,
} from '../../parts/archives/index.ts';
import { type ImageTar, imageTar, type NodeImage, storeNames, type TarImage } from '../../parts/node-images/index.ts';
import { nodeImagesOf } from '../../shared/solutions/clusters/index.ts';
import { type ArchivePlace, openMedium } from '../../shared/solutions/media/index.ts';
import { chooseImages } from './choose-images.ts';

/** The forms in which images are exported. */
export const exportForms = ['oci-archive', 'docker-archive'] as const;

/** One of them: with all platforms, or with one and as `docker load` takes it. */
export type ExportForm = (typeof exportForms)[number];

/** Which images to write, and where. */
export interface ExportRequest {
  readonly archive: ArchivePlace;
  /** References or digests; none is all images. */
  readonly images: readonly string[];
  /** An absolute path. */
  readonly output: string;
  readonly form: ExportForm;
  /**
   * The platform for `docker-archive`: an architecture as Go names it, `arm/v7`, or `linux/arm/v7` as `inspect` prints
   * it.
   */
  readonly architecture: string;
}

/** An image that was written. */
export interface ExportedImage {
  readonly reference: string;
  /** Of what was written: in a docker-archive, of the manifest of one platform. */
  readonly digest: Digest;
}

/** What was written. */
export interface Exported {
  readonly path: string;
  readonly form: ExportForm;
  /** Of the file. */
  readonly bytes: number;
  readonly images: readonly ExportedImage[];
}

/**
 * Writes images of an archive into one tar file, which podman, skopeo, ctr, or docker load. The same images make the
 * same bytes. Contents are checked while they are copied; `verify` decides whom to trust. Throws `image-absent`,
 * `image-unsupported`, `usage-invalid` where the output is the archive, and what opening and writing throw.
 */
export async function exportImages(request: ExportRequest, flow: Flow): Promise<Exported> {
  await requireNoInput(request.output, localPaths([request.archive]));
  return lend(await openMedium(request.archive, flow), async (archive) => {
    const chosen = chooseImages(archive.catalog.images, request.images, archive.path);
    if (chosen.length === 0)
      throw new SolpackError('image-absent', archive.path, 'holds no image', { hint: 'name another archive' });
    const { tar, images } = await tarOf(chosen, archive, request, flow.signal);
    flow.onEvent({ type: 'step', step: 'export', subject: request.output });
    await requireFits(request.output, tar.size);
    await writeFile(request.output, byteMeter(flow, 'export', tar.size).count(tar.bytes(flow.signal)));
    return { path: request.output, form: request.form, bytes: tar.size, images };
  });
}

async function tarOf(
  chosen: readonly CatalogImage[],
  archive: Archive,
  { form, architecture }: Pick<ExportRequest, 'form' | 'architecture'>,
  signal: AbortSignal,
): Promise<{ readonly tar: ImageTar; readonly images: readonly ExportedImage[] }> {
  const whole = nodeImagesOf([{ source: archive.source, catalog: { ...archive.catalog, images: chosen } }]);
  if (form === 'oci-archive') return { tar: imageTar(whole.map(named)), images: whole.map(exported) };
  const manifests = await Promise.all(chosen.map((image) => platformManifest(image, archive, architecture, signal)));
  const parts = whole.map((image, index) => partOf(image, manifests[index]!));
  const listed = parts.map((image, index) => ({ names: tagsOf(image), manifest: manifests[index]!.value }));
  return { tar: imageTar(parts.map(named), dockerManifestFile(listed)), images: parts.map(exported) };
}

function exported({ reference, digest }: NodeImage): ExportedImage {
  return { reference, digest };
}

/** An image has one name in an archive: its tag, or else its digest. */
function named(image: NodeImage): TarImage {
  return { image, names: storeNames(image).slice(0, 1) };
}

/** Docker knows no names with digests here. */
function tagsOf(image: NodeImage): readonly string[] {
  return storeNames(image).filter((name) => !name.includes('@'));
}

type PlatformManifest = PlacedManifest['fetched'];

/** Finds the manifest of an image that is for one platform. Throws `image-unsupported`. */
async function platformManifest(
  { reference, closure, platforms }: CatalogImage,
  { source }: Archive,
  architecture: string,
  signal: AbortSignal,
): Promise<PlatformManifest> {
  const placed = await placedManifests(closure, async (config) => platformIn(await readConfig(source, config, signal)));
  const wanted = platformAsked(architecture);
  const named = normalPlatformName(wanted);
  const fits = (test: (platform: Platform) => boolean): PlatformManifest | undefined =>
    placed.find((one) => one.platforms.some(test))?.fetched;
  const found =
    fits((platform) => normalPlatformName(platform) === named) ??
    // Without a variant, any will do where the usual one is not there.
    (wanted.variant === undefined ? fits(platformMatcher([platformName(wanted)])) : undefined) ??
    (platforms.length === 0 && placed.length === 1 ? placed[0]?.fetched : undefined);
  if (found) return found;
  const there = platforms.length === 0 ? '' : `, only for ${platforms.join(', ')}`;
  throw new SolpackError(
    'image-unsupported',
    reference,
    `the archive does not hold it for ${platformName(wanted)}${there}`,
    { hint: 'name another platform by --arch, or write an oci-archive, which has all of them' },
  );
}

/** Reads what `--arch` names: `arm64`, `arm/v7`, or `linux/arm/v7`. */
function platformAsked(name: string): Platform {
  const parts = name.split('/');
  const isWhole = parts.length > 2 || (parts.length === 2 && !/^v?\d/.test(parts[1]!));
  return parsePlatform(isWhole ? name : `linux/${name}`);
}

function partOf(image: NodeImage, { descriptor, value }: PlatformManifest): NodeImage {
  const { config, layers } = value;
  const { mediaType, digest, size } = descriptor;
  const blobs = new Map([config, ...layers].map((blob) => [blob.digest, blob]));
  const own = { mediaType, digest, size };
  return { ...image, digest, descriptor: own, contents: [...blobs.values(), own] };
}
