import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SolpackError } from '../../../../lib/kernel/events/errors.ts';
import { basic } from '../../../../lib/parts/registries/credentials.ts';
import { credentialsFromFiles } from '../../../../lib/parts/registries/index.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { dockerRegistry, user } from '../../../support/registry.ts';

const folder = scratch('credentials');
let files = 0;

function auth(text: string): { auth: string } {
  return { auth: Buffer.from(text).toString('base64') };
}

function file(content: unknown): string {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('credentialsFromFiles', () => {
  test('the longest key wins that is the host, or the host and the beginning of the path', async () => {
    const find = credentialsFromFiles([
      file({
        auths: {
          'quay.io': auth('host:1'),
          'quay.io/team/web': auth('web:3'),
          'quay.io/team': auth('team:2'),
          'notquay.io': auth('other:4'),
        },
      }),
    ]);
    expect(await find('quay.io', 'team/web')).toEqual({ username: 'web', password: '3' });
    expect(await find('quay.io', 'team/web/api')).toEqual({ username: 'web', password: '3' });
    expect(await find('quay.io', 'team/website')).toEqual({ username: 'team', password: '2' });
    expect(await find('quay.io', 'other/x')).toEqual({ username: 'host', password: '1' });
    expect(await find('quay.io:443', 'team/web')).toBeUndefined();
    expect(await find('evil.quay.io', 'team/web')).toBeUndefined();
  });

  test.each(['https://index.docker.io/v1/', 'docker.io', 'index.docker.io/v1'])(
    '%s is the key of Docker Hub',
    async (key) => {
      const find = credentialsFromFiles([file({ auths: { [key]: auth('ada:secret') } })]);
      expect(await find('docker.io', 'library/nginx')).toEqual({ username: 'ada', password: 'secret' });
    },
  );

  test('keys may be URLs, and passwords hold colons', async () => {
    const find = credentialsFromFiles([
      file({ auths: { 'https://registry.example.com:5000/v2/': auth('ada:a:b\u0000') } }),
    ]);
    expect(await find('registry.example.com:5000', 'x')).toEqual({ username: 'ada', password: 'a:b' });
  });

  test('earlier files win, absent and empty ones do not count, entries without a secret are passed over', async () => {
    const find = credentialsFromFiles([
      join(folder, 'absent.json'),
      file(''),
      file({ credsStore: 'desktop', auths: { 'r.example.com': {} } }),
      file({ auths: { 'r.example.com': { username: 'first', password: 'p', identitytoken: 'i' } } }),
      file({ auths: { 'r.example.com': auth('second:p') } }),
    ]);
    expect(await find('r.example.com', 'x')).toEqual({ username: 'first', password: 'p', identityToken: 'i' });
  });

  test.each([
    ['not JSON', '{"auths":'],
    ['a list', '[]'],
    ['a number as auth', { auths: { 'r.example.com': { auth: 5 } } }],
    ['auth without a colon', { auths: { 'r.example.com': auth('ada') } }],
    ['auth without a user', { auths: { 'r.example.com': auth(':secret') } }],
  ])('a file with %s is refused, and nothing of it shown', async (_, content) => {
    const path = file(content);
    const error = await credentialsFromFiles([path])('r.example.com', 'x').catch((caught) => caught);
    expect(error).toBeInstanceOf(SolpackError);
    expect(error).toMatchObject({ code: 'credentials-invalid', subject: path });
    expect(error.message).not.toContain('secret');
  });

  test('a mutated file is read or refused, never anything else', async () => {
    const whole = JSON.stringify({
      auths: { 'r.example.com/a': auth('ada:secret'), 'https://index.docker.io/v1/': {} },
    });
    const path = file(whole);
    const find = credentialsFromFiles([path]);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        writeFileSync(path, cut ? bytes.subarray(0, at) : bytes);
        await find('r.example.com', 'a/b').catch((error) =>
          expect(error).toMatchObject({ code: 'credentials-invalid' }),
        );
      }),
    );
  });

  judged('reads what skopeo login wrote', ['docker-registry', 'skopeo'], async () => {
    const { host } = await registry();
    const path = join(folder, 'auth.json');
    const login = ['login', '--tls-verify=false', '--authfile', path, '-u', user.username, '-p', user.password, host];
    await ok('skopeo', login);
    expect(await credentialsFromFiles([path])(host, 'team/web')).toEqual(user);
  });
});

const registry = dockerRegistry(folder, { htpasswd: true });

test('a user name with a colon has no Basic form', () => {
  expect(() => basic({ username: 'a:b', password: 'secret' })).toThrow('must not contain a colon');
});
