import { homedir } from 'node:os';
import type { Io } from './io.ts';

/**
 * Returns the folder of the user: HOME, else what the system's list of users says. Undefined where neither tells one: a user may be
 * a mere number, and a bare machine has no list.
 */
export function homeFolder({ env }: Pick<Io, 'env'>): string | undefined {
  if (env['HOME']) return env['HOME'];
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
