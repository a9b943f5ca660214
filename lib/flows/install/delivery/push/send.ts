import type { Digest } from '../../../../../formats/digest.ts';
import type { Descriptor } from '../../../../../formats/oci/descriptor.ts';
import { type Copied, copy, type Transfer } from '../../../../kernel/content/index.ts';
import { type Flow, pool } from '../../../../kernel/events/index.ts';
import type { Registries, Repository } from '../../../../parts/registries/index.ts';
import { imageGroups } from '../../../../shared/solutions/registries/index.ts';
import { blobsOf, contentsOf } from './contents.ts';
import type { ImageToPush, TopManifest } from './images-to-push.ts';

/** Where images are sent, and who gets their bytes. */
interface Way {
  readonly registries: Registries;
  readonly onBytes: (count: number) => void;
}

/** Sends each blob to the first of the images that have it, and then what else each image consists of, and its tags. */
export async function sendAll(
  images: readonly ImageToPush[],
  { registries, onBytes }: Way,
  flow: Flow,
): Promise<Pick<Copied, 'moved' | 'movedBytes'>> {
  const firsts = firstsOf(images);
  const reported = new Set<ImageToPush>();
  const tell = (one: ImageToPush): void => {
    if (reported.has(one)) return;
    reported.add(one);
    const place = { number: reported.size, of: images.length };
    flow.onEvent({ type: 'step', step: 'load', subject: one.image.reference, ...place });
  };
  const copied: Copied[] = [];
  await pool(firsts.values(), { signal: flow.signal }, async ({ one, descriptor }, signal) => {
    tell(one);
    const { source } = one.archive;
    copied.push(await copy([[{ descriptor, source }]], registries.open(one.target), { signal, onBytes }));
  });
  for (const one of images) {
    tell(one);
    const { source } = one.archive;
    const groups = imageGroups(one.image).map((group) => {
      const left = group.filter(({ digest }) => firsts.get(digest)?.one !== one);
      return left.map((descriptor): Transfer => ({ descriptor, source }));
    });
    const repository = registries.open(one.target);
    copied.push(await copy(groups, repository, { signal: flow.signal, onBytes }));
    await tagAll(repository, one.tops, flow.signal);
  }
  const sum = (part: 'moved' | 'movedBytes'): number => copied.reduce((total, each) => total + each[part], 0);
  return { moved: sum('moved'), movedBytes: sum('movedBytes') };
}

/** Gives manifests the tags that they are known by. */
export async function tagAll(repository: Repository, tops: readonly TopManifest[], signal: AbortSignal): Promise<void> {
  for (const { descriptor, bytes, tag } of tops) {
    if (tag !== undefined) await repository.tag(descriptor, bytes, tag, signal);
  }
}

/** Lists what `sendAll` asks for, and sends where it is not there, by image: a blob goes to the first that has it. */
export function contentsToSend(images: readonly ImageToPush[]): ReadonlyMap<ImageToPush, readonly Descriptor[]> {
  const firsts = firstsOf(images);
  return new Map(
    images.map((one) => [one, contentsOf(one.image).filter(({ digest }) => (firsts.get(digest)?.one ?? one) === one)]),
  );
}

/** A blob, and the first image that has it. */
interface FirstHolder {
  readonly one: ImageToPush;
  readonly descriptor: Descriptor;
}

function firstsOf(images: readonly ImageToPush[]): ReadonlyMap<Digest, FirstHolder> {
  const firsts = new Map<Digest, FirstHolder>();
  for (const one of images) {
    for (const descriptor of blobsOf(one.image)) {
      if (!firsts.has(descriptor.digest)) firsts.set(descriptor.digest, { one, descriptor });
    }
  }
  return firsts;
}
