import type { Digest } from '../../../../../formats/digest.ts';
import { type Descriptor, totalSize } from '../../../../../formats/oci/descriptor.ts';
import { sizePair } from '../../../../../formats/size-words.ts';
import { type Flow, faultsOf, pool, SolpackError } from '../../../../kernel/events/index.ts';
import type { Archive } from '../../../../parts/archives/index.ts';
import {
  lacksRepository,
  missingRepositories,
  openRegistries,
  type Registries,
  type RegistryOptions,
  targetFor,
} from '../../../../parts/registries/index.ts';
import { contentsOf } from './contents.ts';
import { type ImageToPush, imagesToPush } from './images-to-push.ts';
import { lookUp } from './look-up.ts';

/** How many questions a registry is asked at once. */
const ASKED = 8;

/**
 * Finds what a push of the images of archives to the registry at `url` would fail by: it does not answer, images that
 * it lacks cannot be pushed to their repositories, or the disk of a `solpack serve --store` has no room for them. A
 * registry that has all of it need not be writable. Changes nothing; whether repositories can be pushed to is found out
 * only where it `mayTry`.
 */
export async function examinePush(
  { archives, mayTry }: { readonly archives: readonly Archive[]; readonly mayTry: boolean },
  url: string,
  options: RegistryOptions,
  { signal }: Flow,
): Promise<readonly SolpackError[]> {
  const registries = openRegistries(options);
  try {
    let images: readonly ImageToPush[] = [];
    let lacking: readonly ImageToPush[] = [];
    const unread = await faultsOf(async () => {
      images = imagesToPush(archives, (reference) => targetFor(url, reference));
      lacking = await imagesLacking(images, registries, signal);
    });
    if (unread.length > 0) return unread;
    const [unwritable, full] = await Promise.all([
      mayTry ? unwritableIn(lacking, registries, signal) : [],
      withoutRoom({ images, lacking }, url, registries, signal),
    ]);
    return [...unwritable, ...full];
  } finally {
    registries.close();
  }
}

/** Lists the images that something is lacking of, or of what refers to them, or that have other tags. */
async function imagesLacking(
  images: readonly ImageToPush[],
  registries: Registries,
  outer: AbortSignal,
): Promise<ImageToPush[]> {
  const lacking = new Set<ImageToPush>();
  await pool(images, { limit: ASKED, signal: outer }, async (one, signal) => {
    const { isWhole, untagged } = await lookUp(registries.open(one.target), one, signal);
    if (!isWhole || untagged.some(({ tag }) => tag !== undefined)) lacking.add(one);
  });
  return images.filter((one) => lacking.has(one));
}

/** Finds the repositories that may not be pushed to; those that fail alike are one finding. */
async function unwritableIn(
  images: readonly ImageToPush[],
  registries: Registries,
  outer: AbortSignal,
): Promise<SolpackError[]> {
  const first = new Map(images.map((one) => [one.target.repository, one]));
  const found = new Map<string, SolpackError>();
  await pool(first, { limit: ASKED, signal: outer }, async ([name, { target }], signal) => {
    for (const fault of await faultsOf(() => registries.open(target).requireWritable(signal))) found.set(name, fault);
  });
  const alike = Map.groupBy(
    [...first.keys()].flatMap((name) => found.get(name) ?? []),
    wordsWithoutPlace,
  );
  return [...alike.values()].map((faults) => {
    const [fault, ...others] = faults;
    const { code, subject, message } = fault!;
    const more = others.length === 0 ? '' : `; ${others.length} more of its repositories answer alike`;
    const hint = lacksRepository(fault!) ? missingRepositories(faults.map((one) => one.subject)) : fault!.hint;
    return new SolpackError(code, subject, `cannot be pushed to: ${message}${more}`, {
      cause: fault,
      ...(hint === undefined ? {} : { hint }),
    });
  });
}

function wordsWithoutPlace({ code, subject, message }: SolpackError): string {
  const repository = subject.slice(subject.indexOf('/') + 1);
  return `${code} ${message.replaceAll(repository, '')}`;
}

/** Returns whether what is lacking is more than a registry has room for, where that says how much it has. */
async function withoutRoom(
  { images, lacking }: Record<'images' | 'lacking', readonly ImageToPush[]>,
  url: string,
  registries: Registries,
  outer: AbortSignal,
): Promise<SolpackError[]> {
  const [any] = lacking;
  if (any === undefined) return [];
  const free = await registries.open(any.target).freeBytes(outer);
  const absent = new Map<Digest, Descriptor>();
  for (const one of lacking) for (const content of contentsOf(one.image)) absent.set(content.digest, content);
  const sizeOf = (): number => totalSize([...absent.values()]);
  if (free === undefined || sizeOf() <= free) return [];
  // A store has a content once, whichever repositories have it.
  for (const one of images) {
    if (!lacking.includes(one)) for (const { digest } of contentsOf(one.image)) absent.delete(digest);
  }
  const asked = lacking.flatMap((one) => contentsOf(one.image).map((content) => ({ content, target: one.target })));
  await pool(asked, { limit: ASKED, signal: outer }, async ({ content, target }, signal) => {
    if (absent.has(content.digest) && (await registries.open(target).has(content, signal)))
      absent.delete(content.digest);
  });
  const needed = sizeOf();
  if (needed <= free) return [];
  const [more, room] = sizePair(needed, free);
  const message = `${more} have to be pushed, but the disk of its store has room for ${room}`;
  return [new SolpackError('disk-full', url, message, { hint: 'make room on the disk of its store' })];
}
