import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { utf8 } from '../../../formats/bytes.ts';
import { z } from '../../../formats/schema.ts';
import { codeOf, SolpackError, unreadable, unwritable } from '../../kernel/events/index.ts';
import { writeFile } from '../../kernel/files/index.ts';
import { type Claims, release } from './claims.ts';

/** What is remembered of an image in a place. */
export interface Thing {
  readonly reference: string;
  readonly digest: string;
  readonly for: Claims;
  /** The files that it is in, with their stamps; '' for one that is not whole yet. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether somebody else had put it there before, so that it is not removed. */
  readonly found: boolean;
}

/** What is remembered of a place, by names of things. */
export type PlaceRecord = ReadonlyMap<string, Thing>;

const schema = z.object({
  version: z.literal(1),
  things: z.record(
    z.string(),
    z.object({
      reference: z.string(),
      digest: z.string(),
      for: z.record(z.string(), z.number().int().positive()),
      files: z.record(z.string(), z.string()).default({}),
      found: z.boolean().default(false),
    }),
  ),
});

const RECORD = 'record.json';

/**
 * Returns the folder in which files for `folder` are written before they get there by a rename, and in which it is
 * remembered what belongs to solpack. It is beside `folder`, where nobody watches; or within it, if that is a file
 * system of its own. Undefined where `folder` does not exist.
 */
export async function stageFor(folder: string): Promise<string | undefined> {
  try {
    const real = await fs.realpath(folder);
    const [own, above] = await Promise.all([fs.stat(real), fs.stat(dirname(real))]);
    const isApart = own.dev !== above.dev || dirname(real) === real;
    return isApart ? join(real, '.solpack') : join(dirname(real), `.solpack-${basename(real)}`);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(folder, error);
  }
}

/** The same with both folders made. Throws `output-unwritable`. */
export async function makeStage(folder: string): Promise<string> {
  try {
    await fs.mkdir(folder, { recursive: true });
    const stage = (await stageFor(folder))!;
    await fs.mkdir(stage, { recursive: true, mode: 0o700 });
    return stage;
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** Reads what is remembered in a stage. Throws `image-record-invalid`, `file-unreadable`. */
export async function rememberedThings(stage: string | undefined): Promise<PlaceRecord> {
  if (stage === undefined) return new Map();
  const path = join(stage, RECORD);
  let text: string;
  try {
    text = await fs.readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Map();
    throw unreadable(path, error);
  }
  try {
    return new Map(Object.entries(schema.parse(JSON.parse(text)).things));
  } catch (cause) {
    throw new SolpackError('image-record-invalid', path, 'was changed by something other than solpack', {
      cause,
      hint: 'remove by hand the images that solpack has put there, then this file, and install again',
    });
  }
}

/** Replaces what is remembered in a stage, durably; nothing is written where it says that already. */
export async function rememberThings(stage: string, things: PlaceRecord): Promise<void> {
  const path = join(stage, RECORD);
  const sorted = [...things].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = `${JSON.stringify({ version: 1, things: Object.fromEntries(sorted) }, undefined, 1)}\n`;
  const before = await fs.readFile(path, 'utf8').catch(() => undefined);
  if (before !== text) await writeFile(path, utf8(text), 0o600);
}

/** Returns the claims of all things. */
export function claimsIn(things: PlaceRecord): ReadonlyMap<string, Claims> {
  return new Map([...things].map(([key, thing]) => [key, thing.for]));
}

/** Returns a record whose things have these claims. */
export function withClaimsOf(record: PlaceRecord, claims: ReadonlyMap<string, Claims>): Map<string, Thing> {
  return new Map([...record].map(([key, thing]) => [key, { ...thing, for: claims.get(key)! }]));
}

/** Returns a record from which the claims of a user are taken as `release` takes them. */
export function releasedBy(
  record: PlaceRecord,
  user: string,
  keep: ReadonlySet<string> | undefined,
): Map<string, Thing> {
  return withClaimsOf(record, release(claimsIn(record), user, keep));
}
