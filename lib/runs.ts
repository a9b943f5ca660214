import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/** Whether `text` is the name of a run: number and start of its process, and where those numbers count. */
export function isRun(text: string): boolean {
  return /^[0-9]+-[0-9]+-[0-9a-f]{8}$/.test(text);
}

/**
 * Where process numbers of this process count: in this PID namespace, until the machine starts again. Where the system
 * does not tell, no other process finds out the same.
 */
const here = placeOf();

/** A name for this process that no other one has, as long as the machine runs and after it has started again. */
export function ownRun(): string {
  return `${process.pid}-${startOf(process.pid)}-${here}`;
}

/** Whether the process that `ownRun` named so has ended for certain. Of one on another machine nobody knows that here. */
export function hasEnded(run: string): boolean {
  const [pid, start, place] = run.split('-');
  return place === here && startOf(Number(pid)) !== start;
}

/** Whether the process that `ownRun` named so runs on for certain. */
export function isRunning(run: string): boolean {
  const [pid, start, place] = run.split('-');
  return place === here && start !== '0' && startOf(Number(pid)) === start;
}

/** When a process was started, in ticks since the machine was (proc(5), field 22 of `stat`); 0 once it has ended. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before them may hold anything.
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
