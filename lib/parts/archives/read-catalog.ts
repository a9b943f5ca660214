import { unitOrder } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { PartCount } from '../../../formats/json.ts';
import { annotations, type Descriptor, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { childrenOf, type Index, parseManifest } from '../../../formats/oci/manifest.ts';
import { parseMetadata, type SolutionMetadata, solutionTypes } from '../../../formats/solution/metadata.ts';
import { Budget, type ContentSource, type Fetched, Manifests } from '../../kernel/content/index.ts';
import { type Artifact, artifactOf, fileOf } from './artifact.ts';
import { attestationOf, attestedBy, countRepeated, isAttestation } from './attestations.ts';
import type { Catalog, CatalogFile, CatalogImage, CatalogReferrer } from './catalog.ts';
import { type ClosureFor, countClosure, referenceOf, sharedClosures } from './closures.ts';
import { createPlatformsOf, platformConfigs, readConfig } from './config.ts';
import { readInstaller } from './installer.ts';
import { authorPath, requireSafePaths } from './paths.ts';
import { isReferrer, readReferrers, referrersAmong } from './referrers.ts';

/**
 * Reads all manifests and the metadata that a root reaches, out of `source`; reads no layer. What that takes counts in
 * `budget`, before anybody knows who made the root. Throws `FormatError` `solution-invalid` where it is not a
 * Solution's root, `manifest-limit` where it is more than one can be, `SolpackError` where content is damaged or
 * missing.
 */
export async function readCatalog(
  rootBytes: Uint8Array,
  source: ContentSource,
  signal?: AbortSignal,
  budget: Budget = new Budget(),
): Promise<Catalog> {
  const index = parseRoot(rootBytes, budget.hold(rootBytes));
  const entries = index.manifests;
  await source.prefetch?.(entries);
  const reader = new Manifests(source, budget);
  const artifact = await only(entries, reader, signal);
  const metadata = await metadataOf(artifact, reader, signal);
  const charts = await Promise.all(entries.filter(isChart).map((entry) => chartOf(entry, reader, signal)));
  // Anybody may have attached to an image what has the type of an installer.
  const installer = await readInstaller(
    entries.filter((entry) => !isReferrer(entry)),
    reader,
    signal,
  );
  const closureFor = sharedClosures(reader, signal);
  const referrers = await readReferrers(entries, closureFor);
  const images = await imagesOf(
    entries.filter((entry) => entry.artifactType === undefined && !isReferrer(entry)),
    referrers,
    closureFor,
    reader,
    signal,
  );
  requireReferred(referrers, images);
  const attestations = artifact.value.layers.filter(isAttestation).map(attestationOf);
  countRepeated(attestations, budget);
  const attested = attestedBy(attestations, images);
  const closures = [...new Set([...images, ...referrers].map(({ closure }) => closure))];
  const manifests = unique([
    ...closures.flatMap((closure) => closure.manifests),
    ...charts.map((c) => c.manifest),
    ...(installer ? [installer.artifact] : []),
    artifact,
  ]);
  const own = [artifact, ...charts.map((chart) => chart.manifest), ...(installer ? [installer.artifact] : [])];
  const solutionBlobs = uniqueBlobs(own.flatMap(({ value }) => childrenOf(value)));
  const ownDigests = new Set(solutionBlobs.map(({ digest }) => digest));
  const isForeign = ({ digest }: Descriptor): boolean => !ownDigests.has(digest);
  const imageBlobs = uniqueBlobs(closures.flatMap((closure) => closure.blobs)).filter(isForeign);
  budget.contain(manifests.length + solutionBlobs.length + imageBlobs.length);
  // In the view for MetalK8s, each image has a file for each of its contents.
  if (metadata.metalk8s) for (const { closure } of images) budget.contain(2 + countClosure(closure));
  const plain = artifact.value.layers.filter((layer) => !isAttestation(layer)).map(authorFile);
  const programs = installer?.files ?? [];
  const views = [...plain, ...charts.map((chart) => chart.file), ...programs];
  requireSafePaths(views.map(({ path }) => path));
  requireDistinct(attestations.map(({ name }) => name));
  const files = [...views, ...attestations.map(({ path, descriptor }) => ({ path, descriptor, mode: 0o644 }))];
  requireDistinct(images.map(({ reference }) => reference));
  const root = { mediaType: mediaTypes.index, digest: sha256(rootBytes), size: rootBytes.length };
  return {
    root,
    rootBytes,
    index,
    metadata,
    images,
    referrers,
    attestations,
    attested,
    files,
    installer: programs,
    manifests,
    solutionBlobs,
    imageBlobs,
    contents: inOrderOfExtents({ manifests, solutionBlobs, imageBlobs, installer: programs }),
  };
}

/**
 * Contents in the order of their extents: what `inspect` reads lies together, manifests first, then configs. Then what
 * is read to render; programs are large.
 */
function inOrderOfExtents({
  manifests,
  solutionBlobs,
  imageBlobs,
  installer,
}: Pick<Catalog, 'manifests' | 'solutionBlobs' | 'imageBlobs' | 'installer'>): Descriptor[] {
  const inOrder = (list: readonly Descriptor[]): Descriptor[] =>
    [...list].sort((a, b) => unitOrder(a.digest, b.digest));
  const configs = new Set(manifests.flatMap(({ value }) => (value.kind === 'index' ? [] : [value.config.digest])));
  const isConfig = ({ digest }: Descriptor): boolean => configs.has(digest);
  const isOther = (blob: Descriptor): boolean => !isConfig(blob);
  const programs = new Set(installer.map(({ descriptor }) => descriptor.digest));
  const isProgram = ({ digest }: Descriptor): boolean => programs.has(digest);
  const files = solutionBlobs.filter(isOther);
  return [
    ...inOrder(manifests.map(({ descriptor }) => descriptor)),
    ...inOrder([...solutionBlobs, ...imageBlobs].filter(isConfig)),
    ...inOrder(files.filter((file) => !isProgram(file))),
    ...inOrder(files.filter(isProgram)),
    ...inOrder(imageBlobs.filter(isOther)),
  ];
}

function parseRoot(bytes: Uint8Array, counted: PartCount): Index {
  const index = parseManifest(bytes, mediaTypes.index, counted);
  if (index.kind !== 'index' || index.artifactType !== solutionTypes.solution) {
    throw new FormatError('solution-invalid', `its root is not of type ${solutionTypes.solution}`);
  }
  return index;
}

async function only(entries: readonly Descriptor[], reader: Manifests, signal?: AbortSignal): Promise<Artifact> {
  const [entry, ...more] = entries.filter((candidate) => candidate.artifactType === solutionTypes.solution);
  if (!entry || more.length > 0)
    throw new FormatError('solution-invalid', 'its root has to name one solution artifact');
  return artifactOf(entry, reader, signal);
}

async function metadataOf(
  { value }: Artifact,
  { source, budget }: Manifests,
  signal?: AbortSignal,
): Promise<SolutionMetadata> {
  const bytes = await readConfig(source, value.config, signal);
  budget.hold(bytes);
  return parseMetadata(bytes);
}

function isChart(entry: Descriptor): boolean {
  return entry.artifactType === mediaTypes.helmConfig;
}

async function chartOf(
  entry: Descriptor,
  reader: Manifests,
  signal?: AbortSignal,
): Promise<{ manifest: Artifact; file: CatalogFile }> {
  const manifest = await artifactOf(entry, reader, signal);
  const [layer] = manifest.value.layers;
  const path = entry.annotations?.[annotations.title];
  if (!layer || path === undefined)
    throw new FormatError('solution-invalid', `chart ${entry.digest} has no content or path`);
  return { manifest, file: { path: authorPath(path), descriptor: layer, mode: 0o644 } };
}

async function imagesOf(
  entries: readonly Descriptor[],
  referrers: readonly CatalogReferrer[],
  closureFor: ClosureFor,
  { source, budget }: Manifests,
  signal?: AbortSignal,
): Promise<CatalogImage[]> {
  const closed: Pick<CatalogImage, 'reference' | 'descriptor' | 'closure'>[] = [];
  for (const descriptor of entries) {
    closed.push({ reference: referenceOf(descriptor), descriptor, closure: await closureFor(descriptor) });
  }
  const closures = [...new Set(closed.map(({ closure }) => closure))];
  await source.prefetch?.(closures.flatMap(platformConfigs));
  const platformsOf = createPlatformsOf(source, budget, signal);
  const referrersTo = referrersAmong(referrers);
  const images: CatalogImage[] = [];
  for (const image of closed) {
    const about = referrersTo(image.closure);
    // What images share is stored once, and reported with each of them.
    for (const { closure } of [image, ...about]) budget.share(countClosure(closure));
    images.push({ ...image, platforms: await platformsOf(image.closure), referrers: about });
  }
  return images;
}

/** Refuses a referrer whose subject is not in the archive: it would be in no repository that serves the archive. */
function requireReferred(referrers: readonly CatalogReferrer[], images: readonly CatalogImage[]): void {
  const known = new Set(images.flatMap((image) => image.referrers));
  const lost = referrers.find((referrer) => !known.has(referrer));
  if (!lost) return;
  const message = `the referrer ${lost.descriptor.digest} is about ${lost.subject}, which is not in the archive`;
  throw new FormatError('solution-invalid', message);
}

function authorFile(layer: Descriptor): CatalogFile {
  const file = fileOf(layer);
  return { ...file, path: authorPath(file.path) };
}

function requireDistinct(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new FormatError('solution-invalid', `${name} is there twice`);
    seen.add(name);
  }
}

function unique(list: readonly Fetched[]): Fetched[] {
  return [...new Map(list.map((entry) => [entry.descriptor.digest, entry])).values()];
}

function uniqueBlobs(list: readonly Descriptor[]): Descriptor[] {
  return [...new Map(list.map((entry) => [entry.digest, entry])).values()];
}
