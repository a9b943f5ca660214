import type { Digest } from '../../formats/digest.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';
import { parseReference, type Reference } from '../../formats/oci/reference.ts';
import type { Bounds } from '../../formats/trust/bounds.ts';
import type { Archive, CatalogImage } from '../archives/index.ts';
import { type Copied, copy, type Transfer } from '../copy.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, pool } from '../flow.ts';
import {
  openRegistries,
  type Registries,
  type RegistryOptions,
  type Repository,
  type RepositoryTarget,
  targetFor,
} from '../registries/index.ts';
import { untrusted } from '../solutions/untrusted.ts';
import { breachOfTag } from '../trust/index.ts';
import { contentsOf, type Loaded, type MovedTag } from './load.ts';

/** How many images a registry is asked for at once. */
const ASKED = 8;

interface Placed {
  readonly archive: Archive;
  readonly image: CatalogImage;
  readonly target: RepositoryTarget;
  readonly tag: string | undefined;
}

/**
 * Pushes the images of archives to the registry at `url`: first all blobs, each once, and then the manifests and tags of
 * one image after the other. Of an image that the registry has already nothing is read. Image names keep their repository,
 * below the path of `url`. Tags that stand for something else are told, and moved unless `bounds` of an archive say that
 * they stay: then nothing is pushed. Throws `image-conflict`, `not-trusted`, `content-mismatch`, and what the registry answers.
 */
export async function pushImages(
  archives: readonly Archive[],
  url: string,
  options: RegistryOptions,
  flow: Flow,
  bounds: (archive: Archive) => Bounds | undefined = () => undefined,
): Promise<Loaded> {
  const placed = place(archives, (reference) => targetFor(url, reference));
  const contents = placed.flatMap(({ image }) => uniqueOf(image));
  const total = contents.reduce(size, 0);
  let done = 0;
  const onBytes = (more: number): void => {
    done += more;
    flow.onEvent({ type: 'progress', step: 'load', done, total });
  };
  // Together, so that what images share is sent once, and mounted wherever else it belongs.
  const registries = openRegistries(options);
  try {
    const found = new Map<Placed, Found>();
    const asking = { limit: ASKED, signal: flow.signal };
    await pool(placed, asking, async (one, signal) => {
      found.set(one, await lookUp(registries.open(one.target), one, signal));
    });
    const movedTags = settleMoves(found, bounds, flow);
    const there = placed.filter((one) => found.get(one)!.isWhole);
    await pool(there, asking, async (one, signal) => {
      await tagAll(registries.open(one.target), found.get(one)!.untagged, signal);
      onBytes(uniqueOf(one.image).reduce(size, 0));
    });
    const lacking = placed.filter((one) => !found.get(one)!.isWhole);
    const copied = await pushAll(lacking, { registries, onBytes }, flow);
    const moved = copied.reduce((sum, each) => sum + each.moved, 0);
    const movedBytes = copied.reduce((sum, each) => sum + each.movedBytes, 0);
    return { moved, movedBytes, present: contents.length - moved, movedTags };
  } finally {
    registries.close();
  }
}

/** Where things are pushed to. */
interface Way {
  readonly registries: Registries;
  readonly onBytes: (count: number) => void;
}

/** Pushes each blob to the first of the images that have it, and then what else an image consists of. */
async function pushAll(placed: readonly Placed[], { registries, onBytes }: Way, flow: Flow): Promise<Copied[]> {
  const firsts = new Map<Digest, { readonly one: Placed; readonly descriptor: Descriptor }>();
  for (const one of placed) {
    for (const descriptor of blobsOf(one.image)) {
      if (!firsts.has(descriptor.digest)) firsts.set(descriptor.digest, { one, descriptor });
    }
  }
  const told = new Set<Placed>();
  const tell = (one: Placed): void => {
    if (!told.has(one)) flow.onEvent({ type: 'step', step: 'load', subject: one.image.reference });
    told.add(one);
  };
  const copied: Copied[] = [];
  await pool(firsts.values(), { signal: flow.signal }, async ({ one, descriptor }, signal) => {
    tell(one);
    const { source } = one.archive;
    copied.push(await copy([[{ descriptor, source }]], registries.open(one.target), { signal, onBytes }));
  });
  for (const one of placed) {
    tell(one);
    const { source } = one.archive;
    const groups = contentsOf(one.image).map((group) => {
      const left = group.filter(({ digest }) => firsts.get(digest)?.one !== one);
      return left.map((descriptor): Transfer => ({ descriptor, source }));
    });
    const repository = registries.open(one.target);
    copied.push(await copy(groups, repository, { signal: flow.signal, onBytes }));
    await tagAll(repository, topsOf(one), flow.signal);
  }
  return copied;
}

/** The blobs of an archive that `pushImages` hashes where it sends them. */
export function pushedBlobs({ catalog: { images } }: Archive): ReadonlySet<Digest> {
  return new Set(images.flatMap((image) => blobsOf(image)).map(({ digest }) => digest));
}

/** A manifest that nothing else of its image names, and the tag that it has. */
interface Top {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
  readonly tag: string | undefined;
}

/** The manifest of an image, and of each thing that refers to it. */
function topsOf({ image, tag }: Placed): Top[] {
  return [{ ...image, tag }, ...image.referrers].map((one) => ({
    descriptor: one.descriptor,
    bytes: topManifest(one),
    tag: one.tag,
  }));
}

/** What a registry has of an image before anything is pushed. */
interface Found {
  /** Whether it has all of the image, and of what refers to it. */
  readonly isWhole: boolean;
  /** What it does not have under its tag. */
  readonly untagged: readonly Top[];
  /** Tags that stand for something else. */
  readonly moves: readonly MovedTag[];
}

/**
 * Asks a registry what it has of an image. It takes a manifest only where all that it names is there (distribution-spec
 * "Pushing Manifests"), so that nothing below has to be asked for.
 */
async function lookUp(repository: Repository, one: Placed, signal: AbortSignal): Promise<Found> {
  const untagged: Top[] = [];
  const moves: MovedTag[] = [];
  let isWhole = true;
  for (const top of topsOf(one)) {
    const { tag, descriptor } = top;
    const from = tag === undefined ? undefined : await repository.tagged(tag, signal);
    if (from === descriptor.digest) continue;
    if (from !== undefined) moves.push({ tag: `${repository.name}:${tag}`, from, to: descriptor.digest });
    isWhole &&= await repository.has(descriptor, signal);
    untagged.push(top);
  }
  return { isWhole, untagged, moves };
}

/** The tags that will be moved, each once, which is told of each. Throws `not-trusted` with all that may not be. */
function settleMoves(
  found: ReadonlyMap<Placed, Found>,
  bounds: (archive: Archive) => Bounds | undefined,
  flow: Flow,
): MovedTag[] {
  const all = [...found].flatMap(([{ archive }, { moves }]) => moves.map((move) => ({ archive, ...move })));
  const kept = all.filter(({ archive }) => bounds(archive)?.moveTags === false);
  if (kept.length > 0) {
    const paths = new Set(kept.map(({ archive }) => archive.path));
    throw untrusted(
      [...paths].join(', '),
      kept.map(({ tag, from, to }) => breachOfTag(tag, from, to)),
    );
  }
  const moves = new Map(all.map(({ tag, from, to }) => [tag, { tag, from, to }]));
  for (const { tag, from, to } of moves.values()) {
    flow.onEvent({ type: 'notice', subject: tag, message: `stood for ${from}, and is moved to ${to}` });
  }
  return [...moves.values()];
}

async function tagAll(repository: Repository, tops: readonly Top[], signal: AbortSignal): Promise<void> {
  for (const { descriptor, bytes, tag } of tops) {
    if (tag !== undefined) await repository.tag(descriptor, bytes, tag, signal);
  }
}

/** Every image with its place in the registry; two images must not claim one place. */
function place(archives: readonly Archive[], targetOf: (reference: Reference) => RepositoryTarget): Placed[] {
  const claimed = new Map<string, CatalogImage>();
  return archives.flatMap((archive) =>
    archive.catalog.images.map((image) => {
      const reference = parseReference(image.reference);
      const target = targetOf(reference);
      const name = `${target.repository}:${reference.tag ?? image.descriptor.digest}`;
      const other = claimed.get(name);
      if (other && other.descriptor.digest !== image.descriptor.digest) {
        throw new SolpackError(
          'image-conflict',
          name,
          `is claimed by ${other.reference} and by ${image.reference}, which differ`,
          {
            hint: 'push them to different registries, or rename one of them',
          },
        );
      }
      claimed.set(name, image);
      return { archive, image, target, tag: reference.tag };
    }),
  );
}

function blobsOf({ closure, referrers }: CatalogImage): Descriptor[] {
  return [closure, ...referrers.map((referrer) => referrer.closure)].flatMap(({ blobs }) => blobs);
}

/** What an image consists of, and what refers to it, each digest once. */
function uniqueOf(image: CatalogImage): Descriptor[] {
  return [
    ...new Map(
      contentsOf(image)
        .flat()
        .map((descriptor) => [descriptor.digest, descriptor]),
    ).values(),
  ];
}

function topManifest({ descriptor, closure }: Pick<CatalogImage, 'descriptor' | 'closure'>): Uint8Array {
  return closure.manifests.find((manifest) => manifest.descriptor.digest === descriptor.digest)!.bytes;
}

function size(sum: number, descriptor: Descriptor): number {
  return sum + descriptor.size;
}
