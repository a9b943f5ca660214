import { FormatError, PositionedError, type PositionedProblem } from '../../formats/error.ts';
import { SolpackError } from '../../lib/kernel/events/errors.ts';

/** Something that must not happen with any input. */
export class Violation extends Error {}

/** Throws `Violation` unless `holds`. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Violation(what);
}

/**
 * Decides whether `error` is a refusal, the right answer to hostile input. Throws `Violation` where its message is
 * nonsense.
 */
export function isRefusal(error: unknown): error is FormatError | SolpackError {
  if (!(error instanceof FormatError) && !(error instanceof SolpackError)) return false;
  checkMessage(error.message);
  if (error instanceof PositionedError) error.problems.forEach(checkPosition);
  return true;
}

function checkPosition({ position: { line, column, length }, lineText }: PositionedProblem): void {
  must(line >= 1 && column >= 1 && length >= 1, `an error is at ${line}:${column}, with ${length} characters`);
  if (lineText === undefined) return;
  must(column - 1 + length <= Math.max(lineText.length, column), `an error reaches to ${column}+${length} of its line`);
  must(column - 1 <= lineText.length && !lineText.includes('\n'), `an error is at ${column} of ${lineText.length}`);
}

/** Text that no message for a person has; "received undefined" is zod's term for a missing key. */
const nonsense = /(?<!received )\b(?:undefined|NaN)\b|\[object [A-Z]/;

/** Throws `Violation` where a message shows a bug of the program instead of what is wrong. */
export function checkMessage(message: string): void {
  must(!nonsense.test(message), `a message says nonsense: ${message}`);
}

/** Returns the result of `work`, or the code of the error that refuses its input. */
export async function refusalOf<T>(work: () => T | Promise<T>): Promise<{ code?: string; value?: Awaited<T> }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (isRefusal(error)) return { code: error.code };
    throw error;
  }
}
