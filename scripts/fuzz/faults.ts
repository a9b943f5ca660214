import type { Canvas } from './canvas.ts';
import { Violation } from './violation.ts';

/** CPU time of one execution, in seconds, that is too much. */
const TOO_LONG = 1;

/** How an execution ended, where it ended as it should: a code of an error, `read`, `ok` or `findings`. */
export type Outcome = string;

/** Does one thing with the bytes of a file. Throws where it meets what must not be. */
export type Try = (bytes: Buffer) => Promise<Outcome>;

/** What `one` makes of `bytes`: its outcome, or what is wrong with it. The same fault has the same words each time. */
export async function faultOf(one: Try, bytes: Buffer): Promise<Outcome | { fault: string }> {
  const before = process.cpuUsage();
  try {
    const outcome = await one(bytes);
    const { user, system } = process.cpuUsage(before);
    return user + system > TOO_LONG * 1e6 ? { fault: `it takes more than ${TOO_LONG} s` } : outcome;
  } catch (error) {
    if (error instanceof Violation) return { fault: error.message };
    return { fault: error instanceof Error ? traceOf(error) : String(error) };
  }
}

/** The stack down to here: who called this is no part of the fault. */
function traceOf({ stack = '', message }: Error): string {
  const [own] = stack.split(/\n[^\n]* faultOf /);
  return own || message;
}

/** CPU time that may be spent on making an input smaller, in seconds. */
const REDUCING = 4;

/** Takes back what `canvas` has of damage without which `fault` stays: with less it is easier to understand. */
export async function reduced(canvas: Canvas, one: Try, fault: string): Promise<void> {
  for (const write of canvas.damage.writes) {
    const { damage } = canvas;
    canvas.apply({ ...damage, writes: damage.writes.filter((other) => !same(other, write)) });
    const still = await faultOf(one, canvas.bytes);
    if (typeof still === 'string' || still.fault !== fault) canvas.apply(damage);
  }
}

/** Leaves runs of `bytes` out without which `fault` stays, from half of them down to single ones, as long as there is time. */
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
