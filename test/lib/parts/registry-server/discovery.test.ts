import { describe, expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex } from '../../../../formats/oci/manifest.ts';
import { startRegistry } from '../../../../lib/parts/registry-server/index.ts';

import { call, image, sbom, served, shareRegistry, signature, web } from './shelf.ts';

shareRegistry();

describe('discovery', () => {
  test('the base and the health check answer', async () => {
    const base = await call('/v2/');
    expect(base).toMatchObject({ status: 200, headers: { 'docker-distribution-api-version': 'registry/2.0' } });
    expect((await call('/v2')).status).toBe(200);
    expect((await call('/healthz')).body.toString()).toBe('ok\n');
  });

  test('tags are listed in order, and by pages', async () => {
    const list = async (query: string): Promise<[string[], string | undefined]> => {
      const { body, headers } = await call(`${web}/tags/list${query}`);
      const { name, tags } = JSON.parse(body.toString());
      expect(name).toBe('library/web');
      return [tags, headers['link'] as string | undefined];
    };
    expect(await list('')).toEqual([['1.0', 'C', 'a', 'b'], undefined]);
    expect(await list('?n=2')).toEqual([['1.0', 'C'], `<${web}/tags/list?n=2&last=C>; rel="next"`]);
    expect(await list('?n=2&last=C')).toEqual([['a', 'b'], undefined]);
    expect(await list('?n=100&last=B')).toEqual([['C', 'a', 'b'], undefined]);
    expect(await list('?last=zzz')).toEqual([[], undefined]);
    expect(await list('?n=0')).toEqual([[], undefined]);
    expect(await list('?n=1&ns=docker.io')).toEqual([
      ['1.0'],
      `<${web}/tags/list?n=1&ns=docker.io&last=1.0>; rel="next"`,
    ]);
  });

  test('repositories are listed in order, each behind its registry, and by pages', async () => {
    const list = async (query: string): Promise<[string[], string | undefined]> => {
      const { body, headers } = await call(`/v2/_catalog${query}`);
      return [JSON.parse(body.toString()).repositories, headers['link'] as string | undefined];
    };
    const [all, more] = await list('');
    expect([all, more]).toEqual([all.toSorted(), undefined]);
    expect(all).toContain('docker.io/library/web');
    expect(all.join(' ')).not.toContain(':');
    const [first, second, ...rest] = all;
    const next = new URLSearchParams({ n: '1', last: first! });
    expect(await list('?n=1')).toEqual([[first], `</v2/_catalog?${next}>; rel="next"`]);
    expect((await list(`?last=${encodeURIComponent(first!)}`))[0]).toEqual([second, ...rest].filter(Boolean));
    expect((await call('/v2/_catalog', { method: 'POST' })).status).toBe(405);
  });

  test('a page has at most ten thousand tags, whatever is asked for', async () => {
    const tags = Array.from({ length: 10_001 }, (_, number) => `t${String(number).padStart(5, '0')}`);
    const contents = [served('many.iso', [['docker.io', 'many/tags', tags, image]])];
    const { url: at, close } = await startRegistry(contents, { host: '127.0.0.1', port: 0 });
    onTestFinished(close);
    for (const query of ['', '?n=20000']) {
      const { body, headers } = await call(`/v2/many/tags/tags/list${query}`, { at });
      expect(JSON.parse(body.toString()).tags).toEqual(tags.slice(0, 10_000));
      expect(headers['link']).toMatch(/last=t09999>; rel="next"$/);
    }
  });

  test('referrers are listed, if asked for of one type alone', async () => {
    const path = `${web}/referrers/${image.root.digest}`;
    const all = await call(path);
    expect(all).toMatchObject({ status: 200, headers: { 'content-type': mediaTypes.index } });
    const [listedSbom, listedSignature] = [sbom, signature].map(({ descriptor }, index) => ({
      ...descriptor,
      artifactType: ['application/spdx+json', 'application/vnd.example.signature'][index],
      annotations: { made: 'here' },
    }));
    expect(JSON.parse(all.body.toString())).toEqual({
      schemaVersion: 2,
      mediaType: mediaTypes.index,
      manifests: [listedSignature, listedSbom],
    });
    const one = await call(`${path}?artifactType=${encodeURIComponent('application/spdx+json')}`);
    expect(one.headers['oci-filters-applied']).toBe('artifactType');
    expect(JSON.parse(one.body.toString()).manifests).toEqual([listedSbom]);
  });

  test.each([`${web}/referrers/${sha256('nobody')}`, `/v2/absent/web/referrers/${image.root.digest}`])(
    '%s has none, which is no error',
    async (path) => {
      const reply = await call(path);
      expect(reply.status).toBe(200);
      expect(Buffer.compare(reply.body, encodeIndex({ manifests: [] }))).toBe(0);
    },
  );
});
