import type { TestContext } from 'vitest';
import { judged, ok } from './judges.ts';

/** A test with a loop device, which only root can have. */
export function deviceTest(name: string, work: (context: TestContext) => Promise<void>): void {
  judged(name, ['losetup'], async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    await work(context);
  });
}

/** Lets a free loop device be the medium `image`, read only, while `work` is done. */
export async function onDevice<T>(image: string, work: (device: string) => Promise<T>): Promise<T> {
  const device = (await ok('losetup', ['--find', '--show', '--read-only', image])).trim();
  try {
    return await work(device);
  } finally {
    await ok('losetup', ['--detach', device]).catch(() => undefined);
  }
}
