import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, lend, reasonOf, SolpackError } from '../../../kernel/events/index.ts';
import { contains, openFile } from '../../../kernel/files/index.ts';

/** The name of the executable in a plugin's folder. */
export const PROGRAM = 'plugin';

/** Where a plugin is: in `entry` below a folder. */
interface PlacedPlugin {
  readonly name: string;
  readonly folder: string;
  readonly entry: string;
}

/** Names a plugin in messages: one of a tree by its folder (`010-web`), one of an archive by its name. */
export function labelOf({ name, entry }: Pick<PlacedPlugin, 'name' | 'entry'>): string {
  return entry === '' ? name : entry;
}

/**
 * Finds the plugin's executable, and checks that it lies in its folder and is executable. Throws `path-escapes` where a
 * symbolic link leads out of the folder, `plugin-failed` where there is nothing to run.
 */
export async function pluginProgram(component: PlacedPlugin): Promise<{ program: string; folder: string }> {
  const folder = join(component.folder, component.entry);
  const program = join(folder, PROGRAM);
  const label = labelOf(component);
  try {
    const [home, real] = await Promise.all([fs.realpath(folder), fs.realpath(program)]);
    if (!contains(home, real)) {
      throw new SolpackError('path-escapes', label, `its ${PROGRAM} is a symbolic link out of its folder, to ${real}`, {
        hint: 'put the program itself into the folder',
      });
    }
    const stats = await fs.stat(real);
    if (!stats.isFile()) throw broken(label, `its ${PROGRAM} is not a file`, 'put an executable file there');
    await fs.access(real, constants.X_OK);
  } catch (error) {
    if (error instanceof SolpackError) throw error;
    if (codeOf(error) === 'EACCES') {
      throw broken(label, `its ${PROGRAM} is not executable`, `run "chmod +x" on ${program}`, error);
    }
    throw broken(label, `its ${PROGRAM} cannot be found: ${reasonOf(error)}`, `put it at ${program}`, error);
  }
  return { program, folder };
}

/** Explains why the system does not start a program that exists, and what helps. */
export async function whyNotStarted(program: string, error: unknown): Promise<{ message: string; hint: string }> {
  const code = codeOf(error);
  const interpreter = await interpreterOf(program);
  if (code === 'ENOENT' && interpreter !== undefined) {
    const windows = interpreter.endsWith('\r');
    return {
      message: `its interpreter ${JSON.stringify(interpreter)} is not on this machine`,
      hint: windows
        ? 'its lines end as on Windows: save it with "\\n" line ends'
        : 'install it, or name another after #!',
    };
  }
  if (code === 'ENOENT') {
    return { message: 'the dynamic loader that it names is not on this machine', hint: 'link it statically' };
  }
  return {
    message: reasonOf(error),
    hint: 'check the permissions of what runs it, and whether its file system is mounted with noexec',
  };
}

/**
 * Reads what a script names after `#!`. Undefined where the file is no script, or cannot be read: an executable file
 * need not be readable.
 */
export async function interpreterOf(program: string): Promise<string | undefined> {
  const file = await openFile(program).catch(() => undefined);
  if (file === undefined) return undefined;
  return lend(file, async () => {
    const start = Buffer.from(await file.read(0, Math.min(file.size, 256))).toString('latin1');
    return /^#![ \t]*([^ \t\n]+)/.exec(start)?.[1];
  });
}

function broken(label: string, message: string, hint: string, cause?: unknown): SolpackError {
  return new SolpackError('plugin-failed', label, message, { hint, cause });
}
