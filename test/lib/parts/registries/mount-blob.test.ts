import { describe, expect } from 'vitest';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import { openRegistries } from '../../../../lib/parts/registries/index.ts';
import { faulty } from '../../../support/faults.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { dockerRegistry, sampleImage } from '../../../support/registry.ts';
import { connect, groupsOf, push, stored, uploads, waits } from './faults.ts';

const folder = scratch('mount');
const upstream = dockerRegistry(folder);
const image = sampleImage('mounted', 200_000);
const blobs = [...image.blobs.values()].filter(({ descriptor }) => !descriptor.mediaType.includes('manifest'));

describe('a blob that another repository of the registry has', () => {
  judged('is mounted, and not sent, where it is copied from there', ['docker-registry'], async () => {
    const { host } = await upstream();
    const proxy = await faulty(host, () => undefined);
    const from = await connect(proxy.host, 'team/first');
    await push(image, from, '1');
    const before = proxy.sent(uploads);
    const to = await connect(proxy.host, 'team/second');
    expect(await copy(await groupsOf(image, from), to)).toMatchObject({ moved: 3 });
    // Nothing but the manifests was sent.
    expect(proxy.sent(uploads) - before).toBeLessThan(10_000);
    for (const { descriptor, bytes } of image.blobs.values()) {
      expect(Buffer.compare(await stored(to, descriptor), bytes)).toBe(0);
    }
    await Promise.all([from.close(), to.close()]);
  });

  judged(
    'is sent once, whatever the number of repositories that are opened together',
    ['docker-registry'],
    async () => {
      const { host } = await upstream();
      const proxy = await faulty(host, () => undefined);
      const registries = openRegistries({ timing: waits().timing });
      const own = sampleImage('known', 200_000);
      for (const repository of ['known/a', 'known/b', 'known/c']) {
        const target = registries.open({ scheme: 'http', registry: proxy.host, repository });
        await push(own, target, '1');
        expect(await target.resolve('1')).toEqual(own.root);
      }
      const total = [...own.blobs.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(proxy.sent(uploads)).toBeLessThan(total + 20_000);
      expect(proxy.seen.filter(({ url, status }) => url.includes('mount=') && status === 201)).toHaveLength(10);
      registries.close();
    },
  );

  judged('is sent like any other where mounting fails, however it does', ['docker-registry'], async () => {
    const { host } = await upstream();
    const from = await connect(host, 'team/origin');
    await push(image, from, '1');
    for (const [index, status] of [202, 400, 401, 403, 404, 405, 500].entries()) {
      let opened = '';
      const proxy = await faulty(host, ({ url }) => {
        if (!url.includes('mount=')) return undefined;
        return status === 202 ? { status, headers: { location: opened } } : { status };
      });
      // An upload that the registry opens in place of mounting is the one that is used.
      if (status === 202) {
        const answer = await fetch(`http://${proxy.host}/v2/fallback/${index}/blobs/uploads/`, { method: 'POST' });
        opened = answer.headers.get('location')!;
      }
      const to = await connect(proxy.host, `fallback/${index}`);
      const source = await connect(proxy.host, 'team/origin');
      const { descriptor } = blobs[0]!;
      expect(await copy([[{ descriptor, source }]], to)).toMatchObject({ moved: 1 });
      expect(await to.has(descriptor)).toBe(true);
      const posts = proxy.seen.filter(({ method, url }) => method === 'POST' && !url.includes('mount='));
      expect(posts).toHaveLength(1);
      await Promise.all([to.close(), source.close()]);
    }
    await from.close();
  });
});
