import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks. Looking finds changes also where the system reports none, as on NFS. */
const EVERY = 1000;

/**
 * Does `work` once a second until the signal ends that. `onProblem` gets what it throws, once for the same message in a
 * row.
 */
export async function poll(
  work: () => Promise<void>,
  signal: AbortSignal,
  onProblem: (problem: unknown) => void,
): Promise<void> {
  let reported: string | undefined;
  while (await waited(signal)) {
    try {
      await work();
      reported = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const message = String(error);
      if (message !== reported) onProblem(error);
      reported = message;
    }
  }
}

async function waited(signal: AbortSignal): Promise<boolean> {
  try {
    await pause(EVERY, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
