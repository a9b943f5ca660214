import { readFileSync } from 'node:fs';

// The number of a process is reused after its end; together with its start time it is unique.

/** Returns `pid-start` of this process: no other process has the same until the machine restarts. */
export function ownIdentity(): string {
  return identityOf(process.pid)!;
}

/** Returns the same for another process; undefined once it has ended. */
export function identityOf(pid: number): string | undefined {
  const start = startOf(pid);
  return start === undefined ? undefined : `${pid}-${start}`;
}

/** Decides whether the process that `identity` names still runs. */
export function isAlive(identity: string): boolean {
  const [, pid, start] = /^(\d+)-(\d+)$/.exec(identity) ?? [];
  return start !== undefined && startOf(Number(pid)) === start;
}

/**
 * Returns when a process was started, in ticks since the machine was (proc(5), field 22 of `stat`); undefined once it
 * has ended.
 */
function startOf(pid: number): string | undefined {
  try {
    const fields = afterName(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Returns the fields of a `stat` file from the third on. The name before them may contain anything. */
export function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
