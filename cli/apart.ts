import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { absolute, usage } from './arguments.ts';
import type { Io } from './io.ts';

/** Options that name a file to write, as Commander calls them. */
const outputs = ['output', 'html', 'sarif', 'attest', 'logFile'] as const;

/** Of these and of those that are read and written: no two may name one file. */
const written = [...outputs, 'lock'] as const;

/**
 * Makes sure that no file that a command writes is one that it reads or writes already, by whatever name: to write it
 * would destroy what the user gave, or what was just written. Throws `usage-invalid`.
 */
export async function requireApart(io: Io, command: Command): Promise<void> {
  const options: Record<string, unknown> = command.opts();
  const named = namedBy(options, outputs);
  if (named.length === 0) return;
  await requireDifferent(io, command, namedBy(options, written));
  const given = [...command.processedArgs, ...inputsIn(options)].flat().filter((one) => typeof one === 'string');
  for (const { name, value } of named) {
    const file = await fileAt(io, value);
    if (file === undefined) continue;
    for (const input of given) {
      if ((await fileAt(io, input)) !== file) continue;
      throw usage(flagOf(command, name), `${value} is a file that this command reads`, 'name another file to write');
    }
  }
}

/** A file that an option names. */
interface NamedFile {
  readonly name: string;
  readonly value: string;
}

function namedBy(options: Readonly<Record<string, unknown>>, names: readonly string[]): NamedFile[] {
  return names.flatMap((name) => {
    const value = options[name];
    return typeof value === 'string' && value !== '' && value !== '-' ? [{ name, value }] : [];
  });
}

async function requireDifferent(io: Io, command: Command, files: readonly NamedFile[]): Promise<void> {
  const seen = new Map<string, NamedFile>();
  for (const file of files) {
    const place = await placeAt(io, file.value);
    const other = seen.get(place);
    if (other !== undefined) {
      const flags = [flagOf(command, other.name), flagOf(command, file.name)];
      throw usage(flags[1]!, `${file.value} is the file that ${flags[0]} names`, 'name another file for one of them');
    }
    seen.set(place, file);
  }
}

function flagOf(command: Command, name: string): string {
  return command.options.find((option) => option.attributeName() === name)?.long ?? name;
}

/** Identifies the place that a word names, where there may be no file yet. */
async function placeAt(io: Io, word: string): Promise<string> {
  const path = absolute(io, word);
  const folder = await fs.realpath(dirname(path)).catch(() => dirname(path));
  return (await fileAt(io, word)) ?? join(folder, basename(path));
}

/** Returns the values of all options that name no output: whatever of them is a file is one to read. */
function inputsIn(options: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(options).flatMap(([name, value]) =>
    (outputs as readonly string[]).includes(name) ? [] : [value],
  );
}

/** Identifies the file that a word names on this machine, whatever path leads to it; undefined if it is not a file. */
async function fileAt(io: Io, word: string): Promise<string | undefined> {
  const stats = await fs.stat(absolute(io, word)).catch(() => undefined);
  return stats?.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
}
