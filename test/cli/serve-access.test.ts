import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';
import { selfSigned, user } from '../support/registry.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('access');
const cwd = folder;
const listen = ['--listen', '127.0.0.1:0'];
const tls = ['--tls-cert', 'tls.crt', '--tls-key', 'tls.key'];
const passwords = ['--htpasswd', 'users'];

beforeAll(async () => {
  await smallSolution(folder);
  await succeeds(['pack', '.', '-o', 'hello.iso'], { cwd });
});

/** The status of a request. */
async function statusOf(url: string, credentials?: string): Promise<number> {
  const headers: Record<string, string> = credentials
    ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
    : {};
  return (await fetch(url, { headers })).status;
}

describe('serve with --htpasswd', () => {
  judged('lets in who has a password of the file, and nobody else', ['openssl'], async () => {
    const hash = await ok('openssl', ['passwd', '-6', user.password]);
    writeFileSync(join(folder, 'users'), `# comment\n${user.username}:${hash}`);
    await using serving = await starts(['serve', 'hello.iso', ...listen, ...passwords], { cwd });
    const base = `${serving.first}/v2/`;
    const refused = await fetch(base);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic realm=/),
    ]);
    expect(await refused.json()).toMatchObject({ errors: [{ code: 'UNAUTHORIZED' }] });
    const right = `${user.username}:${user.password}`;
    for (const wrong of ['ada:wrong', 'eve:x', 'ada', ':', `${right} `]) expect(await statusOf(base, wrong)).toBe(401);
    for (let time = 0; time < 3; time += 1) expect(await statusOf(base, right)).toBe(200);
    expect([await statusOf(`${serving.first}/healthz`), await statusOf(`${serving.first}/readyz`)]).toEqual([200, 200]);
    expect([await statusOf(`${serving.first}/metrics`), await statusOf(`${serving.first}/metrics`, right)]).toEqual([
      401, 200,
    ]);
  });

  judged(
    'follows the file: who is no longer in it is out, and a file that is wrong changes nothing',
    ['openssl'],
    async () => {
      const line = async (name: string): Promise<string> => `${name}:${await ok('openssl', ['passwd', '-6', name])}`;
      const [ada, bob] = [await line('ada'), await line('bob')];
      writeFileSync(join(folder, 'followed'), ada);
      await using serving = await starts(['serve', 'hello.iso', ...listen, '--htpasswd', 'followed'], { cwd });
      const statuses = (): Promise<number[]> =>
        Promise.all(['ada', 'bob'].map((name) => statusOf(`${serving.first}/v2/`, `${name}:${name}`)));
      expect(await statuses()).toEqual([200, 401]);
      writeFileSync(join(folder, 'followed'), 'ada:plain');
      await eventually(() => serving.said()).toContain(':1:1: has no SHA-crypt hash');
      expect(await statuses()).toEqual([200, 401]);
      writeFileSync(join(folder, 'followed'), bob);
      await eventually(statuses).toEqual([401, 200]);
    },
  );

  test.each([
    ['ada:$2y$05$abcdefghijklmnopqrstuu\n', 2, 'passwords-invalid'],
    ['', 2, 'passwords-invalid'],
    [`ada:$6$rounds=999999999$salt$${'.'.repeat(86)}\n`, 2, 'passwords-invalid'],
    [undefined, 2, 'file-missing'],
  ])('refuses a file that holds %j', async (text, exit, reason) => {
    if (text !== undefined) writeFileSync(join(folder, 'wrong'), text);
    const file = text === undefined ? 'absent' : 'wrong';
    const { code, stderr } = await solpack(['serve', 'hello.iso', ...listen, '--htpasswd', file], { cwd });
    expect([code, stderr]).toEqual([exit, expect.stringContaining(`[${reason}]`)]);
  });
});

describe('serve with --tls-cert and --tls-key', () => {
  judged('speaks TLS, and skopeo logs in and pulls', ['openssl', 'skopeo'], async () => {
    const names = ['-subj', '/CN=registry', '-addext', 'subjectAltName=IP:127.0.0.1'];
    await selfSigned(join(folder, 'tls.key'), join(folder, 'tls.crt'), names);
    const hash = await ok('openssl', ['passwd', '-5', user.password]);
    writeFileSync(join(folder, 'users'), `${user.username}:${hash}`);
    await using serving = await starts(['serve', 'hello.iso', ...listen, ...tls, ...passwords], { cwd });
    expect(serving.first).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const ca = readFileSync(join(folder, 'tls.crt'));
    const status = await new Promise((settle, reject) => {
      get(`${serving.first}/healthz`, { ca }, ({ statusCode }) => settle(statusCode)).on('error', reject);
    });
    expect(status).toBe(200);
    const source = `docker://${serving.first.slice(8)}/hello/web:1.0.0`;
    const pull = ['copy', '--all', '--src-tls-verify=false', '--src-creds'];
    await ok('skopeo', [...pull, `${user.username}:${user.password}`, source, `dir:${join(folder, 'pulled')}`]);
    const { code } = await run('skopeo', [...pull, 'ada:wrong', source, `dir:${join(folder, 'denied')}`]);
    expect(code).not.toBe(0);
  });

  judged('refuses a key that is another one, and what is none', ['openssl'], async () => {
    const names = ['-subj', '/CN=registry'];
    for (const name of ['a', 'b']) await selfSigned(join(folder, `${name}.key`), join(folder, `${name}.crt`), names);
    for (const [certificate, key] of [
      ['a.crt', 'b.key'],
      ['a.key', 'a.crt'],
      ['hello.iso', 'a.key'],
    ] as const) {
      const args = ['serve', 'hello.iso', ...listen, '--tls-cert', certificate, '--tls-key', key];
      const { code, stderr } = await solpack(args, { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining('[tls-invalid]')]);
    }
  });

  judged(
    'shows a certificate that takes the place of another, once it and its key are there',
    ['openssl'],
    async () => {
      const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
      const make = (name: string): Promise<void> => {
        return selfSigned(join(folder, `${name}.key`), join(folder, `${name}.crt`), ['-subj', `/CN=${name}`, ...names]);
      };
      for (const name of ['tls', 'next']) await make(name);
      await using serving = await starts(['serve', 'hello.iso', ...listen, ...tls], { cwd });
      const { port } = new URL(serving.first);
      const shown = (): Promise<string> =>
        new Promise((settle, reject) => {
          const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
            settle(String(socket.getPeerCertificate().subject.CN));
            socket.destroy();
          });
          socket.on('error', reject);
        });
      expect(await shown()).toBe('tls');
      copyFileSync(join(folder, 'next.crt'), join(folder, 'tls.crt'));
      await eventually(() => serving.said()).toContain('made for another key');
      expect(await shown()).toBe('tls');
      copyFileSync(join(folder, 'next.key'), join(folder, 'tls.key'));
      await eventually(shown).toBe('next');
    },
  );

  test('needs both', async () => {
    for (const one of ['--tls-cert', '--tls-key']) {
      const { code, stderr } = await solpack(['serve', 'hello.iso', ...listen, one, 'a'], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${one}: is given alone`)]);
    }
  });
});

test('serve warns of what others on the network could do', async () => {
  const { stderr } = await solpack(
    ['serve', 'hello.iso', '--store', 'store', '--open-push', '--listen', '192.0.2.1:5000'],
    { cwd },
  );
  expect(stderr).toContain('[listen-failed]');
  await using serving = await starts(['serve', '--store', 'store', '--open-push', '--listen', '0.0.0.0:0'], { cwd });
  expect(serving.first).toMatch(/^http:\/\/0\.0\.0\.0:/);
});

test('serve lets nobody push who has no password, unless --open-push says so', async () => {
  await using closed = await starts(['serve', '--store', 'closed', ...listen], { cwd });
  expect(closed.said()).toContain('nobody can push');
  const begin = (url: string): Promise<Response> => fetch(`${url}/v2/a/b/blobs/uploads/`, { method: 'POST' });
  expect((await begin(closed.first)).status).toBe(401);
  expect((await fetch(`${closed.first}/v2/`)).status).toBe(200);
  await using opened = await starts(['serve', '--store', 'opened', '--open-push', ...listen], { cwd });
  expect(opened.said()).toBe('');
  expect((await begin(opened.first)).status).toBe(202);
  for (const [args, why] of [
    [['hello.iso'], 'add --store DIR'],
    [['--store', 'other', ...passwords], 'contradicts --htpasswd'],
  ] as const) {
    const { code, stderr } = await solpack(['serve', ...args, '--open-push', ...listen], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  }
});
