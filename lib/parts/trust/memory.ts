import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { utf8 } from '../../../formats/bytes.ts';
import { decodeJson } from '../../../formats/json.ts';
import { fieldDifferences } from '../../../formats/manifest/differences.ts';
import { z } from '../../../formats/schema.ts';
import { labelSchema } from '../../../formats/solution/names.ts';
import { refused, SolpackError, unwritable } from '../../kernel/events/index.ts';
import { alone, isTrustedUser, mayOthersChange, ownUser, readFile, writeFile } from '../../kernel/files/index.ts';
import { freeSpaceFor } from '../../kernel/machine/index.ts';
import type { Foreseen } from '../../kernel/plan/index.ts';

/** What earlier installs have left of one Solution. */
export interface Remembered {
  /** The highest that was installed. */
  readonly sequence?: number | undefined;
  /** The newest date of a release that was installed, in seconds since 1970. */
  readonly newest?: number | undefined;
}

/** What earlier installs have left: nobody can revert it, except those who may sign a mend. */
export interface Memory {
  /** By name. */
  readonly solutions: ReadonlyMap<string, Remembered>;
  /** Digests of the fixes that were applied: each is once. */
  readonly mends: readonly string[];
}

/** A memory of nothing. */
export const noMemory: Memory = { solutions: new Map(), mends: [] };

const count = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const instant = z.number().int().min(-2208988800).max(5869583999);

/** As releases of solpack before wrote it: one date for all Solutions, which is passed over. */
const first = z.strictObject({
  stateVersion: z.literal(1),
  newest: instant.optional(),
  sequences: z.record(labelSchema, count),
});

const second = z.strictObject({
  stateVersion: z.literal(2),
  solutions: z.record(labelSchema, z.strictObject({ sequence: count.optional(), newest: instant.optional() })),
  mends: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/)).default([]),
});

const state = z.discriminatedUnion('stateVersion', [first, second]);

/** A Solution that was installed. */
export interface Installed {
  readonly name: string;
  readonly sequence: number | undefined;
  /** Seconds since 1970; undefined where nothing depends on it. */
  readonly created: number | undefined;
}

/**
 * Reads the memory in `folder`; it is empty if the folder does not exist, or if none is named. Throws
 * `file-unreadable`, and `trust-state-invalid`, also if this is root and others may have changed it.
 */
export async function readMemory(folder: string | undefined): Promise<Memory> {
  if (folder === undefined) return noMemory;
  const path = memoryPath(folder);
  for (const one of [folder, path]) await requireOwn(one);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (error instanceof SolpackError && error.code === 'file-missing') return noMemory;
    throw error;
  }
  const hint = 'restore it from a backup; without it, the earlier releases are unknown';
  const known = await refused(
    'trust-state-invalid',
    path,
    () => decodeJson(bytes, state, 'json-invalid', 'what is remembered'),
    hint,
  );
  if (known.stateVersion === 2) return { solutions: new Map(Object.entries(known.solutions)), mends: known.mends };
  // Its date may be of any Solution: whoever was trusted for one could have set it for all.
  const sequences = Object.entries(known.sequences).map(([name, sequence]) => [name, { sequence }] as const);
  return { solutions: new Map(sequences), mends: [] };
}

/**
 * Adds Solutions to what is remembered in `folder`: of each it only ever rises. Written only where something is new.
 * Throws `output-unwritable`, `trust-state-invalid`.
 */
export async function remember(folder: string, solutions: readonly Installed[]): Promise<void> {
  const before = await readMemory(folder);
  if (encode(risen(before, solutions)) === encode(before)) return;
  await changeMemory(folder, (now) => risen(now, solutions));
}

/** Finds out what `remember` would change, and does nothing. Throws `trust-state-invalid`. */
export async function foreseeMemory(folder: string, solutions: readonly Installed[]): Promise<Foreseen<void>> {
  const before = await readMemory(folder);
  const after = risen(before, solutions);
  const changes = [...after.solutions].flatMap(([name, now]) => {
    const known = before.solutions.get(name);
    return fieldDifferences(known ?? {}, now, name).filter(({ from, to }) => from !== to);
  });
  const isSame = encode(after) === encode(before);
  const action = { subject: memoryPath(folder), action: 'remember' as const, changes, bytes: encode(after).length };
  const room = { place: folder, needed: action.bytes, free: freeSpaceFor(folder) };
  return { output: undefined, actions: isSame ? [] : [action], room: isSame ? [] : [room] };
}

/**
 * Replaces what is remembered in `folder` by what `change` makes of it, while nobody else does. It is read again for
 * that, because others may have installed meanwhile. Throws what `change` throws, `output-unwritable`,
 * `trust-state-invalid`.
 */
export async function changeMemory(folder: string, change: (before: Memory) => Memory): Promise<void> {
  const path = memoryPath(folder);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  } catch (error) {
    throw unwritable(folder, error);
  }
  await alone(`${path}.lock`, async () => {
    const before = await readMemory(folder);
    const text = encode(change(before));
    if (text !== encode(before)) await writeFile(path, utf8(text));
  });
}

/** What there is to remember once `installed` are. */
function risen({ solutions, mends }: Memory, installed: readonly Installed[]): Memory {
  const after = new Map(solutions);
  for (const { name, sequence, created } of installed) {
    if (sequence === undefined && created === undefined) continue;
    const before = after.get(name);
    after.set(name, { sequence: higher(before?.sequence, sequence), newest: higher(before?.newest, created) });
  }
  return { solutions: after, mends };
}

function higher(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

async function requireOwn(path: string): Promise<void> {
  if (ownUser() !== 0) return;
  const [stats, itself] = await Promise.all([stat(path), lstat(path)].map((one) => one.catch(() => undefined)));
  // Whoever has made a link can let it lead to a memory of nothing.
  const isRedirected = itself?.isSymbolicLink() && !isTrustedUser(itself.uid);
  if (!isRedirected && (!stats || !mayOthersChange(stats))) return;
  throw new SolpackError('trust-state-invalid', path, 'other users may change it, but root relies on it', {
    hint: 'restore it from a backup where only root may write, or name another folder with --trust-state',
  });
}

function memoryPath(folder: string): string {
  return join(folder, 'memory.json');
}

function encode({ solutions, mends }: Memory): string {
  const sorted = [...solutions].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = sorted.map(([name, { sequence, newest }]) => [name, { sequence, newest }] as const);
  const value = {
    stateVersion: 2,
    solutions: Object.fromEntries(entries),
    ...(mends.length > 0 ? { mends } : {}),
  };
  return `${JSON.stringify(value)}\n`;
}
