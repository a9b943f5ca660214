import { SolpackError } from '../../../../kernel/events/index.ts';
import { ApiError } from './api.ts';

/**
 * Returns the result of `work`, or `otherwise` where the server refuses. Throws the reason of `signal` where that is
 * aborted.
 */
export async function ifReadable<T>(signal: AbortSignal, otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError || error instanceof SolpackError) return otherwise;
    throw error;
  }
}
