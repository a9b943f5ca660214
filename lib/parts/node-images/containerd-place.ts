import { hexOf, sha256 } from '../../../formats/digest.ts';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import { sizePair } from '../../../formats/size-words.ts';
import { byteMeter, type Flow, faultsOf, SolpackError } from '../../kernel/events/index.ts';
import { freeSpaceFor } from '../../kernel/machine/index.ts';
import { type Claims, claimFor, release, unclaimed } from './claims.ts';
import { type ContainerdImage, type Ctr, ctrAt, PINNED } from './ctr.ts';
import { type ImageTar, imageTar } from './image-tar.ts';
import type { ImageName, NodeImage, NodePlace, NodeStore, NodeWay, PutPlan } from './kind.ts';
import { keyOf, storeNames } from './names.ts';

/**
 * The image store of containerd, at its socket: images are imported, and pinned, so that kubelet does not remove them.
 */
export const containerdWay: NodeWay = { way: 'containerd', at: containerdStore };

/** Of a name that was there before: what it was labelled with then. */
const FOUND = 'solpack.found';
/**
 * Before the name of a configuration; the value is the number of its set, and a mark of the name: whoever tags an image
 * copies its labels.
 */
const FOR = 'solpack.for.';

/** How the names begin that images have while they are imported. */
const PENDING = 'solpack.invalid/importing:';

/** What is in a store, by names. */
type Listed = ReadonlyMap<string, ContainerdImage>;

function containerdStore(at: NodePlace): NodeStore {
  const { place: address } = at;
  const look = async (flow: Flow): Promise<{ readonly ctr: Ctr; readonly listed: Listed }> => {
    const ctr = await ctrAt(address, flow);
    return { ctr, listed: new Map((await ctr.images()).map((image) => [image.name, image])) };
  };
  return {
    at,
    name: `containerd:${address}`,
    examine: async (images, flow) => {
      const faults: SolpackError[] = [];
      const unreachable = await faultsOf(async () => {
        const { ctr, listed } = await look(flow);
        faults.push(...roomFor(lackingOf(images, listed), await ctr.root()));
      });
      return [...unreachable, ...faults];
    },
    foreseePut: async (images, user, flow) => planOf(images, user, (await look(flow)).listed),
    put: async (images, user, flow) => {
      const { ctr, listed } = await look(flow);
      const claims = claimsFor(images, user, listed);
      const label = (names: readonly string[]): Promise<void> => labelAll(ctr, names, { user, listed, claims });
      await label(images.flatMap(storeNames).filter((name) => listed.has(name)));
      const lacking = lackingOf(images, listed);
      const tarOf = (image: NodeImage): ImageTar =>
        imageTar([{ image, names: [pendingName(image), ...storeNames(image)] }]);
      const meter = byteMeter(
        flow,
        'place',
        lacking.reduce((sum, image) => sum + tarOf(image).size, 0),
      );
      for (const [index, image] of lacking.entries()) {
        const place = { number: index + 1, of: lacking.length };
        flow.onEvent({ type: 'step', step: 'place', subject: image.reference, ...place });
        const { size, bytes } = tarOf(image);
        await ctr.importTar({ size, bytes: (signal) => meter.count(bytes(signal)) });
        await label(storeNames(image).filter((name) => !listed.has(name)));
        await ctr.remove(pendingName(image));
      }
      return planOf(images, user, listed);
    },
    foreseeRetain: async ({ user, present, keep }, flow) => {
      const { listed } = await look(flow);
      const then = claimFor(claimsIn(listed), user, new Set(present.flatMap(storeNames)));
      return namesLeaving(release(then, user, keep && new Set(keep.flatMap(storeNames))), listed).map(
        ({ name }) => name,
      );
    },
    retain: async ({ user, keep }, flow) => {
      const { ctr, listed } = await look(flow);
      const released = release(claimsIn(listed), user, keep && new Set(keep.flatMap(storeNames)));
      const gone = namesLeaving(released, listed);
      for (const [name, claims] of released) {
        if (claims[user] === undefined && listed.get(name)!.labels.has(FOR + user)) {
          await letGo(ctr, listed.get(name)!, user, Object.keys(claims).length === 0);
        }
      }
      await removeIds(ctr, gone, listed);
      for (const { name } of [...listed.values()].filter(isPending)) await ctr.remove(name);
      return gone.map(({ name }) => name);
    },
    lacks: async (images, flow) => {
      const { listed } = await look(flow);
      const missing = images.filter((image) => !hasAll(image, listed));
      return new Map(missing.map((image) => [image, `containerd at ${address} does not have it`]));
    },
  };
}

/**
 * Names an image until all of its names are labelled: a run that is ended in between leaves this name, by which the
 * next one knows that nobody else had put the others there.
 */
function pendingName({ digest }: ImageName): string {
  return `${PENDING}${hexOf(digest).slice(0, 64)}`;
}

function isPending({ name }: ContainerdImage): boolean {
  return name.startsWith(PENDING);
}

function hasAll(image: ImageName, listed: Listed): boolean {
  return storeNames(image).every((name) => listed.get(name)?.digest === image.digest);
}

function lackingOf(images: readonly NodeImage[], listed: Listed): NodeImage[] {
  const lacking = images.filter((image) => !hasAll(image, listed));
  return [...new Map(lacking.map((image) => [keyOf(image), image])).values()];
}

function planOf(images: readonly NodeImage[], user: string, listed: Listed): PutPlan {
  const lacking = lackingOf(images, listed);
  const labels = claimsFor(images, user, listed);
  const unlabelled = [...labels].filter(
    ([name, claims]) =>
      listed.has(name) &&
      !isLabelled(listed.get(name)!, claims, user) &&
      !lacking.some((one) => storeNames(one).includes(name)),
  );
  const moved = lacking.flatMap((image) =>
    storeNames(image).flatMap((tag) => {
      const from = listed.get(tag)?.digest;
      return from === undefined || from === image.digest ? [] : [{ tag, from, to: image.digest }];
    }),
  );
  return {
    lacking: [
      ...lacking.map((image) => ({ subject: image.reference, bytes: bytesOf(image) })),
      ...unlabelled.map(([name]) => ({ subject: name, bytes: 0 })),
    ],
    present: new Set(images.map(keyOf)).size - lacking.length,
    moved,
  };
}

function bytesOf({ contents }: NodeImage): number {
  return totalSize(contents);
}

function isLabelled({ name, labels }: ContainerdImage, claims: Claims, user: string): boolean {
  return labels.get(PINNED) === 'pinned' && labels.get(FOR + user) === `${claims[user]}-${markOf(name)}`;
}

function markOf(name: string): string {
  return hexOf(sha256(name)).slice(0, 8);
}

/** Returns whom each name is for once `images` are the present set of `user`. */
function claimsFor(images: readonly ImageName[], user: string, listed: Listed): ReadonlyMap<string, Claims> {
  const wanted = new Set(images.flatMap(storeNames));
  const all = claimFor(claimsIn(listed), user, wanted);
  return new Map([...all].filter(([name]) => wanted.has(name)));
}

function claimsIn(listed: Listed): ReadonlyMap<string, Claims> {
  const known = [...listed].map(([name, { labels }]) => {
    const own = [...labels].flatMap(([key, value]) => {
      const [number = '', mark] = value.split('-');
      const isOwn = key.startsWith(FOR) && mark === markOf(name) && /^[1-9][0-9]{0,8}$/.test(number);
      return isOwn ? [[key.slice(FOR.length), Number(number)] as const] : [];
    });
    return [name, Object.fromEntries(own)] as const;
  });
  return new Map(known.filter(([, claims]) => Object.keys(claims).length > 0));
}

/** Whom names are labelled for, beside what is in the store. */
interface Labelling {
  readonly user: string;
  readonly listed: Listed;
  readonly claims: ReadonlyMap<string, Claims>;
}

/**
 * Pins names, and labels them with whom they are for. What somebody else had put there is labelled with what it was
 * like.
 */
async function labelAll(ctr: Ctr, names: readonly string[], { user, listed, claims }: Labelling): Promise<void> {
  const pending = new Set([...listed.values()].filter(isPending).map(({ digest }) => digest));
  for (const name of new Set(names)) {
    const before = listed.get(name);
    const number = claims.get(name)![user]!;
    if (before !== undefined && isLabelled(before, claims.get(name)!, user)) continue;
    const isKnown = before !== undefined && claimsIn(new Map([[name, before]])).size > 0;
    const isForeign = before !== undefined && !isKnown && !pending.has(before.digest);
    const found = isForeign ? { [FOUND]: before.labels.get(PINNED) === 'pinned' ? 'pinned' : 'unpinned' } : {};
    await ctr.label(name, { [PINNED]: 'pinned', [FOR + user]: `${number}-${markOf(name)}`, ...found });
  }
}

/** Lists the names that are removed: nobody needs them, and nobody had them before. */
function namesLeaving(released: ReadonlyMap<string, Claims>, listed: Listed): ContainerdImage[] {
  const gone = unclaimed(released).flatMap((name) => listed.get(name) ?? []);
  return gone.filter(({ labels }) => !labels.has(FOUND));
}

/**
 * Takes a name from a user: the name goes where nobody else needs it, and becomes what it was where it was there
 * before.
 */
async function letGo(ctr: Ctr, { name, labels }: ContainerdImage, user: string, isLast: boolean): Promise<void> {
  const found = labels.get(FOUND);
  if (!isLast) return ctr.label(name, { [FOR + user]: '' });
  if (found === undefined) return ctr.remove(name);
  const pin = found === 'pinned' ? {} : { [PINNED]: '' };
  await ctr.label(name, { ...pin, [FOUND]: '', [FOR + user]: '' });
}

/**
 * Removes the names that the CRI has made of configs' digests for images, where no other name of such an image is left.
 */
async function removeIds(ctr: Ctr, gone: readonly ContainerdImage[], before: Listed): Promise<void> {
  const digests = new Set(gone.map(({ digest }) => digest));
  if (digests.size === 0) return;
  const names = new Set(gone.map(({ name }) => name));
  const left = [...before.values()].filter(({ name, digest }) => digests.has(digest) && !names.has(name));
  for (const digest of digests) {
    const own = left.filter((image) => image.digest === digest);
    if (own.every(({ name }) => name.startsWith('sha256:'))) for (const { name } of own) await ctr.remove(name);
  }
}

function roomFor(lacking: readonly NodeImage[], root: string | undefined): SolpackError[] {
  const needed = lacking.reduce((sum, image) => sum + bytesOf(image), 0);
  const free = root === undefined ? undefined : freeSpaceFor(root);
  if (free === undefined || free >= needed) return [];
  const [room, more] = sizePair(free, needed);
  const message = `its disk has room for ${room}, but up to ${more} will be imported`;
  return [new SolpackError('disk-full', root!, message, { hint: 'make room on that disk' })];
}
