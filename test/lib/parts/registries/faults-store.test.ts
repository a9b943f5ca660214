import { spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import { faulty } from '../../../support/faults.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { dockerRegistry, sampleImage, user } from '../../../support/registry.ts';
import { connect, copyOne, groupsOf, noting, push, uploads } from './faults.ts';

const folder = scratch('faults-store');
const guarded = dockerRegistry(folder, { htpasswd: true });
const small = dockerRegistry(folder, { room: 2_000_000 });
const upstream = dockerRegistry(folder);
const image = sampleImage('faulty store', 1_000_000);

describe('a registry whose disk is full', () => {
  judged('refuses a blob with its own words, and is left without a tag', ['docker-registry'], async (context) => {
    const namespaces = spawnSync('unshare', ['-rm', 'true']).status === 0;
    if (!namespaces && process.env['SOLPACK_REQUIRE_TOOLS'] !== '1') return context.skip('needs mount namespaces');
    const { host } = await small();
    const repository = await connect(host, 'team/web');
    await expect(push(image, repository, '1')).rejects.toMatchObject({
      code: 'registry-error',
      side: 'target',
      subject: `${host}/team/web`,
      message: expect.stringMatching(/status 5\d\d .*sha256:/),
      hint: 'the disk of the registry is full: make room there',
    });
    expect(await repository.resolve('1')).toBeUndefined();
    expect(await repository.has(image.root)).toBe(false);
    await repository.close();
  });
});

describe('credentials that expire while a blob is sent', () => {
  judged('are asked for anew, and the blob is sent once more', ['docker-registry'], async () => {
    const { host } = await guarded();
    let refused = 0;
    const proxy = await faulty(host, (seen) => {
      if (!uploads(seen) || seen.headers.authorization === undefined || refused > 0) return undefined;
      refused += 1;
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="again"' } };
    });
    const target = await connect(proxy.host, 'team/web', { credentials: async () => user });
    await copyOne(image.layer, noting(image), target);
    expect(refused).toBe(1);
    expect(await target.has(image.layer)).toBe(true);
    await target.close();
  });

  judged('that are refused from then on are reported once, without them', ['docker-registry'], async () => {
    const { host } = await guarded();
    const proxy = await faulty(host, (seen) =>
      uploads(seen)
        ? { status: 401, body: JSON.stringify({ errors: [{ code: 'X', message: `not ${user.password}` }] }) }
        : undefined,
    );
    const target = await connect(proxy.host, 'team/other', { credentials: async () => user });
    const error = await copyOne(image.layer, noting(image), target).catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: 'registry-denied', side: 'target' });
    expect(`${(error as Error).stack}`).not.toContain(user.password);
    expect(proxy.seen.filter(uploads)).toHaveLength(2);
    await target.close();
  });
});

describe('an image whose push fails', () => {
  judged('has neither tag nor manifest, whichever request it is that fails', ['docker-registry'], async () => {
    const { host } = await upstream();
    const honest = await connect(host, 'team/half');
    const { manifests } = await closureOf(new Manifests(image), image.root);
    for (const { descriptor } of manifests) {
      const proxy = await faulty(host, ({ method, url }) =>
        method === 'PUT' && url.includes(descriptor.digest) ? { status: 500 } : undefined,
      );
      const target = await connect(proxy.host, 'team/half');
      await expect(push(image, target, '1')).rejects.toMatchObject({
        code: 'registry-error',
        side: 'target',
        message: expect.stringContaining(descriptor.digest),
      });
      expect(await honest.resolve('1')).toBeUndefined();
      expect(await honest.has(image.root)).toBe(false);
      await target.close();
    }
    expect(await copy(await groupsOf(image), honest)).toMatchObject({ present: image.blobs.size - 1, moved: 1 });
    await honest.close();
  });
});
