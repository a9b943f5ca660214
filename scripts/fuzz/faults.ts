import { cpus } from 'node:os';
import type { Canvas } from './canvas.ts';
import { Violation } from './violation.ts';

/** CPU time of one execution that counts as a fault, in seconds. */
const TOO_LONG = 1;

/** Milliseconds within which all processors together cannot spend so much. */
const SURELY_SHORT = (TOO_LONG * 1000) / Math.max(1, cpus().length);

/** How an execution without a fault ended: a code of an error, `read`, `ok` or `findings`. */
export type Outcome = string;

/** Does one thing with the bytes of a file. Throws where something happens that must not. */
export type Try = (bytes: Buffer) => Promise<Outcome>;

/** Returns the outcome of `one` for `bytes`, or its fault. The same fault has the same text each time. */
export async function faultOf(one: Try, bytes: Buffer): Promise<Outcome | { fault: string }> {
  const before = process.cpuUsage();
  const started = performance.now();
  try {
    const outcome = await one(bytes);
    // To ask for CPU time takes longer than many executions.
    if (performance.now() - started < SURELY_SHORT) return outcome;
    const { user, system } = process.cpuUsage(before);
    return user + system > TOO_LONG * 1e6 ? { fault: `it takes more than ${TOO_LONG} s` } : outcome;
  } catch (error) {
    if (error instanceof Violation) return { fault: error.message };
    return { fault: error instanceof Error ? traceOf(error) : String(error) };
  }
}

/** Returns the stack up to here: the callers of this function do not belong to the fault. */
function traceOf({ stack = '', message }: Error): string {
  const [own] = stack.split(/\n[^\n]* faultOf /);
  return own || message;
}

/** CPU time for making an input smaller, in seconds. */
const REDUCING = 4;

/** Repairs all damage of `canvas` that `fault` does not need, which makes it easier to understand. */
export async function reduced(canvas: Canvas, one: Try, fault: string): Promise<void> {
  for (const write of canvas.damage.writes) {
    const { damage } = canvas;
    canvas.apply({ ...damage, writes: damage.writes.filter((other) => !same(other, write)) });
    const still = await faultOf(one, canvas.bytes);
    if (typeof still === 'string' || still.fault !== fault) canvas.apply(damage);
  }
}

/**
 * Removes runs of `bytes` that `fault` does not need, from half of them down to single ones, as long as time permits.
 */
export async function shortened(bytes: Buffer, one: Try, fault: string): Promise<Buffer> {
  const before = process.cpuUsage();
  let left = bytes;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < left.length; ) {
      const { user, system } = process.cpuUsage(before);
      if (user + system > REDUCING * 1e6) return left;
      const shorter = Buffer.concat([left.subarray(0, at), left.subarray(at + size)]);
      const still = await faultOf(one, shorter);
      if (typeof still !== 'string' && still.fault === fault) left = shorter;
      else at += size;
    }
  }
  return left;
}

function same(a: Canvas['damage']['writes'][number], b: typeof a): boolean {
  return a.at === b.at && Buffer.compare(a.bytes, b.bytes) === 0;
}
