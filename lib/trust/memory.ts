import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { utf8 } from '../../formats/bytes.ts';
import { decodeJson } from '../../formats/json.ts';
import { z } from '../../formats/schema.ts';
import { labelSchema } from '../../formats/solution/names.ts';
import { refused, SolpackError } from '../errors.ts';
import { readFile, unwritable, writeFile } from '../host.ts';
import { alone } from '../lock-file.ts';
import { type Memory, noMemory } from './decide.ts';

const count = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

const state = z.strictObject({
  stateVersion: z.literal(1),
  /** Seconds since 1970. */
  newest: z.number().int().min(-2208988800).max(5869583999).optional(),
  sequences: z.record(labelSchema, count),
});

/** What is remembered of a Solution that was installed. */
export interface Remembered {
  readonly name: string;
  readonly sequence: number | undefined;
  /** Seconds since 1970. */
  readonly created: number;
  readonly expires: number | undefined;
}

/** Reads what is remembered in `folder`; nothing where it is not there. Throws `trust-state-invalid`, `file-unreadable`. */
export async function readMemory(folder: string): Promise<Memory> {
  const path = memoryPath(folder);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (error instanceof SolpackError && error.code === 'file-missing') return noMemory;
    throw error;
  }
  const hint = 'restore it from a backup; without it nothing tells which releases were there before';
  const { newest, sequences } = await refused(
    'trust-state-invalid',
    path,
    () => decodeJson(bytes, state, 'json-invalid', 'what is remembered'),
    hint,
  );
  return { newest: newest ?? noMemory.newest, sequences: new Map(Object.entries(sequences)) };
}

/**
 * Adds Solutions to what is remembered in `folder`: it only ever rises. It is read again before, since others may have
 * installed meanwhile, and written only where something is new. Throws `output-unwritable`, `trust-state-invalid`.
 */
export async function remember(folder: string, solutions: readonly Remembered[]): Promise<void> {
  if (risen(await readMemory(folder), solutions) === undefined) return;
  const path = memoryPath(folder);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  } catch (error) {
    throw unwritable(folder, error);
  }
  await alone(`${path}.lock`, async () => {
    const text = risen(await readMemory(folder), solutions);
    if (text !== undefined) await writeFile(path, utf8(text));
  });
}

/** What there is to remember once `solutions` are installed; undefined where that is what was remembered before. */
function risen(before: Memory, solutions: readonly Remembered[]): string | undefined {
  const sequences = new Map(before.sequences);
  for (const { name, sequence } of solutions) {
    if (sequence !== undefined) sequences.set(name, Math.max(sequence, sequences.get(name) ?? 0));
  }
  // A date alone is nothing to remember: nothing depends on it where nobody counts releases or lets them expire.
  const dated = solutions
    .filter(({ sequence, expires }) => (sequence ?? expires) !== undefined)
    .map(({ created }) => created);
  const text = encode(Math.max(before.newest, ...dated), sequences);
  return text === encode(before.newest, before.sequences) ? undefined : text;
}

function memoryPath(folder: string): string {
  return join(folder, 'memory.json');
}

function encode(newest: number, sequences: ReadonlyMap<string, number>): string {
  const sorted = [...sequences].sort(([a], [b]) => (a < b ? -1 : 1));
  const value = {
    stateVersion: 1,
    ...(Number.isFinite(newest) ? { newest } : {}),
    sequences: Object.fromEntries(sorted),
  };
  return `${JSON.stringify(value)}\n`;
}
