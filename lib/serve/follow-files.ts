import { stampOf } from '../file-stamp.ts';
import type { Flow } from '../flow.ts';

/**
 * Follows files: gives a function that looks at them once, and lets `apply` take what they hold now if they have changed since
 * it was last taken, and not in between. What `apply` throws, as where a certificate and its key do not belong together
 * between the writing of one and of the other, leaves what was there before, and is tried anew. `message` tells that it went well.
 */
export async function followFiles(
  paths: readonly [string, ...string[]],
  message: string,
  { onEvent }: Flow,
): Promise<(apply: () => Promise<void>) => Promise<void>> {
  const stamps = async (): Promise<string> => (await Promise.all(paths.map(stampOf))).join(' ');
  let taken = await stamps();
  let seen = taken;
  return async (apply) => {
    const now = await stamps();
    const settled = now === seen;
    seen = now;
    if (now === taken || !settled) return;
    await apply();
    taken = now;
    onEvent({ type: 'notice', subject: paths[0], message });
  };
}
