import { describe, expect, test } from 'vitest';
import { hop } from '../../../../lib/kernel/http/redirect.ts';
import { openRegistries } from '../../../../lib/parts/registries/index.ts';

import { connect, front, image, read, sendManifest, user } from './front.ts';

describe('authentication', () => {
  test('what a place that one is redirected to asks for is not answered', async () => {
    const realm = await front((_, response) => response.end('{"token":"stolen"}'));
    const header = `Bearer realm="http://${realm.host}/token"`;
    const store = await front((_, response) => response.writeHead(401, { 'www-authenticate': header }).end());
    const { host } = await front((_, response) => response.writeHead(307, { location: `http://${store.host}/` }).end());
    const repository = await connect(host, { credentials: user });
    await expect(read(repository, image.layer)).rejects.toMatchObject({ code: 'registry-error' });
    expect(realm.seen).toHaveLength(0);
  });

  test('requests that come together share one token, and one of them that is refused gets a new one', async () => {
    let valid = 1;
    const { host, seen } = await front((request, response) => {
      if (request.url!.startsWith('/token')) return response.end(`{"token":"t${valid}","expires_in":300}`);
      if (request.headers.authorization === `Bearer t${valid}`) return sendManifest(response);
      const header = `Bearer realm="http://${request.headers.host}/token"`;
      return response.writeHead(401, { 'www-authenticate': header }).end();
    });
    const repository = await connect(host);
    await Promise.all(Array.from({ length: 8 }, () => repository.resolve('1')));
    const fetched = (): number => seen.filter(({ url }) => url!.startsWith('/token')).length;
    expect(fetched()).toBe(1);
    valid = 2;
    expect(await repository.resolve('1')).toEqual(image.root);
    expect(fetched()).toBe(2);
  });

  test('a realm without TLS is not used for a registry with TLS', () => {
    expect(() =>
      hop(new URL('https://registry.example.com/'), 'http://auth.example.com/token', 'redirects for a token'),
    ).toThrow('redirects for a token from https to http');
  });

  test('is tried again once, and the second refusal is the last', async () => {
    const { host, seen } = await front((_, response) =>
      response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end(),
    );
    await expect((await connect(host, { credentials: user })).has(image.layer)).rejects.toMatchObject({
      code: 'registry-denied',
    });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      `Basic ${Buffer.from('ada:letmein123').toString('base64')}`,
    ]);
  });

  test('a token that lacks a scope is replaced by one that has it, also where that is a 403', async () => {
    const wide = 'repository:team/web:pull repository:team/base:pull';
    const asked: string[][] = [];
    const { host } = await front((request, response) => {
      const url = new URL(request.url!, `http://${request.headers.host}`);
      if (url.pathname === '/token') {
        const scopes = url.searchParams.getAll('scope');
        asked.push(scopes);
        return response.end(JSON.stringify({ access_token: scopes.length > 1 ? 'wide' : 'narrow' }));
      }
      if (request.headers.authorization === 'Bearer wide') return sendManifest(response);
      const realm = `Bearer realm="${url.origin}/token",service="s"`;
      if (request.headers.authorization === undefined) {
        return response.writeHead(401, { 'www-authenticate': realm }).end();
      }
      const header = `${realm},scope="${wide}",error="insufficient_scope"`;
      return response.writeHead(403, { 'www-authenticate': header }).end();
    });
    const repository = await connect(host);
    expect(await repository.resolve('1')).toEqual(image.root);
    expect(asked).toEqual([['repository:team/web:pull'], ['repository:team/base:pull', 'repository:team/web:pull']]);
  });

  test('a registry whose token server answers without end is left', async () => {
    const { host } = await front((request, response) => {
      const realm = `Bearer realm="http://${request.headers.host}/token"`;
      if (!request.url!.startsWith('/token')) return response.writeHead(401, { 'www-authenticate': realm }).end();
      return response.end(JSON.stringify({ token: 'x'.repeat(200_000) }));
    });
    await expect((await connect(host)).resolve('1')).rejects.toMatchObject({
      message: expect.stringMatching(/more than/),
    });
  });

  test('several repositories of one registry share a token where its scope is the same, and no others do', async () => {
    let count = 0;
    const { host } = await front((request, response) => {
      if (request.url!.startsWith('/token')) {
        count += 1;
        return response.end(JSON.stringify({ token: `t${count}`, expires_in: 300 }));
      }
      if (request.headers.authorization) return sendManifest(response);
      const realm = `Bearer realm="http://${request.headers.host}/token"`;
      return response.writeHead(401, { 'www-authenticate': realm }).end();
    });
    const registries = openRegistries();
    const open = (repository: string) => registries.open({ scheme: 'http', registry: host, repository });
    for (const repository of ['team/web', 'team/web', 'team/api']) await open(repository).resolve('1');
    expect(count).toBe(2);
    registries.close();
  });

  test('a bearer is preferred, its token remembered, and a malformed challenge refused', async () => {
    let challenge = 'Basic realm="r", Bearer realm="REALM",service="s",scope="repository:team/web:pull"';
    const { host, seen } = await front((request, response) => {
      if (request.url!.startsWith('/token')) return response.end('{"token":"opaque","expires_in":300}');
      if (request.headers.authorization === 'Bearer opaque') return sendManifest(response);
      const header = challenge.replace('REALM', `http://${request.headers.host}/token`);
      return response.writeHead(401, { 'www-authenticate': header }).end();
    });
    const repository = await connect(host, { credentials: user });
    await repository.resolve('1');
    await repository.resolve('1');
    expect(seen.map(({ url }) => url!.split('?')[0])).toEqual([
      '/v2/team/web/manifests/1',
      '/token',
      '/v2/team/web/manifests/1',
      '/v2/team/web/manifests/1',
    ]);
    challenge = 'Bearer realm="unclosed';
    await expect((await connect(host)).resolve('1')).rejects.toMatchObject({
      code: 'registry-error',
      message: expect.stringContaining('challenge-invalid'),
    });
  });

  test.each(['{}', 'not json', '{"token":"two words"}', '{"token":"a\\nb"}', '{"token":5}', '[]', '"x"'])(
    'the answer %s of a token server is refused',
    async (body) => {
      const { host } = await front((request, response) => {
        if (request.url!.startsWith('/token')) return response.end(body);
        const header = `Bearer realm="http://${request.headers.host}/token"`;
        return response.writeHead(401, { 'www-authenticate': header }).end();
      });
      await expect((await connect(host)).resolve('1')).rejects.toMatchObject({
        code: 'registry-error',
        message: expect.stringContaining('without a usable token'),
      });
    },
  );
});
