import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Bytes } from '../../../formats/bytes.ts';

/** How many characters of standard error are kept for the message of a failure. */
const KEPT = 4096;

/** A program failed; the message is the last line of its standard error. */
export class ProgramError extends Error {}

/**
 * Streams the output of a program, without a shell, and kills it when nobody reads on. Throws `ProgramError` where it
 * fails, and the error of the system where it cannot be started.
 */
export async function* programBytes(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Bytes {
  signal?.throwIfAborted();
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) });
  // Both are looked at only after the output has ended.
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => undefined);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-KEPT);
  });
  try {
    yield* child.stdout;
    const [code, killer] = await ended;
    if (code !== 0) throw new ProgramError(lastLine(said) || `ended with ${killer ?? `code ${code}`}`);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    child.kill('SIGKILL');
  }
}

/** Returns the last line that says something, without control characters; '' where there is none. */
export function lastLine(text: string): string {
  const lines = text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ').split('\n');
  return lines.map((line) => line.trim()).findLast((line) => line !== '') ?? '';
}
