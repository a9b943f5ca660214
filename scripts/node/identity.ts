import { readFileSync } from 'node:fs';

// A process number is used again after a process has ended; with the time of its start it is not.

/** This process, as `pid-start`: a name that no other process has until the machine starts again. */
export function ownIdentity(): string {
  return identityOf(process.pid)!;
}

/** The same of another process; undefined once it has ended. */
export function identityOf(pid: number): string | undefined {
  const start = startOf(pid);
  return start === undefined ? undefined : `${pid}-${start}`;
}

/** Whether the process that `identity` names still runs. */
export function isAlive(identity: string): boolean {
  const [, pid, start] = /^(\d+)-(\d+)$/.exec(identity) ?? [];
  return start !== undefined && startOf(Number(pid)) === start;
}

/** When a process was started, in ticks since the machine was (proc(5), field 22 of `stat`); undefined once it has ended. */
function startOf(pid: number): string | undefined {
  try {
    const fields = afterName(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** The fields of a `stat` file from the third on: what comes before is a name, which may hold anything. */
export function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
