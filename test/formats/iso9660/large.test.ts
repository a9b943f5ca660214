import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ok } from '../../support/judges.ts';

/** Runs `large.ts` with no more than `heap` MiB for objects, and returns what it prints. */
async function large(heap: number, ...args: string[]): Promise<{ entries: number; external: number }> {
  const script = fileURLToPath(new URL('./large.ts', import.meta.url));
  return JSON.parse(
    await ok(process.execPath, [
      `--max-old-space-size=${heap}`,
      '--expose-gc',
      '--disable-warning=ExperimentalWarning',
      script,
      ...args,
    ]),
  );
}

test('a walk of a directory of 200,000 entries needs little memory, for objects and for bytes', async () => {
  const { entries, external } = await large(48, '200000');
  expect(entries).toBe(200_000);
  // 20 bytes and a name of 64 for each, 8 for its extent, and twice those while they are compared.
  expect(external).toBeLessThan(40 * 2 ** 20);
});
