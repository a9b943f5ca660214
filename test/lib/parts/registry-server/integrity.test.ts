import { describe, expect, test } from 'vitest';
import { memory, type ReadAt } from '../../../../formats/bytes.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { startRegistry } from '../../../../lib/parts/registry-server/index.ts';

import { call, image, layer, layerPath, served, shareRegistry, web } from './shelf.ts';

shareRegistry();

describe('damage', () => {
  const flip =
    (at: number) =>
    (descriptor: Descriptor, source: ReadAt): ReadAt => {
      if (descriptor.digest !== image.layer.digest && descriptor.digest !== image.root.digest) return source;
      return {
        size: source.size,
        read: async (offset, length) => {
          const bytes = Uint8Array.from(await source.read(offset, length));
          if (at >= offset && at < offset + length) bytes[at - offset]! ^= 1;
          return bytes;
        },
      };
    };

  test.each([0, 800_000, layer.length - 1])(
    'a layer with byte %i flipped is never completed, and an error from then on',
    async (at) => {
      const problems: unknown[] = [];
      const contents = [served('bad.iso', [['docker.io', 'library/web', ['1'], image]], flip(at))];
      const damaged = await startRegistry(contents, {
        host: '127.0.0.1',
        port: 0,
        onProblem: (problem) => problems.push(problem),
      });
      await expect(call(layerPath, { at: damaged.url })).rejects.toMatchObject({ code: 'ECONNRESET' });
      const part = await call(layerPath, { at: damaged.url, headers: { range: 'bytes=100-200' } });
      expect(part.status).toBe(500);
      for (const headers of [{}, { range: 'bytes=0-' }]) {
        expect((await call(layerPath, { at: damaged.url, headers })).status).toBe(500);
      }
      expect(problems).toHaveLength(4);
      expect(problems[0]).toMatchObject({ code: 'digest-mismatch' });
      await damaged.close();
    },
  );

  test('a damaged manifest is an error, and says nothing of this machine', async () => {
    const damaged = await startRegistry(
      [served('/secret/bad.iso', [['docker.io', 'library/web', ['1'], image]], flip(3))],
      {
        host: '127.0.0.1',
        port: 0,
      },
    );
    const reply = await call(`${web}/manifests/1`, { at: damaged.url });
    expect(reply.status).toBe(500);
    expect(reply.body.toString()).not.toContain('secret');
    await damaged.close();
  });

  test('a layer that is shorter, longer or gone is an error; when it is whole again, it is served', async () => {
    let change: (source: ReadAt) => ReadAt = (source) => ({ ...source, size: source.size - 1 });
    const contents = served('bad.iso', [['docker.io', 'library/web', ['1'], image]], (_, source) => change(source));
    const damaged = await startRegistry([contents], { host: '127.0.0.1', port: 0 });
    const range = { range: 'bytes=5-9' };
    expect((await call(layerPath, { at: damaged.url })).status).toBe(500);
    expect((await call(layerPath, { at: damaged.url, headers: range })).status).toBe(500);
    change = () => memory(Buffer.concat([layer, Buffer.alloc(1)]));
    expect((await call(layerPath, { at: damaged.url })).status).toBe(500);
    change = () => {
      throw Object.assign(new Error('read error'), { code: 'EIO' });
    };
    expect((await call(layerPath, { at: damaged.url })).status).toBe(500);
    change = (source) => source;
    expect((await call(layerPath, { at: damaged.url, headers: range })).status).toBe(206);
    await damaged.close();
  });

  test('what changes after it was found right is not handed on, though nothing tells of the change', async () => {
    const now = Uint8Array.from(layer);
    const contents = served('good.iso', [['docker.io', 'library/web', ['1'], image]], (descriptor, source) =>
      descriptor.digest === image.layer.digest ? memory(now) : source,
    );
    const changing = await startRegistry([contents], { host: '127.0.0.1', port: 0 });
    const get = (range?: string) => call(layerPath, { at: changing.url, headers: range ? { range } : {} });
    expect((await get()).body).toEqual(Buffer.from(layer));
    expect((await get('bytes=0-9')).body).toEqual(Buffer.from(layer.subarray(0, 10)));
    const at = 1_200_000;
    now[at]! ^= 1;
    // A part that does not have the byte is what it was.
    expect((await get('bytes=0-9')).status).toBe(206);
    expect((await get(`bytes=${at + 10}-${at + 20}`)).status).toBe(500);
    expect((await get()).status).toBe(500);
    now[at]! ^= 1;
    expect((await get(`bytes=${at - 1}-${at + 200_000}`)).body).toEqual(
      Buffer.from(layer.subarray(at - 1, at + 200_001)),
    );
    expect((await get()).body).toEqual(Buffer.from(layer));
    now[layer.length - 1]! ^= 1;
    await expect(get()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await changing.close();
  });
});
