import { describe, expect } from 'vitest';
import { type Fault, faulty } from '../../../support/faults.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { dockerRegistry, sampleImage } from '../../../support/registry.ts';
import { connect, copyOne, downloads, push, stored, waits } from './faults.ts';

const folder = scratch('faults-download');
const upstream = dockerRegistry(folder);
const image = sampleImage('faulty download', 1_000_000);
const { size, digest } = image.layer;
let copies = 0;

/**
 * Copies the layer out of a registry some of whose answers are faulty into another repository; tells what that cost.
 */
async function pulled(
  fault: (count: number) => Fault | undefined,
  idle = 20_000,
): Promise<{ received: number; requests: number; asked: number[] }> {
  const { host } = await upstream();
  const whole = await connect(host, 'team/web');
  await push(image, whole, '1');
  let requests = 0;
  const proxy = await faulty(host, (seen) => {
    if (!downloads(seen)) return undefined;
    requests += 1;
    return fault(requests);
  });
  const { asked, timing } = waits();
  const source = await connect(proxy.host, 'team/web', { timing: { ...timing, idle } });
  copies += 1;
  const target = await connect(host, `copied/${copies}`);
  try {
    await copyOne(image.layer, source, target);
    expect(Buffer.compare(await stored(target, image.layer), image.bytesOf(image.layer))).toBe(0);
  } catch (error) {
    expect(await target.has(image.layer)).toBe(false);
    throw error;
  } finally {
    await Promise.all([whole.close(), source.close(), target.close()]);
  }
  return { received: proxy.received(downloads), requests, asked };
}

const once = (fault: Fault) => (count: number) => (count === 1 ? fault : undefined);

describe('a pull', () => {
  judged('that is cut at any tenth of a blob goes on where it was cut', ['docker-registry'], async () => {
    for (let tenth = 0; tenth <= 10; tenth += 1) {
      const after = Math.floor((size * tenth) / 10);
      const { received, requests } = await pulled(once({ cut: 'answer', after }));
      // What was on its way when the connection broke may have to be sent once more.
      expect(received).toBeGreaterThanOrEqual(size);
      expect(received).toBeLessThan(size * 1.1);
      expect(requests).toBeLessThanOrEqual(2);
    }
  });

  judged('that is cut again and again, but gets on, ends well', ['docker-registry'], async () => {
    const { received, requests } = await pulled((count) => (count < 9 ? { cut: 'answer', after: 100_000 } : undefined));
    expect(requests).toBe(9);
    expect(received).toBeLessThan(size * 2);
  });

  judged('that never gets on is given up, with its side and what it was about', ['docker-registry'], async () => {
    await expect(pulled(() => ({ cut: 'answer', after: 0 }))).rejects.toMatchObject({
      code: 'registry-unreachable',
      side: 'source',
      subject: expect.stringContaining('team/web'),
      message: expect.stringContaining(digest),
    });
  });

  judged('whose server falls silent is taken up again', ['docker-registry'], async () => {
    const { received, requests } = await pulled(once({ stall: 300_000 }), 300);
    expect(requests).toBe(2);
    expect(received).toBeLessThan(size * 1.5);
  });

  judged('whose server stays silent is given up', ['docker-registry'], async () => {
    await expect(pulled(() => ({ stall: 1 }), 200)).rejects.toMatchObject({
      code: 'registry-unreachable',
      side: 'source',
      message: expect.stringMatching(new RegExp(`${digest}.*nothing moved for`)),
    });
  });

  judged('whose server lets a byte through now and then is given up all the same', ['docker-registry'], async () => {
    await expect(pulled(() => ({ drip: 100 }), 300)).rejects.toMatchObject({
      code: 'registry-unreachable',
      side: 'source',
      message: expect.stringMatching(/nothing moved for|too little moved/),
    });
  });

  judged('waits as long as Retry-After says, in seconds or until a date', ['docker-registry'], async () => {
    const seconds = await pulled(once({ status: 429, headers: { 'retry-after': '7' } }));
    expect(seconds.asked).toEqual([7000]);
    const date = new Date(Date.now() + 30_000).toUTCString();
    const until = await pulled(once({ status: 429, headers: { 'retry-after': date } }));
    expect(until.asked).toHaveLength(1);
    expect(until.asked[0]).toBeGreaterThan(0);
    expect(until.asked[0]).toBeLessThanOrEqual(30_000);
  });

  judged('that is asked to wait for longer than a minute ends at once', ['docker-registry'], async () => {
    await expect(pulled(() => ({ status: 429, headers: { 'retry-after': '61' } }))).rejects.toMatchObject({
      code: 'registry-error',
      side: 'source',
      message: expect.stringContaining(digest),
    });
  });

  judged('outlives bursts of 500, 502 and 503, and waits longer each time', ['docker-registry'], async () => {
    const { asked, requests } = await pulled((count) => [500, 502, 503].map((status) => ({ status }))[count - 1]);
    expect(requests).toBe(4);
    expect(asked).toHaveLength(3);
    asked.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** index);
    });
  });

  judged('of other bytes than the digest names is refused, and stored nowhere', ['docker-registry'], async () => {
    const other = (bytes: Buffer): Uint8Array => {
      const copy = Buffer.from(bytes);
      copy[500_000]! ^= 1;
      return copy;
    };
    await expect(pulled(() => ({ body: other }))).rejects.toMatchObject({
      code: 'content-mismatch',
      side: 'source',
      subject: digest,
      message: expect.stringContaining('team/web'),
    });
  });

  judged('of a body that ends too early, or too late, is refused', ['docker-registry'], async () => {
    const short = (bytes: Buffer): Uint8Array => bytes.subarray(0, -100);
    const long = (bytes: Buffer): Uint8Array => Buffer.concat([bytes, Buffer.from('x')]);
    for (const announced of [true, false]) {
      for (const body of [short, long]) {
        await expect(pulled(() => ({ body, announced }))).rejects.toMatchObject({
          side: 'source',
          subject: expect.stringMatching(/sha256:|team\/web/),
        });
      }
    }
  });

  judged('whose body ended too early once, as if that were all, is taken up again', ['docker-registry'], async () => {
    const { received } = await pulled(once({ body: (bytes) => bytes.subarray(0, 600_000) }));
    expect(received).toBe(size);
  });

  judged('that is sent to another host comes from there', ['docker-registry'], async () => {
    const { host } = await upstream();
    const location = `http://${host}/v2/team/web/blobs/${digest}`;
    const { received } = await pulled(() => ({ status: 307, headers: { location } }));
    expect(received).toBe(0);
  });
});
