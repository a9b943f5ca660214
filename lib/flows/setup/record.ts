import * as fs from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { utf8 } from '../../../formats/bytes.ts';
import { z } from '../../../formats/schema.ts';
import { codeOf, lend, SolpackError, unreadable, unwritable } from '../../kernel/events/index.ts';
import {
  holdFolder,
  makeOutputFolder,
  partialPath,
  readFile,
  requireOwnPlace,
  writeFile,
} from '../../kernel/files/index.ts';
import { isThere } from '../../kernel/machine/index.ts';

const path = z.string().startsWith('/');
const entry = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('folder'), path }),
  z.strictObject({ kind: z.enum(['file', 'program']), path, digest: z.string() }),
  z.strictObject({
    kind: z.literal('setting'),
    path,
    key: z.string(),
    /** As it was written; absent where it was not set. */
    before: z.string().optional(),
    written: z.string().optional(),
    /** Whether there was no such file. */
    made: z.boolean(),
    /** What that file began with, which nobody has written but setup. */
    base: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('service'),
    unit: z.string().regex(/^[\w.-]+\.service$/),
    /** The SHA-256 of the unit that runs; absent until it was started. */
    started: z.string().optional(),
  }),
]);
const record = z.strictObject({
  schemaVersion: z.literal(1),
  /** Folders that were made for the folder of the record, the outermost first. That one goes in any case. */
  folders: z.array(path).optional(),
  done: z.array(entry),
});

/** Something that `setup` has done, with what is needed to take it back. */
export type DoneEntry = z.infer<typeof entry>;

/**
 * Reads what `setup` has done on this machine, in its order; nothing where it has done nothing. Root takes it from a
 * folder alone that nobody else may change. Throws `file-unreadable`, `output-unwritable`.
 */
export async function readDone(file: string): Promise<readonly DoneEntry[]> {
  return (await readRecord(file))?.done ?? [];
}

async function readRecord(file: string): Promise<z.infer<typeof record> | undefined> {
  try {
    const bytes = await readFile(file);
    await requireOwnPlace(dirname(file));
    const parsed = record.safeParse(JSON.parse(Buffer.from(bytes).toString()));
    if (parsed.success) return parsed.data;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || (error instanceof SolpackError && error.code === 'file-missing'))
      return undefined;
    if (!(error instanceof SyntaxError)) throw unreadable(file, error);
  }
  throw new SolpackError('file-unreadable', file, 'was changed since "solpack setup" wrote it', {
    hint: 'restore it from a backup, or undo by hand what setup did, and remove it',
  });
}

/**
 * Replaces the record; removes it where nothing is left in it, with its folders that are empty and were made for it.
 * Throws `output-unwritable`, `disk-full`.
 */
export async function writeDone(file: string, done: readonly DoneEntry[]): Promise<void> {
  const before = await readRecord(file);
  if (done.length > 0) {
    const folders = before === undefined ? await missingAbove(file) : (before.folders ?? []);
    await makeFolderOf(file);
    // The schema puts fields in one order, whichever way an entry came about: the same setup has the same record.
    const made = folders.length === 0 ? {} : { folders };
    const text = JSON.stringify(record.parse({ schemaVersion: 1, ...made, done }), null, 2);
    await writeFile(file, Buffer.from(`${text}\n`), 0o600);
    return;
  }
  await unlinkFile(file);
  for (const folder of [dirname(file), ...(before?.folders ?? []).toReversed()]) {
    await fs.rmdir(folder).catch(() => undefined);
  }
}

/**
 * Lists the folders above that of a file that are not there, the outermost first. The folder itself is left out: a
 * setup that was killed before it wrote the record has made it, and is completed with the same record.
 */
async function missingAbove(file: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = dirname(dirname(file)); !(await isThere(folder)); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

/** Makes the folder of a file, with those above it. Throws `output-unwritable`. */
export async function makeFolderOf(file: string): Promise<void> {
  await makeOutputFolder(dirname(file));
}

/**
 * Replaces a text file, which keeps its mode if it is there; a link to one stays. Throws `output-unwritable`,
 * `disk-full`.
 */
export async function writeText(file: string, text: string): Promise<void> {
  const mode = await fs.stat(file).then(
    (stats) => stats.mode & 0o7777,
    () => 0o644,
  );
  await writeFile(await behindLinks(file), utf8(text), mode);
}

/** Reads a text file; undefined where there is none. Throws `file-unreadable`. */
export async function readText(file: string): Promise<string | undefined> {
  return (await isThere(file)) ? Buffer.from(await readFile(file)).toString() : undefined;
}

/** Removes a file, if it is there, with what a run that was killed has left of it. Throws `output-unwritable`. */
export async function unlinkFile(file: string): Promise<void> {
  await unlinkAt(partialPath(file));
  await unlinkAt(file);
}

/**
 * Removes what a run that was killed has left of a file that it wrote, be that behind a link. Throws
 * `output-unwritable`.
 */
export async function unlinkPartial(file: string): Promise<void> {
  await unlinkAt(partialPath(await behindLinks(file)));
}

/** The path that a name leads to; the name itself where it leads nowhere. */
function behindLinks(file: string): Promise<string> {
  return fs.realpath(file).catch(() => file);
}

async function unlinkAt(file: string): Promise<void> {
  try {
    await lend(await holdFolder(dirname(file)), (folder) => fs.unlink(folder.at(basename(file))));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unwritable(file, error);
  }
}
