import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lend } from '../../../../lib/kernel/events/lend.ts';
import { starts } from '../../../support/cli.ts';
import { faulty } from '../../../support/faults.ts';
import { scratch } from '../../../support/judges.ts';
import { sampleImage } from '../../../support/registry.ts';
import { connect, copyOne, noting, stored, uploads } from './faults.ts';

const folder = scratch('own-registry');
const image = sampleImage('own', 1_000_000);
const { size } = image.layer;

describe('an upload to solpack serve --store that is cut', () => {
  test.each([
    ['in one piece', { whole: 10_000_000, chunk: 300_000 }, 1, 600_000],
    ['in one piece, before its answer', { whole: 10_000_000, chunk: 300_000 }, 1, size],
    ['in pieces', { whole: 0, chunk: 300_000 }, 2, 100_000],
  ])('%s goes on from what the registry kept', async (how, upload, which, after) => {
    const store = join(folder, how.replaceAll(/\W+/g, '-'));
    await lend(
      await starts(['serve', '--store', store, '--open-push', '--listen', '127.0.0.1:0']),
      async ({ first }) => {
        let count = 0;
        const proxy = await faulty(new URL(first).host, (seen) => {
          if (uploads(seen)) count += 1;
          return uploads(seen) && count === which ? { cut: 'request', after } : undefined;
        });
        const target = await connect(proxy.host, 'team/web', { upload });
        await copyOne(image.layer, noting(image), target);
        expect(Buffer.compare(await stored(target, image.layer), image.bytesOf(image.layer))).toBe(0);
        // What the registry's stream had in its buffer when the connection broke is sent again, and no more than that:
        // 64 KiB, beyond which it stops to read, and what it read last.
        expect(proxy.sent(uploads)).toBeLessThanOrEqual(size + 2 * 65_536);
        expect(proxy.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
        await target.close();
      },
    );
  });

  test('while the registry ends it is found to be done', async () => {
    const store = join(folder, 'ending');
    await lend(
      await starts(['serve', '--store', store, '--open-push', '--listen', '127.0.0.1:0']),
      async ({ first }) => {
        let asked = 0;
        const proxy = await faulty(new URL(first).host, (seen) => {
          if (seen.method === 'PUT') return { cut: 'answer', after: 0 };
          if (seen.method === 'HEAD' && proxy.sent(uploads) > 0) asked += 1;
          // It has the blob only once it has made it durable.
          return asked === 1 && seen.method === 'HEAD' ? { status: 404 } : undefined;
        });
        const target = await connect(proxy.host, 'team/web', { upload: { whole: 10_000_000, chunk: 300_000 } });
        await copyOne(image.layer, noting(image), target);
        expect(proxy.sent(uploads)).toBe(size);
        expect(Buffer.compare(await stored(target, image.layer), image.bytesOf(image.layer))).toBe(0);
        await target.close();
      },
    );
  });
});
