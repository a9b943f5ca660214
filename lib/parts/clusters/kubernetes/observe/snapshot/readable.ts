import { SolpackError } from '../../../../../kernel/events/index.ts';
import { ApiError } from '../../server/index.ts';

/**
 * Returns the result of `work`, or why the server did not give it. Throws the reason of `signal` where that is aborted.
 */
export async function orReason<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<{ value: T } | { missing: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) return { missing: `cannot ${error.verb} ${error.subject}: ${error.message}` };
    if (error instanceof SolpackError) return { missing: `${error.subject}: ${error.message}` };
    throw error;
  }
}
