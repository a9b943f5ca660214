import * as fs from 'node:fs/promises';
import type { Command } from 'commander';
import { absolute, usage } from './arguments.ts';
import type { Io } from './io.ts';

/** Options that name a file to write, as Commander calls them. */
const outputs = ['output', 'html', 'sarif', 'attest', 'logFile'] as const;

/**
 * Makes sure that no file that a command writes is one that it reads, by whatever name: to write it would destroy what
 * the user gave. Throws `usage-invalid`.
 */
export async function requireApart(io: Io, command: Command): Promise<void> {
  const options: Record<string, unknown> = command.opts();
  const named = outputs.flatMap((name) => {
    const value = options[name];
    return typeof value === 'string' && value !== '' && value !== '-' ? [{ name, value }] : [];
  });
  if (named.length === 0) return;
  const given = [...command.processedArgs, ...inputsIn(options)].flat().filter((one) => typeof one === 'string');
  for (const { name, value } of named) {
    const written = await fileAt(io, value);
    if (written === undefined) continue;
    for (const input of given) {
      if ((await fileAt(io, input)) !== written) continue;
      const flag = command.options.find((option) => option.attributeName() === name)?.long ?? name;
      throw usage(flag, `${value} is a file that this command reads`, 'name another file to write');
    }
  }
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
