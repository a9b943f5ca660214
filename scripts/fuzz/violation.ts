import { FormatError } from '../../formats/error.ts';
import { SolpackError } from '../../lib/errors.ts';

/** Something that may never happen, whatever the input is. */
export class Violation extends Error {}

/** Throws `Violation` unless `holds`. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Violation(what);
}

/** Whether `error` is a refusal, as hostile input deserves it; throws `Violation` where it is one that says nonsense. */
export function isRefusal(error: unknown): error is FormatError | SolpackError {
  if (!(error instanceof FormatError) && !(error instanceof SolpackError)) return false;
  checkMessage(error.message);
  return true;
}

/** What no sentence for a person has; "received undefined" is zod's word for a key that is missing. */
const nonsense = /(?<!received )\b(?:undefined|NaN)\b|\[object [A-Z]/;

/** Throws `Violation` where a message shows a slip of the program rather than what is wrong. */
export function checkMessage(message: string): void {
  must(!nonsense.test(message), `a message says nonsense: ${message}`);
}

/** What `work` returns, or the code of the error that refuses its input. */
export async function refusalOf<T>(work: () => T | Promise<T>): Promise<{ code?: string; value?: Awaited<T> }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (isRefusal(error)) return { code: error.code };
    throw error;
  }
}
