import { isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createZstdCompress } from 'node:zlib';
import { type Bytes, once, utf8 } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import { shortDigest } from '../../../formats/oci/image-archive.ts';
import { sizePair } from '../../../formats/size-words.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { freeSpaceFor } from '../../kernel/machine/index.ts';
import { type FolderForm, folderRules, type ImageFolderKind } from './folder-rules.ts';
import { type ImageTar, imageTar } from './image-tar.ts';
import type { ImageName, NodeImage, NodePlace, NodeStore, NodeWay, PutPlan, Retained } from './kind.ts';
import { digestName, fileStem, keyOf, taggedName } from './names.ts';
import {
  isIntact,
  lackingFiles,
  placeFiles,
  removeFiles,
  unneededFiles,
  type WantedFile,
  type WantedThing,
} from './placed-files.ts';
import { rememberedThings, stageFor } from './stage.ts';

/** A folder from which a distribution of Kubernetes imports images when they get there, and when it starts. */
export function folderWay(way: ImageFolderKind): NodeWay {
  return { way, at: (place) => folderStore(way, place) };
}

function folderStore(way: ImageFolderKind, at: NodePlace): NodeStore {
  const folder = at.place;
  const form = (at.form ?? 'tar') as FolderForm;
  const wanted = (images: readonly NodeImage[], user: string): WantedThing[] =>
    form === 'txt' ? listOf(images, user) : distinct(images).map((image) => thingOf(image, way, form));
  const plan = (lacking: WantedThing['files'], all: readonly WantedThing[]): PutPlan => ({
    lacking: lacking.map(({ name, size }) => ({ subject: join(folder, name), bytes: size })),
    present: all.flatMap(({ files }) => files).length - lacking.length,
    moved: [],
  });
  const paths = (names: readonly string[]): string[] => names.map((name) => join(folder, name));
  const keysOf = (images: readonly ImageName[], user: string): ReadonlySet<string> =>
    new Set(form === 'txt' ? listOf(images, user).map(({ key }) => key) : images.map(keyOf));
  const kept = ({ user, present, keep }: Retained): ReadonlySet<string> | undefined => {
    // A list is of all images of its time, so that the present one is all that is needed.
    if (form === 'txt') return keysOf(present, user);
    return keep && keysOf(keep, user);
  };
  return {
    at,
    name: `${way}:${folder}`,
    examine: async (images) => {
      const lacking = await lackingFiles(folder, wanted(images, ''));
      const needed = totalSize(lacking);
      const free = freeSpaceFor(folder);
      if (free === undefined || free >= needed) return [];
      const [room, more] = sizePair(free, needed);
      const message = `its disk has room for ${room}, but ${more} will be written`;
      return [new SolpackError('disk-full', folder, message, { hint: 'make room on that disk' })];
    },
    foreseePut: async (images, user) => {
      const all = wanted(images, user);
      return plan(await lackingFiles(folder, all), all);
    },
    put: async (images, user, flow) => {
      const all = wanted(images, user);
      return plan(await placeFiles(folder, all, user, flow), all);
    },
    foreseeRetain: async (retained) => {
      const { user, present } = retained;
      const then = { present: keysOf(present, user), keep: kept(retained) };
      return paths(await unneededFiles(folder, user, then));
    },
    retain: async (retained) => paths(await removeFiles(folder, retained.user, kept(retained))),
    lacks: (images) => lackingIn(folder, images),
  };
}

/** Images of one reference and digest are one, whoever brings them. */
function distinct(images: readonly NodeImage[]): NodeImage[] {
  return [...new Map(images.map((image) => [keyOf(image), image])).values()];
}

function thingOf(image: NodeImage, way: ImageFolderKind, form: Exclude<FolderForm, 'txt'>): WantedThing {
  const { reference, digest } = image;
  const stem = fileStem(image);
  const isBeside = folderRules[way].digestNames === 'beside';
  const names = isBeside ? [taggedName(image)] : [taggedName(image), digestName(image)];
  const whole = imageTar([{ image, names }]);
  const file = { name: `${stem}.${form}`, size: whole.size, bytes: form === 'tar' ? asItIs(whole) : zstd(whole) };
  if (!isBeside) return { key: keyOf(image), reference, digest, files: [file] };
  // It has to come behind the other one where names are sorted.
  const bare = imageTar([{ image, names: [digestName(image)], isBare: true }]);
  const beside = { name: `${stem}.z-digest.tar`, size: bare.size, bytes: asItIs(bare) };
  return { key: keyOf(image), reference, digest, files: [file, beside] };
}

function asItIs({ bytes }: ImageTar): WantedFile['bytes'] {
  return (signal, count) => count(bytes(signal));
}

/** Compresses with the default window, which is far below the 32 MiB that k3s allows itself. */
function zstd({ bytes }: ImageTar): WantedFile['bytes'] {
  return (signal, count) => pipeline(count(bytes(signal)), createZstdCompress(), () => undefined) as unknown as Bytes;
}

/** One list of all images, for a distribution that pulls them by its own registries, and pins them. */
function listOf(images: readonly ImageName[], user: string): WantedThing[] {
  if (images.length === 0) return [];
  const text = utf8(`${[...new Set(images.map(digestName))].sort().join('\n')}\n`);
  const digest = sha256(text);
  const name = `solpack-${user}-${shortDigest(digest)}.txt`;
  const bytes: WantedFile['bytes'] = (_, count) => count(once(text));
  return [{ key: `list ${digest}`, reference: `list of ${user}`, digest, files: [{ name, size: text.length, bytes }] }];
}

async function lackingIn(folder: string, images: readonly ImageName[]): Promise<ReadonlyMap<ImageName, string>> {
  const record = await rememberedThings(isAbsolute(folder) ? await stageFor(folder) : undefined);
  const missing = new Map<ImageName, string>();
  for (const image of images) {
    const thing = record.get(keyOf(image));
    const names = Object.keys(thing?.files ?? {});
    const intact = await Promise.all(names.map((name) => isIntact(folder, name, thing)));
    if (names.length === 0 || intact.includes(false)) missing.set(image, `${folder} does not have it`);
  }
  return missing;
}
