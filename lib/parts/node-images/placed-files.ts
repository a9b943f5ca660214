import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../../../formats/bytes.ts';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import { byteMeter, codeOf, type Flow, lend, type Meter, SolpackError, unwritable } from '../../kernel/events/index.ts';
import { alone, holdFolder, stampOf, writeFile } from '../../kernel/files/index.ts';
import { claimFor, unclaimed } from './claims.ts';
import type { ImageName } from './kind.ts';
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

/** A file that is to be in a folder. Its name says which bytes it has. */
export interface WantedFile {
  readonly name: string;
  /** In bytes, as far as that is known before it is written. */
  readonly size: number;
  /** `count` counts `size` bytes while they are read. */
  bytes(signal: AbortSignal, count: Meter['count']): Bytes;
}

/** Files that are there for one image, or none of them is. */
export interface WantedThing extends ImageName {
  readonly key: string;
  readonly files: readonly WantedFile[];
}

/** Lists the files that are lacking, or that somebody else has written anew. */
export async function lackingFiles(folder: string, things: readonly WantedThing[]): Promise<readonly WantedFile[]> {
  const record = await rememberedThings(await stageFor(folder));
  const lacking: WantedFile[] = [];
  for (const { key, files } of things) {
    for (const file of files) if (!(await isIntact(folder, file.name, record.get(key)))) lacking.push(file);
  }
  return lacking;
}

/** Decides whether a file is there as it was put there. */
export async function isIntact(folder: string, name: string, thing: Thing | undefined): Promise<boolean> {
  const stamp = thing?.files[name] ?? '';
  return stamp !== '' && (await stampOf(join(folder, name))) === stamp;
}

/**
 * Puts files into a folder by renames, so that who watches it sees whole files alone. It is remembered before that
 * whose they are. A file of somebody else with such a name is never replaced. Throws `output-exists`,
 * `output-unwritable`, `disk-full`.
 */
export async function placeFiles(
  folder: string,
  things: readonly WantedThing[],
  user: string,
  flow: Flow,
): Promise<readonly WantedFile[]> {
  const stage = await makeStage(folder);
  return alone(join(stage, 'lock'), async () => {
    const known = await rememberedThings(stage);
    await requireOwnNames(folder, things, known);
    let record = withClaims(known, things, user);
    const lacking = await lackingFiles(folder, things);
    await rememberThings(stage, record);
    const meter = byteMeter(flow, 'place', totalSize(lacking));
    for (const [index, file] of lacking.entries()) {
      const thing = things.find(({ files }) => files.includes(file))!;
      const number = { number: index + 1, of: lacking.length };
      flow.onEvent({ type: 'step', step: 'place', subject: join(folder, file.name), ...number });
      flow.signal.throwIfAborted();
      await place({ stage, folder }, file, meter, flow.signal);
      record = withStamp(record, thing.key, file.name, (await stampOf(join(folder, file.name))) ?? '');
      await rememberThings(stage, record);
    }
    return lacking;
  });
}

function withClaims(known: PlaceRecord, wanted: readonly WantedThing[], user: string): PlaceRecord {
  const claimed = claimFor(claimsIn(known), user, new Set(wanted.map(({ key }) => key)));
  const record = withClaimsOf(known, claimed);
  for (const { key, reference, digest, files } of wanted) {
    const before = record.get(key)?.files ?? {};
    const stamps = Object.fromEntries(files.map(({ name }) => [name, before[name] ?? '']));
    record.set(key, { reference, digest, for: claimed.get(key)!, files: { ...before, ...stamps }, found: false });
  }
  return record;
}

function withStamp(record: PlaceRecord, key: string, name: string, stamp: string): PlaceRecord {
  const thing = record.get(key)!;
  return new Map(record).set(key, { ...thing, files: { ...thing.files, [name]: stamp } });
}

async function requireOwnNames(folder: string, things: readonly WantedThing[], known: PlaceRecord): Promise<void> {
  for (const { key, files } of things) {
    for (const { name } of files) {
      const path = join(folder, name);
      if (known.get(key)?.files[name] !== undefined || (await stampOf(path)) === undefined) continue;
      throw new SolpackError('output-exists', path, 'exists, but solpack has no record of it', {
        hint: 'move it away, and install again',
      });
    }
  }
}

/** Writes a file where nobody looks, and moves it to where it is looked for. */
async function place(
  { stage, folder }: { readonly stage: string; readonly folder: string },
  { name, bytes }: WantedFile,
  { count }: Meter,
  signal: AbortSignal,
): Promise<void> {
  const path = join(stage, name);
  await writeFile(path, bytes(signal, count));
  try {
    await fs.rename(path, join(folder, name));
    await lend(await holdFolder(folder), (held) => held.sync());
  } catch (error) {
    throw unwritable(join(folder, name), error);
  }
}

/** Lists the files that `removeFiles` would remove once `present` is the present set of the user. */
export async function unneededFiles(
  folder: string,
  user: string,
  { present, keep }: { readonly present: ReadonlySet<string>; readonly keep: ReadonlySet<string> | undefined },
): Promise<string[]> {
  const record = await rememberedThings(await stageFor(folder));
  const then = withClaimsOf(record, claimFor(claimsIn(record), user, present));
  return filesOfNobody(releasedBy(then, user, keep));
}

function filesOfNobody(record: PlaceRecord): string[] {
  return unclaimed(claimsIn(record)).flatMap((key) => Object.keys(record.get(key)!.files));
}

/**
 * Takes the claims of a user off all things that are not in `keep`, or off those of sets before the last two, and
 * removes the files that nobody needs. Files that solpack did not put there stay. Returns their names.
 */
export async function removeFiles(
  folder: string,
  user: string,
  keep: ReadonlySet<string> | undefined,
): Promise<string[]> {
  const found = await stageFor(folder);
  if (found === undefined || (await rememberedThings(found)).size === 0) return [];
  const stage = await makeStage(folder);
  return alone(join(stage, 'lock'), async () => {
    const record = releasedBy(await rememberedThings(stage), user, keep);
    const names = filesOfNobody(record);
    // Whoever is ended here leaves things that nobody needs, which the next one removes.
    await rememberThings(stage, record);
    for (const name of names) await removed(join(folder, name));
    for (const key of unclaimed(claimsIn(record))) record.delete(key);
    await rememberThings(stage, record);
    return names;
  });
}

async function removed(path: string): Promise<void> {
  await fs.unlink(path).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw unwritable(path, error);
  });
}
