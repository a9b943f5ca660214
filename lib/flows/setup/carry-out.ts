import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';

import { utf8 } from '../../../formats/bytes.ts';
import { parseToml } from '../../../formats/document/toml.ts';
import { removeFromToml, setInToml, writtenInToml } from '../../../formats/document/toml-edit.ts';
import { isRecord } from '../../../formats/record.ts';
import { codeOf, type Flow, SolpackError, unreadable } from '../../kernel/events/index.ts';
import { writeFile } from '../../kernel/files/index.ts';
import { type SetupAction, type SetupStep, setupWords } from './action.ts';
import { missingFolders, type Needed, neededSchema } from './needed-schema.ts';
import { type DoneEntry, makeFolderOf, readDone, readText, writeDone, writeText } from './record.ts';
import { startService, stateOf, UNITS } from './systemd.ts';

/** Where to remember what was done, and whether to do anything. */
export interface SetupRun {
  readonly record: string;
  /** Finds out what is to be done, and does nothing. */
  readonly plan: boolean;
}

/**
 * Does what actions say, in their order, and returns what became of each. What already holds is left alone. It is noted
 * in the record before it is done, so that `undoSetup` takes back whatever an interrupted run has left. Throws
 * `output-exists` for a file that somebody else has written, before anything is done; `tool-failed`,
 * `output-unwritable`, `disk-full`.
 */
export async function carryOutSetup(
  actions: readonly SetupAction[],
  { record, plan }: SetupRun,
  flow: Flow,
): Promise<SetupStep[]> {
  const done = [...(await readDone(record))];
  const foreseen: SetupStep[] = [];
  for (const action of actions) {
    const needed = await neededOf(action, done, flow);
    foreseen.push({ ...setupWords(action), state: needed === undefined ? 'there' : 'to do' });
  }
  if (plan) return foreseen;
  const steps: SetupStep[] = [];
  for (const action of actions) {
    flow.signal.throwIfAborted();
    const needed = await neededOf(action, done, flow);
    const words = setupWords(action);
    if (needed !== undefined) {
      remember(done, needed.entries);
      await writeDone(record, done);
      await needed.act();
      if (needed.after !== undefined) {
        remember(done, needed.after);
        await writeDone(record, done);
      }
    }
    steps.push({ ...words, state: needed === undefined ? 'there' : 'done' });
  }
  return steps;
}

/** Notes entries; of what was noted before, what was there first stays. */
function remember(done: DoneEntry[], entries: readonly DoneEntry[]): void {
  for (const entry of entries) {
    const at = done.findIndex((one) => sameThing(one, entry));
    const before = done[at];
    if (before === undefined) done.push(entry);
    else if (entry.kind === 'setting' && before.kind === 'setting') {
      const { before: _, base: __, ...rest } = entry;
      const { made, base, before: first } = before;
      done[at] = {
        ...rest,
        made,
        ...(base === undefined ? {} : { base }),
        ...(first === undefined ? {} : { before: first }),
      };
    } else done[at] = entry;
  }
}

function sameThing(a: DoneEntry, b: DoneEntry): boolean {
  if (a.kind === 'service' || b.kind === 'service')
    return a.kind === b.kind && 'unit' in a && 'unit' in b && a.unit === b.unit;
  if (a.kind === 'setting' && b.kind === 'setting') return a.path === b.path && a.key === b.key;
  return a.kind === b.kind && a.path === b.path;
}

async function neededOf(action: SetupAction, done: readonly DoneEntry[], flow: Flow): Promise<Needed> {
  switch (action.kind) {
    case 'folder':
      return neededFolder(action.path);
    case 'file':
      return neededFile(action, done);
    case 'schema':
      return neededSchema(action);
    case 'program':
      return neededProgram(action, done);
    case 'setting':
      return neededSetting(action);
    case 'service':
      return neededService(action.unit, done, flow);
  }
}

async function neededService(unit: string, done: readonly DoneEntry[], flow: Flow): Promise<Needed> {
  const { enabled, active } = await stateOf(unit, flow);
  const started = await sha256Of(join(UNITS, unit));
  const before = done.find((one) => one.kind === 'service' && one.unit === unit);
  // A run that was killed may have changed the unit, and not started it anew.
  const isStale = before?.kind === 'service' && before.started !== started;
  if (enabled && active && !isStale) return undefined;
  return {
    entries: [{ kind: 'service', unit }],
    act: () => startService(unit, flow),
    ...(started === undefined ? {} : { after: [{ kind: 'service', unit, started }] }),
  };
}

async function neededFolder(path: string): Promise<Needed> {
  const entries = await missingFolders(path);
  return entries.length === 0 ? undefined : { entries, act: () => makeFolderOf(`${path}/file`) };
}

async function neededFile(
  { path, text, begin, instead, mode }: Extract<SetupAction, { kind: 'file' }>,
  done: readonly DoneEntry[],
): Promise<Needed> {
  const [bytes, there] = [utf8(text), await sha256Of(path)];
  const digest = hashed(bytes);
  if (there === digest || (there !== undefined && begin === true)) return undefined;
  await requireOurs('file', path, there, done, instead);
  return { entries: [{ kind: 'file', path, digest }], act: () => writeFile(path, bytes, mode) };
}

/**
 * Throws `output-exists` where something has the name that nobody but setup may have written, so that it is replaced by
 * nothing else.
 */
async function requireOurs(
  kind: 'file' | 'program',
  path: string,
  there: string | undefined,
  done: readonly DoneEntry[],
  hint = 'move it away, then run the same command again',
): Promise<void> {
  const isOurs = done.some((one) => one.kind === kind && one.path === path && one.digest === there);
  if ((there === undefined || isOurs) && !(await isLink(path))) return;
  throw new SolpackError('output-exists', path, 'exists, but "solpack setup" has not written it', {
    hint,
  });
}

async function neededProgram(
  { path, from }: Extract<SetupAction, { kind: 'program' }>,
  done: readonly DoneEntry[],
): Promise<Needed> {
  const [there, digest] = [await sha256Of(path), await sha256Of(from)];
  if (digest === undefined || there === digest) return undefined;
  await requireOurs('program', path, there, done);
  const entry = { kind: 'program', path, digest } as const;
  return { entries: [entry], act: () => writeFile(path, createReadStream(from), 0o755) };
}

async function neededSetting(action: Extract<SetupAction, { kind: 'setting' }>): Promise<Needed> {
  const { path, key, member, base } = action;
  const source = await readText(path);
  const before = source === undefined ? undefined : writtenInToml(source, key);
  const written = member === undefined ? action.written : listWith(before, member);
  if (before === written) return undefined;
  const start = source ?? base ?? '';
  const after = written === undefined ? removeFromToml(start, key) : setInToml(start, key, written);
  const words = { ...(before === undefined ? {} : { before }), ...(written === undefined ? {} : { written }) };
  const made = source !== undefined ? { made: false } : { made: true, ...(base === undefined ? {} : { base }) };
  return {
    entries: [{ kind: 'setting', path, key, ...words, ...made }],
    act: () => writeText(path, after),
  };
}

/** A list of TOML, as it is written, with a string in it. */
function listWith(before: string | undefined, member: string): string {
  const parsed = before === undefined ? [] : fieldOf(before);
  const list = Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : [];
  if (before !== undefined && list.includes(member)) return before;
  return `[${[...list, member].map((one) => JSON.stringify(one)).join(', ')}]`;
}

function fieldOf(written: string): unknown {
  const parsed = parseToml(`list = ${written}\n`, 'toml-invalid');
  return isRecord(parsed) ? parsed['list'] : undefined;
}

/** Whether a name stands for something else: what is written there would replace that link. */
export async function isLink(path: string): Promise<boolean> {
  return fs.lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

/**
 * The SHA-256 of a file; undefined where there is none, and for a link that leads nowhere. Throws `file-unreadable`.
 */
export async function sha256Of(path: string): Promise<string | undefined> {
  const isAbsent = await fs.stat(path).then(
    () => false,
    (error) => codeOf(error) === 'ENOENT',
  );
  if (isAbsent) return undefined;
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (error) {
    throw unreadable(path, error);
  }
  return hash.digest('hex');
}

function hashed(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
