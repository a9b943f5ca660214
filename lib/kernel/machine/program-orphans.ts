import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { Writable } from 'node:stream';

const SHELL = '/bin/sh';

/**
 * Keeps the numbers of process groups as lines name them, `+ 12` and `- 12`, until nobody is left who could write
 * another line. That is when this process has gone, however it ended: then the groups are killed.
 */
const SCRIPT = `groups=
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups $group"; continue; fi
  left=
  for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
  groups=$left
done
for one in $groups; do kill -KILL "-$one"; done`;

/** A process that outlives this one for a moment. */
type Watcher = ChildProcessByStdio<Writable, null, null>;

let watcher: Watcher | undefined;
let isPossible = true;

/**
 * Has a process group killed if this process is killed before it can do that. Returns a function that ends this, once
 * the group has ended. Where there is no shell, as in a container, nothing is done: there the system ends all that runs
 * beside.
 */
export function killWithUs(group: number): () => void {
  watcher ??= startWatcher();
  if (watcher === undefined) return () => undefined;
  const { stdin } = watcher;
  stdin.write(`+ ${group}\n`);
  return () => void stdin.write(`- ${group}\n`);
}

function startWatcher(): Watcher | undefined {
  if (!isPossible) return undefined;
  try {
    accessSync(SHELL, constants.X_OK);
  } catch {
    isPossible = false;
    return undefined;
  }
  // A session of its own: what the terminal sends to this process must not end it first.
  const child: Watcher = spawn(SHELL, ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} });
  const giveUp = (): void => {
    isPossible = false;
    watcher = undefined;
  };
  child.on('error', giveUp);
  child.stdin.on('error', giveUp);
  child.unref();
  // The handle of a pipe, which Node.js does not type, keeps no process alive by then.
  (child.stdin as Writable & { unref?: () => void }).unref?.();
  return child;
}
