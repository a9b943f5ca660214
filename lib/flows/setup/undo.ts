import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { removeFromToml, setInToml, writtenInToml } from '../../../formats/document/toml-edit.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { isThere } from '../../kernel/machine/index.ts';
import type { SetupStep } from './action.ts';
import { isLink, sha256Of } from './carry-out.ts';
import { type DoneEntry, readDone, readText, unlinkFile, unlinkPartial, writeDone, writeText } from './record.ts';
import { reloadUnits, stopService } from './systemd.ts';

/**
 * Takes back what `setup` has done on this machine, and exactly that: a file that somebody has changed since stays, and
 * so does a folder that holds something, and a setting that is another one by now. Returns what became of each, the
 * last one first. Throws `tool-failed`, `output-unwritable`, `disk-full`.
 */
export async function undoSetup(record: string, flow: Flow): Promise<SetupStep[]> {
  const done = [...(await readDone(record))];
  const steps: SetupStep[] = [];
  // A run that was killed at its first step may have left a part of the record.
  if (done.length === 0) await writeDone(record, done);
  for (let entry = done.at(-1); entry !== undefined; entry = done.at(-1)) {
    flow.signal.throwIfAborted();
    const isBack = await takeBack(entry, flow);
    steps.push({ ...wordsOfEntry(entry), kind: entry.kind, state: isBack ? 'taken back' : 'kept' });
    done.pop();
    await writeDone(record, done);
  }
  if (steps.some(({ kind }) => kind === 'service')) await reloadUnits(flow);
  return steps;
}

/** Returns what `undoSetup` would do now, in its order; nothing is changed. Throws `file-unreadable`. */
export async function planUndo(record: string): Promise<SetupStep[]> {
  const texts = new Map<string, string | undefined>();
  const gone = new Set<string>();
  const steps: SetupStep[] = [];
  for (const entry of (await readDone(record)).toReversed()) {
    const isBack = await wouldTakeBack(entry, texts, gone);
    steps.push({ ...wordsOfEntry(entry), kind: entry.kind, state: isBack ? 'to take back' : 'kept' });
  }
  return steps;
}

/**
 * Whether nothing would be left of it; `texts` and `gone` are what earlier steps would have made of files and folders.
 */
async function wouldTakeBack(
  entry: DoneEntry,
  texts: Map<string, string | undefined>,
  gone: Set<string>,
): Promise<boolean> {
  switch (entry.kind) {
    case 'folder': {
      const names = await fs.readdir(entry.path).catch(() => []);
      const isEmpty = names.every((name) => gone.has(join(entry.path, name)));
      if (isEmpty) gone.add(entry.path);
      return isEmpty;
    }
    case 'file':
    case 'program': {
      const isGone = !(await isThere(entry.path)) || (await isOwnFile(entry));
      if (isGone) gone.add(entry.path);
      return isGone;
    }
    case 'setting': {
      const source = texts.has(entry.path) ? texts.get(entry.path) : await readText(entry.path);
      const restored = restoredSetting(source, entry);
      if (restored.state === 'kept') return false;
      if (restored.isGone) gone.add(entry.path);
      texts.set(entry.path, restored.isGone ? undefined : (restored.after ?? source));
      return true;
    }
    case 'service':
      return true;
  }
}

/** Returns whether nothing of it is left. */
async function takeBack(entry: DoneEntry, flow: Flow): Promise<boolean> {
  switch (entry.kind) {
    case 'folder':
      await fs.rmdir(entry.path).catch(() => undefined);
      return !(await isThere(entry.path));
    case 'file':
    case 'program':
      if ((await isOwnFile(entry)) || !(await isThere(entry.path))) await unlinkFile(entry.path);
      return !(await isThere(entry.path));
    case 'setting':
      return restoreSetting(entry);
    case 'service':
      await stopService(entry.unit, flow);
      return true;
  }
}

type SettingEntry = Extract<DoneEntry, { kind: 'setting' }>;

/** Whether a file is still what was written, and no link to such a file. */
async function isOwnFile({ path, digest }: { readonly path: string; readonly digest: string }): Promise<boolean> {
  return !(await isLink(path)) && (await sha256Of(path)) === digest;
}

/** What a file is to be after a setting was taken back. */
type Restored =
  | { readonly state: 'taken back'; readonly after?: string; readonly isGone?: true }
  | { readonly state: 'kept' };

async function restoreSetting(entry: SettingEntry): Promise<boolean> {
  const { path } = entry;
  const source = await readText(path);
  await unlinkPartial(path);
  const restored = restoredSetting(source, entry);
  if (restored.state === 'kept') return false;
  if (restored.isGone) await unlinkFile(path);
  else if (restored.after !== undefined) await writeText(path, restored.after);
  return true;
}

function restoredSetting(source: string | undefined, { key, before, written, made, base }: SettingEntry): Restored {
  if (source === undefined) return { state: 'taken back' };
  const now = writtenInToml(source, key);
  if (now === before) return { state: 'taken back' };
  if (now !== written) return { state: 'kept' };
  // A table that has nothing left goes with its last key, also where the file began with it.
  const isAsMade = base !== undefined && written !== undefined && source === setInToml(base, key, written);
  const after = before === undefined ? removeFromToml(source, key) : setInToml(source, key, before);
  const isGone = made && (after.trim() === '' || after === base || isAsMade);
  return { state: 'taken back', ...(isGone ? { isGone } : { after }) };
}

function wordsOfEntry(entry: DoneEntry): Pick<SetupStep, 'subject' | 'what'> {
  if (entry.kind === 'service') return { subject: entry.unit, what: 'service' };
  return { subject: entry.path, what: entry.kind === 'setting' ? entry.key : entry.kind };
}
