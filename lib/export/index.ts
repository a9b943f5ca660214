import type { Digest } from '../../formats/digest.ts';
import { dockerManifestFile, manifestFor } from '../../formats/oci/image-archive.ts';
import type { Manifest } from '../../formats/oci/manifest.ts';
import type { CatalogImage } from '../archives/catalog.ts';
import type { Archive } from '../archives/open.ts';
import type { Fetched } from '../closure.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import { type ImageTar, imageTar, type NodeImage, storeNames, type TarImage } from '../node-images/index.ts';
import { writeFile } from '../pending-file.ts';
import type { ArchivePlace } from '../solutions/media/index.ts';
import { nodeImagesOf } from '../solutions/node-images.ts';
import { openMedium } from '../solutions/open-medium.ts';
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
  /** The architecture for `docker-archive`, as Go names it: `amd64`, `arm64`. */
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
 * Writes images of an archive into one tar file, which podman, skopeo, ctr, or docker load. The same images make the same
 * bytes. Contents are checked on the way; whom to trust is for `verify`. Throws `image-absent`, `image-unsupported`, and what opening and
 * writing throw.
 */
export async function exportImages(request: ExportRequest, flow: Flow): Promise<Exported> {
  return lend(await openMedium(request.archive, flow), async (archive) => {
    const chosen = chooseImages(archive.catalog.images, request.images, archive.path);
    if (chosen.length === 0)
      throw new SolpackError('image-absent', archive.path, 'holds no image', { hint: 'name another archive' });
    const { tar, images } = tarOf(chosen, archive, request);
    flow.onEvent({ type: 'step', step: 'export', subject: request.output });
    await writeFile(request.output, tar.bytes(flow.signal));
    return { path: request.output, form: request.form, bytes: tar.size, images };
  });
}

function tarOf(
  chosen: readonly CatalogImage[],
  archive: Archive,
  { form, architecture }: Pick<ExportRequest, 'form' | 'architecture'>,
): { readonly tar: ImageTar; readonly images: readonly ExportedImage[] } {
  const whole = nodeImagesOf([{ source: archive.source, catalog: { ...archive.catalog, images: chosen } }]);
  if (form === 'oci-archive') return { tar: imageTar(whole.map(named)), images: whole.map(exported) };
  const manifests = chosen.map((image) => platformManifest(image, architecture));
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

type PlatformManifest = Fetched & { readonly value: Manifest };

/** Finds the manifest of an image that is for one platform. Throws `image-unsupported`. */
function platformManifest(
  { reference, descriptor, closure: { manifests } }: CatalogImage,
  architecture: string,
): PlatformManifest {
  const of = (digest: Digest | undefined): Fetched | undefined =>
    manifests.find((manifest) => manifest.descriptor.digest === digest);
  const top = of(descriptor.digest);
  const found = top?.value.kind === 'index' ? of(manifestFor(top.value, architecture)) : top;
  if (found?.value.kind === 'manifest') return { ...found, value: found.value };
  throw new SolpackError('image-unsupported', reference, `the archive does not hold it for linux/${architecture}`, {
    hint: 'name another architecture by --arch, or write an oci-archive, which has all of them',
  });
}

function partOf(image: NodeImage, { descriptor, value }: PlatformManifest): NodeImage {
  const { config, layers } = value;
  const { mediaType, digest, size } = descriptor;
  const blobs = new Map([config, ...layers].map((blob) => [blob.digest, blob]));
  const own = { mediaType, digest, size };
  return { ...image, digest, descriptor: own, contents: [...blobs.values(), own] };
}
