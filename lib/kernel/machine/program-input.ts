import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { Bytes } from '../../../formats/bytes.ts';
import { codeOf } from '../events/index.ts';
import { lastLine, ProgramError } from './program-bytes.ts';

/** How many characters of what a program prints are kept for the message of a failure. */
const KEPT = 4096;

/**
 * Runs a program without a shell, and streams `bytes` into its standard input. A program whose input fails is killed
 * before it sees an end of it. Throws what `bytes` throws, `ProgramError` where the program fails, and the error of the
 * system where it cannot be started.
 */
export async function feedProgram(
  program: string,
  args: readonly string[],
  bytes: Bytes,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(program, args, { env: {}, stdio: ['pipe', 'ignore', 'pipe'], signal });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => undefined);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-KEPT);
  });
  let failure: { readonly error: unknown } | undefined;
  async function* watched(): Bytes {
    try {
      yield* bytes;
    } catch (error) {
      failure = { error };
      child.kill('SIGKILL');
      throw error;
    }
  }
  try {
    // A program that ends before it has read everything says itself why.
    await pipeline(watched(), child.stdin).catch((error: unknown) => {
      if (failure === undefined && !['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error) ?? '')) throw error;
    });
    const [code, killer] = await ended;
    signal.throwIfAborted();
    if (failure) throw failure.error;
    if (code !== 0) throw new ProgramError(lastLine(said) || `ended with ${killer ?? `code ${code}`}`);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    child.kill('SIGKILL');
  }
}
