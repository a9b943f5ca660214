import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type JsonResults, jsonSchemas } from '../../cli/view/json.ts';
import { type Running, smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { head } from '../support/configurations.ts';
import { judged, type Outcome, ok, scratch } from '../support/judges.ts';
import { selfSigned, user } from '../support/registry.ts';

const folder = scratch('join-mirror');
const cwd = folder;
const at = (name: string): string => join(folder, name);
const hosts = (name: string): readonly string[] => ['--hosts-dir', name];
const access = ['--ca-file', 'tls.crt', '--username', user.username, '--password-file', 'password'];

/** A serve of the archive, with TLS and a password. */
function serving(): Promise<Running> {
  const secured = ['--tls-cert', 'tls.crt', '--tls-key', 'tls.key', '--htpasswd', 'users'];
  return starts(['serve', 'hello.iso', '--listen', '127.0.0.1:0', ...secured], { cwd });
}

const joins = (...args: readonly string[]): Promise<Outcome> => solpack(['join-mirror', ...args], { cwd });

beforeAll(async () => {
  await smallSolution(folder);
  await succeeds(['pack', '.', '-o', 'hello.iso'], { cwd });
  await selfSigned(at('tls.key'), at('tls.crt'), ['-subj', '/CN=a', '-addext', 'subjectAltName=IP:127.0.0.1']);
  await selfSigned(at('other.key'), at('other.crt'), ['-subj', '/CN=b', '-addext', 'subjectAltName=IP:127.0.0.1']);
  writeFileSync(at('password'), `${user.password}\n`);
  writeFileSync(at('wrong'), 'wrong\n');
  writeFileSync(at('empty'), '\n');
  writeFileSync(at('users'), `${user.username}:${await ok('openssl', ['passwd', '-6', user.password])}`);
});

describe('join-mirror', () => {
  judged(
    'writes a mirror for each registry that the servers tell of, and the same again nothing',
    ['openssl'],
    async () => {
      await using one = await serving();
      await using two = await serving();
      const servers = ['--served-at', one.first, '--served-at', two.first];
      const first = await joins(...servers, ...access, ...hosts('certs'), '--json');
      expect([first.code, first.stderr]).toEqual([0, expect.not.stringContaining('note')]);
      const result: JsonResults['join-mirror'] = JSON.parse(first.stdout);
      expect(() => jsonSchemas['join-mirror'].strict().parse(result)).not.toThrow();
      const file = at('certs/registry.example.com/hosts.toml');
      expect(result).toMatchObject({
        ...{ hostsDir: at('certs'), registries: ['registry.example.com'], written: [file], unchanged: [] },
        servers: [one, two].map(({ first: url }) => ({ url, serves: ['registry.example.com'] })),
      });
      const before = statSync(file, { bigint: true });
      const again = await joins(...servers, ...access, ...hosts('certs'));
      expect(again.stdout).toBe(
        [one, two].map(({ first: url }) => `${url}  has images of registry.example.com\n`).join('') +
          `unchanged ${file}\n`,
      );
      const after = statSync(file, { bigint: true });
      expect([after.mtimeNs, after.ino, after.mode & 0o777n]).toEqual([before.mtimeNs, before.ino, 0o600n]);
      const status = await succeeds(['status', ...hosts('certs'), '--json'], { cwd });
      expect(() => jsonSchemas['status-mirrors'].strict().parse(JSON.parse(status))).not.toThrow();
      await two.stop();
      const down = await solpack(['status', ...hosts('certs')], { cwd });
      expect([down.code, down.stdout]).toEqual([
        1,
        expect.stringMatching(/registry\.example\.com +unreachable +https:/),
      ]);
      expect(down.stdout).toContain(two.first);
      const left = JSON.parse(await succeeds(['leave-mirror', ...hosts('certs'), '--json'], { cwd }));
      expect(() => jsonSchemas['leave-mirror'].strict().parse(left)).not.toThrow();
      expect(left.removed).toEqual([file]);
      expect(readdirSync(at('certs'))).toEqual([]);
      expect(await succeeds(['leave-mirror', ...hosts('certs')], { cwd })).toContain('was joined');
    },
  );

  judged('ends before it writes where a server does not answer as a node would need it', ['openssl'], async () => {
    await using one = await serving();
    const refused = async (code: string, exit: number, ...args: readonly string[]): Promise<string> => {
      const outcome = await joins('--served-at', one.first, ...hosts('none'), ...args);
      expect([outcome.code, outcome.stderr]).toEqual([exit, expect.stringContaining(`[${code}]`)]);
      expect(outcome.stderr).not.toMatch(/^ +at /m);
      return outcome.stderr;
    };
    const login = ['--username', user.username, '--password-file'];
    expect(await refused('registry-unreachable', 4, ...login, 'password')).toContain('by --ca');
    await refused('registry-unreachable', 4, '--ca-file', 'other.crt', ...login, 'password');
    await refused('registry-denied', 4, '--ca-file', 'tls.crt', ...login, 'wrong');
    await refused('registry-denied', 4, '--ca-file', 'tls.crt');
    await refused('registry-denied', 4, '--ca-file', 'tls.crt', ...login, 'wrong', '--allow-unreachable');
    await refused('registry-unreachable', 4, '--served-at', 'https://127.0.0.1:1', ...access);
    expect(() => readdirSync(at('none'))).toThrow('ENOENT');
    const allowed = ['--served-at', 'https://127.0.0.1:1', ...access, '--allow-unreachable'];
    const { code, stdout, stderr } = await joins('--served-at', one.first, ...allowed, ...hosts('partly'));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^https:\/\/127\.0\.0\.1:1 +does not answer$/m)]);
    expect(stderr).toContain('is joined anyway');
    const alone = await joins('--served-at', 'https://127.0.0.1:1', '--allow-unreachable', ...hosts('none'));
    expect([alone.code, alone.stderr]).toEqual([4, expect.stringContaining('[registry-unreachable]')]);
  });

  judged('takes registries that are named, or that archives of a configuration need', ['openssl'], async () => {
    await using one = await starts(['serve', 'hello.iso', '--listen', '127.0.0.1:0'], { cwd });
    const named = ['--registry', 'quay.io', '--registry', 'localhost:5000', '--registry', '_default'];
    const { code, stderr } = await joins('--served-at', one.first, ...named, ...hosts('named'));
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('reports no image of _default, localhost:5000, quay.io at the moment'),
    ]);
    expect(readdirSync(at('named')).sort()).toEqual(['_default', 'localhost:5000', 'quay.io']);
    const file = at('named/quay.io/hosts.toml');
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(readFileSync(file, 'utf8')).not.toContain('ca =');
    writeFileSync(at('solutions.yaml'), `${head}solutions: [{name: hello, archives: [hello.iso]}]\n`);
    await succeeds(['join-mirror', '--served-at', one.first, '-f', 'solutions.yaml', ...hosts('configured')], { cwd });
    expect(readdirSync(at('configured'))).toEqual(['registry.example.com']);
    await using empty = await starts(['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0'], { cwd });
    const none = await joins('--served-at', empty.first, ...hosts('nothing'));
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('name registries by --registry')]);
  });

  test('asks again until a server has seen what was imported just before', async () => {
    writeFileSync(at('later.yaml'), `${head}solutions: []\n`);
    await using one = await starts(['serve', '-f', 'later.yaml', '--listen', '127.0.0.1:0'], { cwd });
    const joining = joins('--served-at', one.first, ...hosts('later'));
    await succeeds(['import', 'hello.iso', '-f', 'later.yaml'], { cwd });
    const { code, stdout, stderr } = await joining;
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('has images of registry.example.com')]);
    expect(stderr).toMatch(/^wait +http:\S+ to serve an image$/m);
    expect(readdirSync(at('later'))).toEqual(['registry.example.com']);
  });

  test.each([
    ['no server', []],
    ['a server that is not a URL', ['--served-at', '10.0.0.1:5000']],
    ['a password in the URL', ['--served-at', 'https://ada:secret@10.0.0.1:5000']],
    ['a user alone', ['--served-at', 'https://10.0.0.1', '--username', 'ada']],
    ['a password alone', ['--served-at', 'https://10.0.0.1', '--password-file', 'password']],
    ['an empty password', ['--served-at', 'https://10.0.0.1', '--username', 'ada', '--password-file', 'empty']],
    ['an authority that is none', ['--served-at', 'https://10.0.0.1', '--ca-file', 'password']],
    ['a registry with a path', ['--served-at', 'https://10.0.0.1', '--registry', 'quay.io/team']],
    ['a registry that leads out', ['--served-at', 'https://10.0.0.1', '--registry', '..']],
  ])('refuses %s', async (_, args) => {
    const { code, stdout, stderr } = await joins(...args, ...hosts('refused'));
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('[usage-invalid]')]);
    expect(stderr).not.toContain('secret');
  });
});

describe('status --hosts-dir', () => {
  test('ends with 1 where nothing was joined, and needs a cluster for anything else', async () => {
    mkdirSync(at('bare'), { recursive: true });
    const { code, stdout } = await solpack(['status', ...hosts('bare')], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining('has written no mirror')]);
    for (const more of [[], ['shop', ...hosts('bare')], ['--watch', ...hosts('bare')]]) {
      const refused = await solpack(['status', ...more], { cwd });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--kubeconfig')]);
    }
  });
});
