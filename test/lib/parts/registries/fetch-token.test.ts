import { createSign, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import { mergeScopes } from '../../../../lib/parts/registries/fetch-token.ts';
import type { RegistryOptions, Repository } from '../../../../lib/parts/registries/index.ts';
import { faulty } from '../../../support/faults.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { openRepository } from '../../../support/open-repository.ts';
import { dockerRegistry, sampleImage, selfSigned, user } from '../../../support/registry.ts';

const folder = scratch('token');
const key = join(folder, 'key.pem');
const certificate = join(folder, 'certificate.pem');

/** What the token server was asked, and how it answers. */
const asked: { method: string; scopes: string[]; service: string | null; authorization: string | undefined }[] = [];
let life: number | undefined;
let field: 'token' | 'access_token' = 'token';

const server: Server = createServer(async (request, response) => {
  const url = new URL(request.url!, 'http://token.invalid');
  const form = new URLSearchParams(Buffer.from(await collect(request, 10_000)).toString());
  const scopes = request.method === 'POST' ? form.get('scope')!.split(' ') : url.searchParams.getAll('scope');
  const { authorization } = request.headers;
  asked.push({ method: request.method!, scopes, service: url.searchParams.get('service'), authorization });
  const basic = `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
  const known = authorization === basic || form.get('refresh_token') === 'identity';
  if (!known && authorization !== undefined) {
    response.writeHead(401).end(JSON.stringify({ details: `no user of ${authorization}` }));
    return;
  }
  const allowed = known ? ['pull', 'push'] : ['pull'];
  const access = scopes.map((scope) => {
    const [type, name, actions] = scope.split(':');
    return { type, name, actions: actions!.split(',').filter((action) => allowed.includes(action)) };
  });
  const body = { [field]: sign(access), ...(life === undefined ? {} : { expires_in: life }) };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
});
await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
afterAll(() => server.close());

/** A JSON Web Token as docker-registry wants it. */
function sign(access: unknown): string {
  const chain = readFileSync(certificate, 'utf8').replace(/-----[^-]+-----|\s/g, '');
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'issuer',
    sub: 'x',
    aud: 'service',
    exp: now + 600,
    nbf: now - 60,
    iat: now,
    jti: randomUUID(),
    access,
  };
  const parts = [{ alg: 'ES256', typ: 'JWT', x5c: [chain] }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = createSign('sha256')
    .update(text)
    .sign({ key: readFileSync(key, 'utf8'), dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

const realm = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?account=1`;
const registry = dockerRegistry(folder, {
  token: {
    realm,
    service: 'service',
    issuer: 'issuer',
    rootcertbundle: certificate,
  },
});

async function connect(options: RegistryOptions, repository = 'team/web'): Promise<Repository> {
  prepared ??= selfSigned(key, certificate, ['-subj', '/CN=issuer']);
  await prepared;
  asked.length = 0;
  return openRepository({ scheme: 'http', registry: (await registry()).host, repository }, options);
}
let prepared: Promise<void> | undefined;

describe('docker-registry with a token server', () => {
  const image = sampleImage('token', 50_000);
  const credentials = async (): Promise<typeof user> => user;

  judged('one token serves a whole push, and parallel requests share it', ['docker-registry', 'openssl'], async () => {
    const repository = await connect({ credentials });
    const blobs = [...image.blobs.values()].filter(({ descriptor }) => /config|layer/.test(descriptor.mediaType));
    expect(await repository.has(image.layer)).toBe(false);
    await Promise.all(blobs.map(({ descriptor }) => repository.push(descriptor, () => image.open(descriptor))));
    for (const { descriptor } of image.blobs.values()) {
      if (!(await repository.has(descriptor))) await repository.push(descriptor, () => image.open(descriptor));
    }
    await repository.tag(image.root, image.bytesOf(image.root), 'v1');
    expect(asked).toMatchObject([{ method: 'GET', service: 'service', scopes: ['repository:team/web:pull,push'] }]);
    await repository.close();
  });

  judged('who is not known can read, but not write', ['docker-registry', 'openssl'], async () => {
    const repository = await connect({});
    expect(await repository.resolve('v1')).toEqual(image.root);
    expect(asked).toMatchObject([{ scopes: ['repository:team/web:pull'], authorization: undefined }]);
    await expect(repository.push(image.layer, () => image.open(image.layer))).rejects.toMatchObject({
      code: 'registry-denied',
    });
    await repository.close();
  });

  judged('an identity token is exchanged by POST', ['docker-registry', 'openssl'], async () => {
    field = 'access_token';
    const repository = await connect({
      credentials: async () => ({ username: '', password: '', identityToken: 'identity' }),
    });
    await repository.push(image.layer, () => image.open(image.layer));
    expect(asked).toMatchObject([{ method: 'POST', authorization: undefined }]);
    field = 'token';
    await repository.close();
  });

  judged('a token that has run out is asked for anew', ['docker-registry', 'openssl'], async () => {
    life = 0.000_001;
    const repository = await connect({ credentials });
    await repository.resolve('v1');
    await repository.resolve('v1');
    life = undefined;
    expect(asked.length).toBeGreaterThanOrEqual(2);
    await repository.close();
  });

  judged(
    'a token that runs out while a blob is sent is replaced, and the blob sent once more',
    ['docker-registry', 'openssl'],
    async () => {
      await (await connect({})).close();
      const { host } = await registry();
      let refused = '';
      const proxy = await faulty(host, ({ method, headers }) => {
        if (method !== 'PUT' || refused !== '') return undefined;
        refused = headers.authorization!;
        const scope = 'repository:team/expiring:pull,push';
        const challenge = `Bearer realm="${realm}",service="service",scope="${scope}",error="invalid_token"`;
        return { status: 401, headers: { 'www-authenticate': challenge } };
      });
      const target = { scheme: 'http', registry: proxy.host, repository: 'team/expiring' } as const;
      const repository = await openRepository(target, { credentials });
      await copy([[{ descriptor: image.layer, source: image }]], repository);
      expect(await repository.has(image.layer)).toBe(true);
      expect(asked).toHaveLength(2);
      const sent = proxy.seen.filter(({ method }) => method === 'PUT').map(({ headers }) => headers.authorization);
      expect(sent).toHaveLength(2);
      expect(sent[1]).not.toBe(refused);
      await repository.close();
    },
  );

  judged('a mount asks for the right to read the other repository', ['docker-registry', 'openssl'], async () => {
    const first = await connect({ credentials }, 'team/first');
    await first.push(image.layer, () => image.open(image.layer));
    const second = await connect({ credentials }, 'team/second');
    expect(await second.adopt!(image.layer, first)).toBe(true);
    expect(await second.has(image.layer)).toBe(true);
    expect(asked[0]!.scopes).toEqual(['repository:team/first:pull', 'repository:team/second:pull,push']);
    await Promise.all([first.close(), second.close()]);
  });

  judged(
    'a refusal of the token server names it, and keeps what it repeats of a password',
    ['docker-registry', 'openssl'],
    async () => {
      const repository = await connect({ credentials: async () => ({ ...user, password: 'letmein123' }) });
      const error = await repository.resolve('v1').catch((caught) => caught);
      expect(error).toMatchObject({
        code: 'registry-denied',
        message: expect.stringMatching(/^GET .*\/token.* 401 .*\*\*\*/),
      });
      expect(error.message).not.toContain(Buffer.from(`${user.username}:letmein123`).toString('base64'));
      await repository.close();
    },
  );
});

describe('mergeScopes', () => {
  test('joins what is asked of one resource, in an order of its own', () => {
    const scopes = [
      'repository:b:pull',
      'aws',
      'repository:a:5000/x:push,pull',
      'repository:b:push,pull',
      'registry:catalog:*',
    ];
    expect(mergeScopes(scopes)).toEqual([
      'aws',
      'registry:catalog:*',
      'repository:a:5000/x:pull,push',
      'repository:b:pull,push',
    ]);
  });
});
