import { constants, writeSync } from 'node:fs';
import { type FileHandle, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, isDigest } from '../../../formats/digest.ts';
import { unwritable } from '../../kernel/events/index.ts';
import { createOwn, type HeldFolder, openOwn, partialPath, removeOwn } from '../../kernel/files/index.ts';

/** What an earlier run reports the archive that it did not finish. */
export interface Journaled {
  /** Content that is in place and was on the disk when this was written. */
  readonly safe: ReadonlySet<Digest>;
  /** Content that is in place as long as the machine did not lose its memory since. */
  readonly loose: ReadonlySet<Digest>;
  /** How many bytes are in place of content that was begun. */
  readonly begun: ReadonlyMap<Digest, number>;
}

/** What an earlier run left that this one continues with. */
export interface ResumedPart extends Journaled {
  /** Bytes that the file takes on the disk already. */
  readonly allocated: number;
}

const TITLE = 'solpack-journal 1';

/** Where the journal of the archive `path` is, while that is made. */
export function journalPath(path: string): string {
  return `${partialPath(path)}.journal`;
}

/**
 * Reads a journal; undefined where it is not one of the archive with the layout `layout`. A run that was killed may
 * have left a line in half, a disk that lost its power anything: nothing counts from the first line on that is not
 * whole.
 *
 *     solpack-journal 1 DIGEST     digest of the layout
 *     at DIGEST BYTES              so many bytes of this content are in place
 *     done DIGEST                  all of it is, and was checked
 *     safe COUNT                   what the first COUNT of the `done` lines name is on the disk
 */
export function parseJournal(text: string, layout: Digest): Journaled | undefined {
  const [title, ...lines] = text.split('\n');
  if (title !== `${TITLE} ${layout}`) return undefined;
  const done: Digest[] = [];
  const begun = new Map<Digest, number>();
  let safe = 0;
  // What follows the last line break is no whole line.
  for (const line of lines.slice(0, -1)) {
    const [, word, subject, count] = /^(at|done|safe) (\S+)(?: (\d{1,15}))?$/.exec(line) ?? [];
    if (word === 'done' && isDigest(subject) && count === undefined) done.push(subject);
    else if (word === 'at' && isDigest(subject) && count !== undefined) begun.set(subject, Number(count));
    else if (word === 'safe' && /^\d{1,9}$/.test(subject ?? '') && Number(subject) <= done.length)
      safe = Number(subject);
    else break;
  }
  for (const digest of done) begun.delete(digest);
  return { safe: new Set(done.slice(0, safe)), loose: new Set(done.slice(safe)), begun };
}

const nothing: Journaled = { safe: new Set(), loose: new Set(), begun: new Map() };

/** Encodes a journal that says what is in place; `parseJournal` reads it. */
export function encodeJournal(layout: Digest, { safe, loose, begun }: Journaled): string {
  const done = (digest: Digest): string => `done ${digest}`;
  return [
    `${TITLE} ${layout}`,
    ...[...safe].map(done),
    `safe ${safe.size}`,
    ...[...loose].map(done),
    ...[...begun].map(([digest, size]) => `at ${digest} ${size}`),
    '',
  ].join('\n');
}

/** Most bytes of a journal that is read. */
const LIMIT = 16 * 1024 * 1024;

/**
 * Reads the journal of the archive `name` that a run of this user has left in `folder`; undefined where there is none
 * that only this user can have written. Throws `output-exists` where somebody else has its name.
 */
export async function readJournal(folder: HeldFolder, name: string, layout: Digest): Promise<Journaled | undefined> {
  const handle = await openOwn(folder, journalPath(name), constants.O_RDONLY);
  try {
    if (!handle || (await handle.stat()).size > LIMIT) return undefined;
    return parseJournal(await handle.readFile('latin1'), layout);
  } finally {
    await handle?.close();
  }
}

/** Removes a journal that nobody will continue with. Throws `output-exists` where somebody else has its name. */
export async function dropJournal(folder: HeldFolder, name: string): Promise<void> {
  await removeOwn(folder, journalPath(name));
}

/** The journal of an archive in the making. Its lines are written at once, in order. */
export interface Journal {
  /** Notes that content is in place. */
  done(digest: Digest): void;
  /** Notes that the first `size` bytes of content are in place. */
  at(digest: Digest, size: number): void;
  /** Makes what was written durable by `sync`, then notes that what was done before is. */
  secure(sync: () => Promise<void>): Promise<void>;
  /** Closes the journal, and leaves it for a run to come. */
  leave(): Promise<void>;
  /** Removes it. */
  remove(): Promise<void>;
}

/**
 * Begins the journal of the archive `name` in a folder, whose layout has the digest `layout`, with what is kept of an
 * earlier one, which it replaces. Throws `output-unwritable`, `disk-full`, and `output-exists` where somebody else has
 * a name of its own.
 */
export async function beginJournal(
  within: HeldFolder,
  name: string,
  layout: Digest,
  kept: Journaled = nothing,
): Promise<Journal> {
  const own = journalPath(name);
  const fresh = `${own}.new`;
  const path = join(within.path, own);
  const folder = await within.again();
  let handle: FileHandle;
  let count = kept.safe.size + kept.loose.size;
  const append = (line: string): void => {
    try {
      writeSync(handle.fd, `${line}\n`);
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  try {
    handle = await createOwn(folder, fresh, constants.O_WRONLY | constants.O_APPEND);
    await handle.writeFile(encodeJournal(layout, kept));
    await rename(folder.at(fresh), folder.at(own));
  } catch (error) {
    await folder.close();
    throw unwritable(path, error);
  }
  const leave = async (): Promise<void> => {
    await handle.close().catch(() => undefined);
    await folder.close();
  };
  return {
    done: (digest) => {
      append(`done ${digest}`);
      count += 1;
    },
    at: (digest, size) => append(`at ${digest} ${size}`),
    secure: async (sync) => {
      const covered = count;
      await sync();
      append(`safe ${covered}`);
      await handle.datasync();
    },
    leave,
    remove: async () => {
      await unlink(folder.at(own)).catch(() => undefined);
      await leave();
    },
  };
}
