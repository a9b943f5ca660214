import { setTimeout as pause } from 'node:timers/promises';

/** How often folders and files are looked at, in milliseconds. Asking finds changes also where the system tells of none, as on NFS. */
const EVERY = 1000;

/** Does `work` again and again until the signal ends that; what it throws is told once, as long as it stays the same. */
export async function poll(
  work: () => Promise<void>,
  signal: AbortSignal,
  onProblem: (problem: unknown) => void,
): Promise<void> {
  let told: string | undefined;
  while (await waited(signal)) {
    try {
      await work();
      told = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const message = String(error);
      if (message !== told) onProblem(error);
      told = message;
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
