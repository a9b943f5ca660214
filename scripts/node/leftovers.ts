import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCgroups, removeCgroup } from './cgroups.ts';
import { isAlive } from './identity.ts';
import { prefix } from './state.ts';

/** Removes the state folder and the cgroups of a node whose processes have ended. */
export async function removeNode(state: string, cgroup: string): Promise<void> {
  await removeCgroup(cgroup);
  await rm(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** Removes what nodes with killed keepers have left: their processes ended with the keeper, but nothing cleaned up. */
export async function removeLeftovers(): Promise<void> {
  const folder = tmpdir();
  const names = new Set([...readdirSync(folder).filter(isAbandoned), ...listCgroups(isAbandoned)]);
  // What cannot be removed now does no harm; the next start tries again.
  await Promise.allSettled([...names].map((name) => removeNode(join(folder, name), name)));
}

/** Decides whether `name` belongs to a node whose keeper has ended. */
function isAbandoned(name: string): boolean {
  const keeper = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d+-\d+$/.test(keeper) && !isAlive(keeper);
}
