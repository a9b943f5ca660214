import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type ClusterAccess,
  openCredentials,
} from '../../../../../../../lib/parts/clusters/kubernetes/server/client/credentials.ts';
import {
  apiServer,
  authority,
  connected,
  kubeconfig,
  send,
  signedBy,
  status,
  withDiscovery,
} from '../../../../../../support/apiserver.ts';
import { judged, ok, scratch } from '../../../../../../support/judges.ts';

const folder = scratch('credentials');
const signal = new AbortController().signal;
const secure = { server: 'https://127.0.0.1:1' };

async function access(user: object, cluster: object = secure): Promise<ClusterAccess> {
  const credentials = await openCredentials(kubeconfig(folder, cluster, user), signal);
  const found = await credentials.access();
  credentials.close();
  return found;
}

function program(name: string, lines: string): { apiVersion: string; command: string } {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return { apiVersion: 'client.authentication.k8s.io/v1', command: `./${name}` };
}

const printing = (fields: string): string =>
  `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{${fields}}}'`;

describe('a request is sent with', () => {
  test('a token, of the kubeconfig or of a file', async () => {
    writeFileSync(join(folder, 'token'), 'from-file\n');
    expect((await access({ token: 'plain' })).headers).toEqual({ authorization: 'Bearer plain' });
    expect((await access({ tokenFile: 'token', token: 'old' })).headers).toEqual({ authorization: 'Bearer from-file' });
  });

  test('user and password', async () => {
    expect((await access({ username: 'ada', password: 'lovelace' })).auth).toBe('ada:lovelace');
  });

  test('the token that a program prints, which is reported what it has to know', async () => {
    const exec = program('login', `echo "$KUBERNETES_EXEC_INFO" > ${folder}/info; ${printing(`"token":"t-'$1'"`)}`);
    const found = await access({
      exec: { ...exec, args: ['x'], env: [{ name: 'A', value: 'b' }], provideClusterInfo: true },
    });
    expect(found.headers).toEqual({ authorization: 'Bearer t-x' });
    expect(JSON.parse(readFileSync(join(folder, 'info'), 'utf8'))).toMatchObject({
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: 'https://127.0.0.1:1/' } },
    });
  });

  test('all that says on whose behalf it is', async () => {
    const extra = { 'example.com/reason': ['a', 'b'] };
    const found = await access({
      token: 't',
      as: 'bob',
      'as-uid': '7',
      'as-groups': ['g', 'h'],
      'as-user-extra': extra,
    });
    expect(found.headers).toEqual({
      authorization: 'Bearer t',
      'impersonate-user': 'bob',
      'impersonate-uid': '7',
      'impersonate-group': ['g', 'h'],
      'impersonate-extra-example.com%2Freason': ['a', 'b'],
    });
  });

  test('nothing secret where there is no TLS', async () => {
    const found = await access(
      { token: 't', username: 'a', password: 'b', as: 'bob' },
      { server: 'http://127.0.0.1:1' },
    );
    expect([found.headers, found.auth]).toEqual([{}, undefined]);
  });
});

describe('credentials that are of no use are reported', () => {
  const long = 'x'.repeat(5000);
  test.each<[string, object, string | RegExp]>([
    ['a file that is not there', { tokenFile: 'nowhere' }, /nowhere, which cannot be read: no such file/],
    [
      'a certificate that is not there',
      { 'client-certificate': 'none.crt', 'client-key': 'k' },
      /none\.crt, which cannot/,
    ],
    [
      'a certificate that is none',
      { 'client-certificate-data': 'AAAA', 'client-key-data': 'AAAA' },
      'not a PEM certificate',
    ],
    ['a certificate without a key', { 'client-certificate-data': 'AAAA' }, 'no client key'],
    ['a key without a certificate', { 'client-key-data': 'AAAA' }, 'no client certificate'],
    ['a token with a line break in it', { token: 'a\nb' }, 'characters that a token cannot have'],
    [
      'a program that is not there',
      { exec: { apiVersion: 'v1', command: 'solpack-no-such-program' } },
      'is not on this machine',
    ],
    [
      'a program that fails',
      { exec: program('fails', 'echo no  luck >&2; exit 3') },
      /"ada" come from, failed: no luck$/,
    ],
    ['a program that says much', { exec: program('loud', `echo ${long} >&2; exit 3`) }, /failed: x{300}$/],
    ['a program that fails silently', { exec: program('silent', 'exit 3') }, 'failed without a message'],
    ['a program that prints a secret only', { exec: program('bare', 'echo s3cr3t') }, 'printed no ExecCredential'],
    ['a program that prints no status', { exec: program('none', "echo '{}'") }, 'printed no ExecCredential'],
    ['a program that is none', { exec: { apiVersion: 'v1', command: './token' } }, /cannot be run: permission denied/],
    [
      'a program that has to ask',
      { exec: { ...program('asks', ''), interactiveMode: 'Always' } },
      'wants to ask a person',
    ],
    [
      'an identity token that is none',
      { 'auth-provider': { name: 'oidc', config: { 'id-token': 'a.b.c' } } },
      'not well-formed',
    ],
  ])('%s', async (_, user, message) => {
    const error = await access(user).then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).toMatchObject({
      code: 'kubeconfig-invalid',
      message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
      hint: expect.any(String),
    });
    expect(error.message).not.toContain('s3cr3t');
  });

  test('a hint of the kubeconfig tells where the program is to be had', async () => {
    const exec = { apiVersion: 'v1', command: 'solpack-no-such-program', installHint: 'ask the helpdesk' };
    await expect(access({ exec })).rejects.toMatchObject({ hint: 'ask the helpdesk' });
  });

  test('an authority that is not a certificate', async () => {
    const cluster = { ...secure, 'certificate-authority-data': 'AAAA' };
    await expect(access({}, cluster)).rejects.toMatchObject({
      message: expect.stringContaining('certificate authority'),
    });
  });

  test('a kubeconfig that is not there', async () => {
    await expect(openCredentials(join(folder, 'nowhere'), signal)).rejects.toMatchObject({ code: 'file-missing' });
  });

  judged('a key that is encrypted, or belongs to another certificate', ['openssl'], async () => {
    const [mine, other] = [await authority(folder, 'mine'), await authority(folder, 'other')];
    const encrypted = join(folder, 'encrypted.key');
    await ok('openssl', ['pkey', '-in', mine.key, '-aes256', '-passout', 'pass:x', '-out', encrypted]);
    const user = (key: string): object => ({ 'client-certificate': mine.cert, 'client-key': key });
    await expect(access(user(encrypted))).rejects.toMatchObject({ message: expect.stringContaining('is encrypted') });
    await expect(access(user(other.key))).rejects.toMatchObject({
      message: expect.stringContaining('are not a pair'),
    });
    await expect(access(user(mine.cert))).rejects.toMatchObject({
      message: expect.stringContaining('not a PEM private key'),
    });
    expect((await access(user(mine.key))).headers).toEqual({});
  });
});

describe('a server that does not accept credentials', () => {
  const unauthorized = status(401, 'Unauthorized', 'Unauthorized');

  judged('gets those that were renewed meanwhile', ['openssl'], async () => {
    const ca = await authority(folder, 'ca');
    const pair = await signedBy(ca, folder, 'server');
    const token = join(folder, 'renewed-token');
    writeFileSync(token, 'old');
    const handler = withDiscovery(({ headers }, response) => {
      if (headers.authorization === 'Bearer old') {
        writeFileSync(token, 'new');
        return send(response, 401, unauthorized);
      }
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: headers.authorization } };
    });
    const tls = { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
    const { url, seen } = await apiServer(handler, tls);
    const { api } = await connected(
      kubeconfig(folder, { server: url, 'certificate-authority': ca.cert }, { tokenFile: token }),
    );
    const name = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'b' };
    expect((await api.read(name, signal))?.metadata.name).toBe('Bearer new');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer old',
      'Bearer old',
      'Bearer new',
    ]);
  });

  test('is not asked again with the same ones, and the user is named', async () => {
    const { url, seen } = await apiServer((_, response) => send(response, 401, unauthorized));
    const { api } = await connected(kubeconfig(folder, { server: url }, { token: 't' }));
    await expect(api.discover(signal)).rejects.toMatchObject({
      status: 401,
      message: expect.stringMatching(/^user "ada" of .*config-\d+ has no credentials$/),
    });
    expect(seen).toHaveLength(1);
  });

  judged('is reported when a client certificate or a token has expired', ['openssl'], async () => {
    const ca = await authority(folder, 'old-ca');
    const pair = await signedBy(ca, folder, 'ada', -1);
    const old = await access({ 'client-certificate': pair.cert, 'client-key': pair.key });
    expect(old.refusal).toMatch(/^the client certificate of user "ada" of \S+ expired on 20\d\d-\d\d-\d\dT/);
    const claims = Buffer.from(JSON.stringify({ exp: 1_000_000_000 })).toString('base64url');
    expect((await access({ token: `aa.${claims}.bb` })).refusal).toContain('expired on 2001-09-09T01:46:40.000Z');
    expect((await access({ token: 'aa.bb.cc' })).refusal).toContain('does not accept the credentials of user "ada"');
  });
});
