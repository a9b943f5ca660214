import * as fs from 'node:fs/promises';
import { removeFromToml, setInToml, writtenInToml } from '../../../formats/document/toml-edit.ts';
import type { Flow } from '../../kernel/events/flow.ts';
import { isThere } from '../../kernel/machine/disk.ts';
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

/** Whether a file is still what was written, and no link to such a file. */
async function isOwnFile({ path, digest }: { readonly path: string; readonly digest: string }): Promise<boolean> {
  return !(await isLink(path)) && (await sha256Of(path)) === digest;
}

async function restoreSetting({
  path,
  key,
  before,
  written,
  made,
  base,
}: Extract<DoneEntry, { kind: 'setting' }>): Promise<boolean> {
  const source = await readText(path);
  await unlinkPartial(path);
  if (source === undefined) return true;
  const now = writtenInToml(source, key);
  if (now === before) return true;
  if (now !== written) return false;
  // A table that has nothing left goes with its last key, also where the file began with it.
  const isAsMade = base !== undefined && written !== undefined && source === setInToml(base, key, written);
  const after = before === undefined ? removeFromToml(source, key) : setInToml(source, key, before);
  if (made && (after.trim() === '' || after === base || isAsMade)) await unlinkFile(path);
  else await writeText(path, after);
  return true;
}

function wordsOfEntry(entry: DoneEntry): Pick<SetupStep, 'subject' | 'what'> {
  if (entry.kind === 'service') return { subject: entry.unit, what: 'service' };
  return { subject: entry.path, what: entry.kind === 'setting' ? entry.key : entry.kind };
}
