import { type Descriptor, totalSize } from '../../../../../formats/oci/descriptor.ts';
import { byteMeter, type Flow, pool } from '../../../../kernel/events/index.ts';
import type { Foreseen, ForeseenAction } from '../../../../kernel/plan/index.ts';
import type { Archive } from '../../../../parts/archives/index.ts';
import {
  openRegistries,
  type Registries,
  type RegistryOptions,
  type Repository,
  targetFor,
} from '../../../../parts/registries/index.ts';
import { namingMissingRepositories } from '../../../../shared/solutions/registries/index.ts';
import { contentsOf } from './contents.ts';
import { type ImageToPush, imagesToPush } from './images-to-push.ts';
import { type Found, lookUp } from './look-up.ts';
import { type BoundsOf, requireMovable } from './moved-tags.ts';
import type { MovedTag, Pushed } from './pushed.ts';
import { contentsToSend, sendAll, tagAll } from './send.ts';

export {
  /** Lists the blobs of an archive that `pushImages` hashes where it sends them. */
  pushedBlobs,
} from './contents.ts';
export {
  /** Finds what a push of the images of archives to the registry at `url` would fail by. */
  examinePush,
} from './examine.ts';
export type {
  /** A tag of a registry that named another manifest before. */
  MovedTag,
  /** What a push took. */
  Pushed,
} from './pushed.ts';

/** How many images a registry is asked for at once. */
const ASKED = 8;

/** What to push. */
export interface PushedArchives {
  readonly archives: readonly Archive[];
  /** How far each of them may go. */
  readonly bounds: BoundsOf;
}

/** What a push has to do, found out by asking the registry. */
interface PushDecision {
  readonly images: readonly ImageToPush[];
  readonly found: ReadonlyMap<ImageToPush, Found>;
  /** Images that the registry has, though perhaps under other names. */
  readonly there: readonly ImageToPush[];
  /** Images that it does not have as a whole. */
  readonly lacking: readonly ImageToPush[];
  readonly movedTags: readonly MovedTag[];
}

/**
 * Pushes the images of archives to the registry at `url`: first all blobs, each once, and then the manifests and tags
 * of one image after the other. Nothing is read of an image that the registry has already. Image names keep their
 * repository, below the path of `url`. Tags that stand for something else are reported, and moved unless `bounds` of an
 * archive say that they stay: then nothing is pushed. Throws `image-conflict`, `not-trusted`, `content-mismatch`, and
 * what the registry answers.
 */
export async function pushImages(
  request: PushedArchives,
  url: string,
  options: RegistryOptions,
  flow: Flow,
): Promise<Pushed> {
  return withDecision(request, url, options, flow, async ({ images, found, there, lacking, movedTags }, registries) => {
    const contents = images.flatMap(({ image }) => contentsOf(image));
    const { onBytes } = byteMeter(flow, 'load', totalSize(contents));
    await pool(there, { limit: ASKED, signal: flow.signal }, async (one, signal) => {
      await tagAll(registries.open(one.target), found.get(one)!.untagged, signal);
      onBytes(totalSize(contentsOf(one.image)));
    });
    const repositories = (): Repository[] => images.map(({ target }) => registries.open(target));
    const { moved, movedBytes } = await namingMissingRepositories(repositories, flow, () =>
      sendAll(lacking, { registries, onBytes }, flow),
    );
    return { moved, movedBytes, present: contents.length - moved, movedTags };
  });
}

/** Finds out what `pushImages` would send and name, and does nothing. Throws what that throws before it sends. */
export async function foreseePush(
  request: PushedArchives,
  url: string,
  options: RegistryOptions,
  flow: Flow,
): Promise<Foreseen<Pushed>> {
  return withDecision(request, url, options, flow, async ({ images, found, lacking, movedTags }, registries) => {
    const actions: ForeseenAction[] = [];
    const contents = images.flatMap(({ image }) => contentsOf(image));
    const asked = contentsToSend(lacking);
    for (const one of images) {
      const repository = registries.open(one.target);
      for (const { digest, size } of await lackedBy(repository, asked.get(one) ?? [], flow)) {
        actions.push({ subject: `${repository.name}@${digest}`, action: 'send', changes: [], bytes: size });
      }
      for (const { descriptor, tag } of found.get(one)!.untagged) {
        if (tag === undefined) continue;
        const subject = `${repository.name}:${tag}`;
        const from = movedTags.find((move) => move.tag === subject)?.from;
        const change = { path: 'digest', ...(from === undefined ? {} : { from }), to: descriptor.digest };
        actions.push({ subject, action: 'tag', changes: [change] });
      }
    }
    const sent = actions.filter(({ action }) => action === 'send');
    const movedBytes = sent.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    const present = contents.length - sent.length;
    const [first] = images;
    const free = first === undefined ? undefined : await registries.open(first.target).freeBytes(flow.signal);
    const room = movedBytes === 0 ? [] : [{ place: url, needed: movedBytes, free }];
    return { output: { moved: sent.length, movedBytes, present, movedTags }, actions, unchanged: present, room };
  });
}

/** Asks a registry what it has, and decides what has to be done. All images together: what they share is sent once. */
async function withDecision<T>(
  { archives, bounds }: PushedArchives,
  url: string,
  options: RegistryOptions,
  flow: Flow,
  work: (decision: PushDecision, registries: Registries) => Promise<T>,
): Promise<T> {
  const images = imagesToPush(archives, (reference) => targetFor(url, reference));
  const registries = openRegistries(options);
  try {
    const found = new Map<ImageToPush, Found>();
    await pool(images, { limit: ASKED, signal: flow.signal }, async (one, signal) => {
      found.set(one, await lookUp(registries.open(one.target), one, signal));
    });
    const movedTags = requireMovable(found, bounds, flow);
    const there = images.filter((one) => found.get(one)!.isWhole);
    const lacking = images.filter((one) => !found.get(one)!.isWhole);
    return await work({ images, found, there, lacking, movedTags }, registries);
  } finally {
    registries.close();
  }
}

/** Lists which of some contents a repository does not have, in their order. */
async function lackedBy(repository: Repository, contents: readonly Descriptor[], flow: Flow): Promise<Descriptor[]> {
  const lacked = new Set<Descriptor>();
  await pool(contents, { limit: ASKED, signal: flow.signal }, async (descriptor, signal) => {
    if (!(await repository.has(descriptor, signal))) lacked.add(descriptor);
  });
  return contents.filter((descriptor) => lacked.has(descriptor));
}
