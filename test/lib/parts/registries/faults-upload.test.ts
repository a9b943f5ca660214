import { describe, expect } from 'vitest';
import type { ContentSource } from '../../../../lib/kernel/content/model.ts';
import { type Fault, type FaultyRegistry, faulty, type Seen } from '../../../support/faults.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { dockerRegistry, sampleImage } from '../../../support/registry.ts';
import { connect, copyOne, noting, stored, uploads, waits } from './faults.ts';

const folder = scratch('faults-upload');
const upstream = dockerRegistry(folder);
const image = sampleImage('faulty upload', 1_000_000);
const { size, digest } = image.layer;
let copies = 0;

interface Pushed {
  readonly proxy: FaultyRegistry;
  readonly sent: number;
  readonly asked: readonly number[];
  readonly error: unknown;
}

/** Copies the layer to a registry that is faulty, and looks at what the registry has of it afterwards. */
async function pushed(
  fault: (seen: Seen, count: number) => Fault | undefined,
  { idle = 20_000, source = image as ContentSource, whole = size } = {},
): Promise<Pushed> {
  const { host } = await upstream();
  let count = 0;
  const proxy = await faulty(host, (seen) => {
    if (uploads(seen)) count += 1;
    return fault(seen, count);
  });
  copies += 1;
  const { asked, timing } = waits();
  const upload = { whole, chunk: 200_000 };
  const target = await connect(proxy.host, `copied/${copies}`, { timing: { ...timing, idle, answer: idle }, upload });
  const honest = await connect(host, `copied/${copies}`);
  const error = await copyOne(image.layer, source, target).then(
    () => undefined,
    (caught) => caught,
  );
  expect(await honest.has(image.layer)).toBe(error === undefined);
  if (!error) expect(Buffer.compare(await stored(honest, image.layer), image.bytesOf(image.layer))).toBe(0);
  await Promise.all([target.close(), honest.close()]);
  return { proxy, sent: proxy.sent(uploads), asked, error };
}

/** The fault befalls the first request that sends bytes. */
const first = (fault: Fault) => (seen: Seen, count: number) => (uploads(seen) && count === 1 ? fault : undefined);

describe('a push', () => {
  judged(
    'that fails tells what it was refused with, also where the registry cannot say what it has',
    ['docker-registry'],
    async () => {
      const body = JSON.stringify({ errors: [{ code: 'UNKNOWN', message: 'no space left on device' }] });
      const { error } = await pushed((seen, count) => {
        if (uploads(seen)) return { status: 500, body };
        return seen.method === 'HEAD' && count > 0 ? { status: 500 } : undefined;
      });
      expect(error).toMatchObject({
        code: 'registry-error',
        message: expect.stringMatching(/^PUT .* status 500 \(UNKNOWN: no space left on device\)/),
        hint: 'the disk of the registry is full: make room there',
      });
    },
  );

  judged('that is cut at any tenth of a blob is taken up again', ['docker-registry'], async () => {
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const after = Math.floor((size * tenth) / 10);
      const { sent, error } = await pushed(first({ cut: 'request', after }));
      expect(error).toBeUndefined();
      // This registry keeps nothing of an upload that broke, and so no more than what was lost is sent once more.
      expect(sent).toBeLessThanOrEqual(size + after);
    }
  });

  judged('whose last answer is lost is found to be done', ['docker-registry'], async () => {
    const { sent, error } = await pushed(first({ cut: 'answer', after: 0 }));
    expect(error).toBeUndefined();
    expect(sent).toBe(size);
  });

  judged('in pieces that is cut at any tenth is taken up again', ['docker-registry'], async () => {
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const after = Math.floor((size * tenth) / 10);
      let passed = 0;
      let done = false;
      const { sent, error } = await pushed(
        (seen) => {
          if (done || seen.method !== 'PATCH') return undefined;
          const length = Number(seen.headers['content-length']);
          passed += length;
          if (passed <= after) return undefined;
          done = true;
          return { cut: 'request', after: after - (passed - length) };
        },
        { whole: 0, source: noting(image) },
      );
      expect(error).toBeUndefined();
      // It may still tell of an upload that it gives up with the next piece.
      expect(sent).toBeLessThanOrEqual(size + after + 200_000);
    }
  });

  judged('that always breaks is given up after four attempts', ['docker-registry'], async () => {
    const { sent, error } = await pushed((seen) => (uploads(seen) ? { cut: 'request', after: 500_000 } : undefined));
    expect(sent).toBe(4 * 500_000);
    expect(error).toMatchObject({
      code: 'registry-unreachable',
      side: 'target',
      subject: expect.stringContaining('copied/'),
      message: expect.stringContaining(digest),
    });
  });

  judged('keeps to Retry-After, in seconds or until a date', ['docker-registry'], async () => {
    const seconds = await pushed(first({ status: 429, headers: { 'retry-after': '3' } }));
    expect(seconds).toMatchObject({ error: undefined, asked: [3000] });
    const date = new Date(Date.now() + 20_000).toUTCString();
    const until = await pushed(first({ status: 429, headers: { 'retry-after': date } }));
    expect(until.error).toBeUndefined();
    expect(until.asked[0]).toBeLessThanOrEqual(20_000);
    const never = await pushed(first({ status: 429, headers: { 'retry-after': '3600' } }));
    expect(never).toMatchObject({ asked: [], error: { code: 'registry-error', side: 'target' } });
  });

  judged('outlives bursts of 500, 502 and 503', ['docker-registry'], async () => {
    const statuses = [500, 502, 503];
    const { asked, error } = await pushed((seen, count) =>
      uploads(seen) && count <= 3 ? { status: statuses[count - 1]! } : undefined,
    );
    expect(error).toBeUndefined();
    expect(asked).toHaveLength(3);
    expect(asked[2]).toBeGreaterThan(asked[0]!);
  });

  judged(
    'is not repeated where the registry says no, and the registry is told to forget it',
    ['docker-registry'],
    async () => {
      const body = JSON.stringify({ errors: [{ code: 'DENIED', message: 'quota exceeded' }] });
      const { proxy, error } = await pushed(first({ status: 403, body }));
      expect(proxy.seen.filter(uploads)).toHaveLength(1);
      expect(proxy.seen.at(-1)).toMatchObject({ method: 'DELETE', status: 204 });
      expect(error).toMatchObject({
        code: 'registry-denied',
        side: 'target',
        message: expect.stringContaining('quota'),
      });
    },
  );

  judged('goes in pieces where one is too large', ['docker-registry'], async () => {
    const limit = 300_000;
    const { proxy, error } = await pushed((seen) =>
      Number(seen.headers['content-length'] ?? 0) > limit ? { status: 413 } : undefined,
    );
    expect(error).toBeUndefined();
    expect(proxy.seen.filter(({ method }) => method === 'PATCH').length).toBeGreaterThanOrEqual(size / limit);
  });

  judged('goes in one piece where a registry takes none', ['docker-registry'], async () => {
    const { proxy, error } = await pushed(({ method }) => (method === 'PATCH' ? { status: 405 } : undefined), {
      whole: 0,
    });
    expect(error).toBeUndefined();
    expect(proxy.seen.filter(uploads).map(({ method }) => method)).toEqual(['PATCH', 'PUT']);
  });

  judged('is not sent to a Location that no honest registry names', ['docker-registry'], async () => {
    for (const location of ['ftp://example.com/x', 'http://ada:secret@example.com/', 'http://[']) {
      const { error, sent } = await pushed(({ method }) => (method === 'POST' ? { headers: { location } } : undefined));
      expect(sent).toBe(0);
      expect(error).toMatchObject({ code: 'registry-error', side: 'target', message: expect.stringContaining(digest) });
      expect(String((error as Error).message)).not.toContain('secret');
    }
  });

  judged('to a Location that is wrong begins again, and is given up', ['docker-registry'], async () => {
    const location = '/v2/copied/nowhere/blobs/uploads/00000000-0000-0000-0000-000000000000?_state=x';
    const { error } = await pushed(({ method }) => (method === 'POST' ? { headers: { location } } : undefined));
    expect(error).toMatchObject({ code: 'registry-error', side: 'target', message: expect.stringContaining('404') });
    const once = await pushed(({ method }, count) =>
      method === 'POST' && count === 0 ? { headers: { location } } : undefined,
    );
    expect(once.error).toBeUndefined();
  });

  judged('whose source breaks blames the source, and is not repeated', ['docker-registry'], async () => {
    const source: ContentSource = {
      name: 'broken disk',
      open: async function* () {
        yield image.bytesOf(image.layer).subarray(0, 400_000);
        throw Object.assign(new Error('the disk is gone'), { code: 'ECONNRESET' });
      },
    };
    const { error, proxy } = await pushed(() => undefined, { source });
    expect(error).toMatchObject({ message: 'the disk is gone' });
    expect(proxy.seen.filter(uploads).length).toBeLessThanOrEqual(1);
  });
});
