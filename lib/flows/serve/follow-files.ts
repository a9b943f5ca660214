import type { Flow } from '../../kernel/events/index.ts';
import { stampOf } from '../../kernel/files/index.ts';

/**
 * Follows files. Returns a function that looks at them once, and calls `apply` where they have changed since the last
 * call and are no longer being written. Where `apply` throws, as it does while only one of certificate and key is new,
 * what was there before stays and the next look tries again. A notice says `message` when it went well.
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
