import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Io } from './io.ts';

/**
 * Returns the folder of the user: HOME, otherwise what the system's list of users says. Undefined where neither tells
 * one: a user may be a mere number, and a bare machine has no list.
 */
export function homeFolder({ env }: Pick<Io, 'env'>): string | undefined {
  if (env['HOME']) return env['HOME'];
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

const folders = { XDG_CONFIG_HOME: '.config', XDG_STATE_HOME: '.local/state' } as const;

/**
 * Returns a folder of the user for settings, or for what programs keep (XDG Base Directory Specification 0.8): a
 * relative path in the variable counts for nothing, so that nothing of the working directory is taken for the user's
 * own. Undefined if none is known.
 */
export function xdgFolder(io: Pick<Io, 'env'>, name: keyof typeof folders): string | undefined {
  const said = io.env[name];
  if (said && isAbsolute(said)) return said;
  const home = homeFolder(io);
  return home === undefined || !isAbsolute(home) ? undefined : join(home, folders[name]);
}
