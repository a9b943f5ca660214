import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Decides whether `text` is the name of a run: the number and the start time of its process, and the system in which
 * these count.
 */
export function isRun(text: string): boolean {
  return /^[0-9]+-[0-9]+-[0-9a-f]{8}$/.test(text);
}

/**
 * The system in which process numbers of this process count: its PID namespace, until the machine restarts. Where the
 * system does not tell, the name is random, so that no other process has the same.
 */
const here = placeOf();

/** Returns a name for this process that no other process has, also after the machine has restarted. */
export function ownRun(): string {
  return `${process.pid}-${startOf(process.pid)}-${here}`;
}

/**
 * Decides whether process numbers of the run with this name count here. Where they do not, it may be on another
 * machine.
 */
export function isHere(run: string): boolean {
  return run.split('-')[2] === here;
}

/**
 * Decides whether the process with this name has certainly ended. Of a process on another machine, that cannot be
 * known.
 */
export function hasEnded(run: string): boolean {
  const [pid, start, place] = run.split('-');
  return place === here && startOf(Number(pid)) !== start;
}

/** Decides whether the process with this name is certainly still running. */
export function isRunning(run: string): boolean {
  const [pid, start, place] = run.split('-');
  return place === here && start !== '0' && startOf(Number(pid)) === start;
}

/**
 * Returns when a process was started, in ticks since the start of the machine (proc(5), field 22 of `stat`); 0 once it
 * has ended.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the fields may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (fields[0] === 'Z' ? undefined : fields[19]) ?? '0';
  } catch {
    return '0';
  }
}

function placeOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const place = `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
    return createHash('sha256').update(place).digest('hex').slice(0, 8);
  } catch {
    return randomBytes(4).toString('hex');
  }
}
