import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import { imageArchiveFiles } from '../../../formats/oci/image-archive.ts';
import { sizePair } from '../../../formats/size-words.ts';
import { openChecked } from '../../kernel/content/index.ts';
import { byteMeter, type Flow, findTool, type Meter, SolpackError, unwritable } from '../../kernel/events/index.ts';
import { alone } from '../../kernel/files/index.ts';
import { freeSpaceFor, runProgram } from '../../kernel/machine/index.ts';
import { claimFor, unclaimed } from './claims.ts';
import type { ImageName, NodeImage, NodePlace, NodeStore, NodeWay, PutPlan } from './kind.ts';
import { digestName, keyOf, storeNames } from './names.ts';
import {
  claimsIn,
  makeStage,
  type PlaceRecord,
  releasedBy,
  rememberedThings,
  rememberThings,
  stageFor,
  type Thing,
  withClaimsOf,
} from './stage.ts';
import { DRIVER, isStored, storedAs, storedImages } from './storage-images.ts';

/**
 * A store of containers-storage that podman and CRI-O read beside their own: `additionalimagestores` of
 * storage.conf(5).
 */
export const storageWay: NodeWay = { way: 'containers-storage', at: storageStore };

/** Milliseconds that one image may take. */
const PATIENCE = 3_600_000;

function storageStore(at: NodePlace): NodeStore {
  const { place: folder } = at;
  return {
    at,
    name: `containers-storage:${folder}`,
    examine: async (images, flow) => {
      const lacking = lackingOf(images, await storedImages(folder));
      if (lacking.length > 0) await skopeoOf(flow);
      return roomFor(lacking, folder);
    },
    foreseePut: async (images) => planOf(images, await storedImages(folder)),
    put: (images, user, flow) => putAll(folder, images, user, flow),
    foreseeRetain: async ({ user, present, keep }) => {
      const record = await rememberedThings(await stageFor(folder));
      const claims = claimFor(claimsIn(record), user, new Set(present.map(keyOf)));
      const then = withClaimsOf(record, claims);
      return subjectsOf(leaving(releasedBy(then, user, keysOf(keep))));
    },
    retain: ({ user, keep }, flow) => retainAll(folder, user, keep, flow),
    lacks: async (images) => {
      const stored = await storedImages(folder);
      const missing = images.filter((image) => !isStored(image, stored));
      return new Map(missing.map((image) => [image, `the store ${folder} does not have it`]));
    },
  };
}

function lackingOf(images: readonly NodeImage[], stored: Awaited<ReturnType<typeof storedImages>>): NodeImage[] {
  const lacking = images.filter((image) => !isStored(image, stored));
  return [...new Map(lacking.map((image) => [keyOf(image), image])).values()];
}

function planOf(images: readonly NodeImage[], stored: Awaited<ReturnType<typeof storedImages>>): PutPlan {
  const lacking = lackingOf(images, stored);
  return {
    lacking: lacking.map((image) => ({ subject: image.reference, bytes: bytesOf(image) })),
    present: new Set(images.map(keyOf)).size - lacking.length,
    moved: [],
  };
}

function bytesOf({ contents }: NodeImage): number {
  return totalSize(contents);
}

/** What is stored is decompressed, and what one image is made of lies beside it meanwhile. */
function roomFor(lacking: readonly NodeImage[], folder: string): SolpackError[] {
  const sizes = lacking.map(bytesOf);
  const needed = sizes.reduce((sum, size) => sum + size, 0) + Math.max(0, ...sizes);
  const free = freeSpaceFor(folder);
  if (free === undefined || free >= needed) return [];
  const [room, more] = sizePair(free, needed);
  const message = `its disk has room for ${room}, but ${more} or more will be written`;
  return [new SolpackError('disk-full', folder, message, { hint: 'make room on that disk' })];
}

async function putAll(folder: string, images: readonly NodeImage[], user: string, flow: Flow): Promise<PutPlan> {
  const stage = await makeStage(folder);
  return alone(join(stage, 'lock'), async () => {
    const stored = await storedImages(folder);
    const plan = planOf(images, stored);
    const known = await rememberedThings(stage);
    await rememberThings(
      stage,
      withClaims(known, images, user, (image) => storedAs(image, stored) !== undefined),
    );
    const lacking = lackingOf(images, stored);
    const meter = byteMeter(
      flow,
      'place',
      lacking.reduce((sum, image) => sum + bytesOf(image), 0),
    );
    for (const [index, image] of lacking.entries()) {
      const place = { number: index + 1, of: lacking.length };
      flow.onEvent({ type: 'step', step: 'place', subject: image.reference, ...place });
      await store(folder, stage, image, meter, flow);
    }
    return plan;
  });
}

function withClaims(
  known: PlaceRecord,
  images: readonly NodeImage[],
  user: string,
  isThere: (image: ImageName) => boolean,
): PlaceRecord {
  const claimed = claimFor(claimsIn(known), user, new Set(images.map(keyOf)));
  const record = withClaimsOf(known, claimed);
  for (const image of images) {
    const { reference, digest } = image;
    const found = known.get(keyOf(image))?.found ?? isThere(image);
    record.set(keyOf(image), { reference, digest, for: claimed.get(keyOf(image))!, files: {}, found });
  }
  return record;
}

/**
 * Hands an image to skopeo as a layout, which needs no second copy of it, and has it stored under each of its names.
 */
async function store(folder: string, stage: string, image: NodeImage, meter: Meter, flow: Flow): Promise<void> {
  const layout = join(stage, 'layout');
  await fs.rm(layout, { recursive: true, force: true });
  try {
    const [first] = storeNames(image);
    for (const { path, content } of imageArchiveFiles([{ ...image, names: [first!] }])) {
      await fs.mkdir(dirname(join(layout, path)), { recursive: true });
      const bytes =
        content instanceof Uint8Array
          ? content
          : meter.count(openChecked({ descriptor: content, source: image.source }, flow.signal));
      await fs.writeFile(join(layout, path), bytes, { signal: flow.signal }).catch((error) => {
        throw unwritable(join(layout, path), error);
      });
    }
    for (const name of storeNames(image)) {
      await skopeo(flow, ['copy', '--quiet', `oci:${layout}:${first}`, `${placeOf(folder, stage)}${name}`]);
    }
  } finally {
    await fs.rm(layout, { recursive: true, force: true });
  }
}

/**
 * A store by its folder, as containers-transports(5) names one; what it keeps while it is used is in the stage. Its
 * folder is not mounted onto itself.
 */
function placeOf(folder: string, stage: string): string {
  return `containers-storage:[${DRIVER}@${folder}+${join(stage, 'run')}:${DRIVER}.skip_mount_home=true]`;
}

/** The keys of the images that stay; undefined where nobody says which. */
function keysOf(keep: readonly ImageName[] | undefined): ReadonlySet<string> | undefined {
  return keep && new Set(keep.map(keyOf));
}

function leaving(record: PlaceRecord): Thing[] {
  return unclaimed(claimsIn(record)).map((key) => record.get(key)!);
}

function subjectsOf(things: readonly Thing[]): string[] {
  return things.filter(({ found }) => !found).map(({ reference }) => reference);
}

async function retainAll(
  folder: string,
  user: string,
  keep: readonly ImageName[] | undefined,
  flow: Flow,
): Promise<string[]> {
  const found = await stageFor(folder);
  if (found === undefined || (await rememberedThings(found)).size === 0) return [];
  const stage = await makeStage(folder);
  return alone(join(stage, 'lock'), async () => {
    const record = releasedBy(await rememberedThings(stage), user, keysOf(keep));
    await rememberThings(stage, record);
    const gone = leaving(record);
    for (const thing of gone) {
      const { reference, digest } = thing as Thing & ImageName;
      record.delete(keyOf({ reference, digest }));
      // An image that others need too, under another name, stays with all of its names.
      const isNeeded = thing.found || [...record.values()].some((other) => other.digest === digest);
      if (isNeeded || storedAs({ digest }, await storedImages(folder)) === undefined) continue;
      await skopeo(flow, ['delete', `${placeOf(folder, stage)}${digestName({ reference, digest })}`]);
    }
    await rememberThings(stage, record);
    return subjectsOf(gone);
  });
}

function skopeoOf({ host }: Flow): Promise<string> {
  return findTool(host, 'skopeo', 'install skopeo, which writes stores for podman and CRI-O');
}

async function skopeo(flow: Flow, args: readonly string[]): Promise<void> {
  const { host, signal } = flow;
  const program = await skopeoOf(flow);
  const env = { PATH: host.path.join(':'), HOME: host.temp, TMPDIR: host.temp };
  const end = await runProgram(program, ['--insecure-policy', ...args], {
    ...{ cwd: host.temp, env, timeout: PATIENCE, limit: 1024 * 1024, signal, onLine: () => undefined },
  });
  if (end.code === 0) return;
  throw new SolpackError('tool-failed', `skopeo ${args[0]}`, end.last.at(-1) ?? 'ended without a message', {
    hint: 'check that this user may write the store, and that its file system supports overlays',
  });
}
