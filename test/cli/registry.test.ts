import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { push } from '../lib/parts/registries/faults.ts';
import { smallSolution, solpack, succeeds, writeFiles } from '../support/cli.ts';
import { judged, type Outcome, ok, scratch } from '../support/judges.ts';
import { openRepository } from '../support/open-repository.ts';
import { startProxy } from '../support/proxy.ts';
import { dockerRegistry, sampleImage, selfSigned, user } from '../support/registry.ts';

const folder = scratch('cli-registry');
const file = (name: string): string => join(folder, name);
const guarded = dockerRegistry(folder, { htpasswd: true });
const [key, certificate] = [file('server.key'), file('server.crt')];
const secure = dockerRegistry(folder, { tls: { certificate, key } });
const image = sampleImage('cli registry', 20_000);
/** Each of these runs a dozen programs, in milliseconds. */
const SLOW = 300_000;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});
let solutions = 0;

/** What a user has who has nothing: no login, no certificates, no proxies. */
const nobody = {
  HOME: file('nobody'),
  XDG_RUNTIME_DIR: '',
  XDG_CONFIG_HOME: '',
  DOCKER_CONFIG: '',
  REGISTRY_AUTH_FILE: '',
  HTTP_PROXY: '',
  http_proxy: '',
  HTTPS_PROXY: '',
  https_proxy: '',
  NO_PROXY: '',
  no_proxy: '',
};

/** Packs a Solution with one image of a registry. */
function pack(reference: string, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  solutions += 1;
  const at = `solution-${solutions}`;
  writeFiles(file(at), {
    'solution.toml': `name = "hello"\nversion = "1.0.0"\n\n[[images]]\nreference = "${reference}"\n`,
  });
  return solpack(['pack', at, '-o', `${at}.tar`, '--quiet', ...args], { cwd: folder, env: { ...nobody, ...env } });
}

async function fill(scheme: 'http' | 'https', host: string): Promise<void> {
  const credentials = async () => user;
  const repository = await openRepository(
    { scheme, registry: host, repository: 'team/web' },
    { credentials, insecure: true },
  );
  closing.push(() => repository.close());
  await push(image, repository, '1');
}

let securedHost: Promise<string> | undefined;
const secured = (): Promise<string> => {
  securedHost ??= startSecured();
  return securedHost;
};

async function startSecured(): Promise<string> {
  const names = 'subjectAltName=IP:127.0.0.1,DNS:registry.test';
  await selfSigned(key, certificate, ['-subj', '/CN=registry', '-addext', names]);
  const { host } = await secure();
  await fill('https', host);
  return host;
}

describe('pack', () => {
  judged(
    'logs in with --authfile, REGISTRY_AUTH_FILE or the files of podman and docker',
    ['docker-registry', 'skopeo'],
    async () => {
      const { host } = await guarded();
      await fill('http', host);
      const auth = file('auth.json');
      const login = ['login', '--tls-verify=false', '--authfile', auth, '-u', user.username, '-p', user.password, host];
      await ok('skopeo', login);
      const reference = `${host}/team/web:1`;
      expect(await pack(reference, [])).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('[registry-denied]'),
      });
      expect(await pack(reference, ['--authfile', auth])).toMatchObject({ code: 0 });
      expect(await pack(reference, [], { REGISTRY_AUTH_FILE: auth })).toMatchObject({ code: 0 });
      for (const [place, variable] of [
        ['containers/auth.json', 'XDG_RUNTIME_DIR'],
        ['containers/auth.json', 'XDG_CONFIG_HOME'],
        ['config.json', 'DOCKER_CONFIG'],
      ] as const) {
        writeFiles(file(`home-${variable}`), { [place]: readFileSync(auth) });
        expect(await pack(reference, [], { [variable]: file(`home-${variable}`) })).toMatchObject({ code: 0 });
      }
    },
    SLOW,
  );

  judged(
    'speaks TLS with a registry on a loopback address where --no-tls-verify says so, and none where it speaks none',
    ['docker-registry', 'openssl'],
    async () => {
      const host = await secured();
      expect(await pack(`${host}/team/web:1`, [])).toMatchObject({ code: 4 });
      expect(await pack(`${host}/team/web:1`, ['--no-tls-verify'])).toMatchObject({ code: 0 });
      expect(await pack(`${host}/team/web:1`, ['--no-tls-verify', '--plain-http'])).toMatchObject({ code: 4 });
      const plain = await guarded();
      await fill('http', plain.host);
      const denied = await pack(`${plain.host}/team/web:1`, ['--no-tls-verify']);
      expect(denied).toMatchObject({ code: 4, stderr: expect.stringContaining('[registry-denied]') });
    },
    SLOW,
  );

  judged(
    'trusts what --certs-dir has, goes through HTTPS_PROXY, and follows registries.conf',
    ['docker-registry', 'openssl'],
    async () => {
      const host = await secured();
      const proxy = await startProxy({ 'registry.test:443': host }, { login: 'ada:letmein123' });
      const through = { HTTPS_PROXY: proxy.url.href };
      mkdirSync(file('certs/registry.test'), { recursive: true });
      writeFileSync(file('certs/registry.test/ca.crt'), readFileSync(certificate));
      const reference = 'registry.test/team/web:1';
      const untrusted = await pack(reference, [], through);
      expect(untrusted).toMatchObject({ code: 4, stderr: expect.stringContaining('--certs-dir') });
      expect(untrusted.stderr).not.toContain('letmein123');
      expect(await pack(reference, ['--certs-dir', 'certs'], through)).toMatchObject({ code: 0 });
      expect(await pack(reference, ['--no-tls-verify'], through)).toMatchObject({ code: 0 });
      expect(proxy.asked).toContain('CONNECT registry.test:443');
      const conf = file('registries.conf');
      writeFileSync(conf, `[[registry]]\nprefix = "elsewhere.test"\nlocation = "registry.test"\ninsecure = true\n`);
      const mirrored = await pack('elsewhere.test/team/web:1', [], { ...through, CONTAINERS_REGISTRIES_CONF: conf });
      expect(mirrored).toMatchObject({ code: 0 });
      writeFileSync(conf, '[[registry]]\nlocation = "registry.test"\nblocked = true\n');
      const blocked = await pack(reference, [], { ...through, CONTAINERS_REGISTRIES_CONF: conf });
      expect(blocked).toMatchObject({ code: 4, stderr: expect.stringContaining('registries.conf blocks') });
    },
    SLOW,
  );

  judged('refuses a proxy that is none', ['docker-registry'], async () => {
    const outcome = await pack('registry.test/team/web:1', [], { HTTPS_PROXY: 'socks5://ada:letmein123@proxy' });
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^solpack: HTTPS_PROXY: is a proxy of the kind/),
    });
    expect(outcome.stderr).not.toContain('letmein123');
  });
});

describe('install', () => {
  judged(
    'pushes as a user whose password comes by standard input',
    ['docker-registry', 'skopeo'],
    async () => {
      const { host, url } = await guarded();
      await smallSolution(file('small'));
      const here = { cwd: folder, env: nobody };
      await succeeds(['keygen', '-o', 'release'], here);
      await succeeds(['pack', 'small', '-o', 'small.tar', '--quiet', '--sign', 'release.key'], here);
      const configuration = {
        apiVersion: 'solutions.metalk8s.scality.com/v1alpha1',
        kind: 'SolutionsConfiguration',
        solutions: [{ name: 'hello', archives: ['small.tar'] }],
      };
      writeFileSync(file('solutions.yaml'), JSON.stringify(configuration));
      const trust = ['--key', 'release.pub', '--trust-state', 'trust'];
      const install = (args: readonly string[], input: string): Promise<Outcome> =>
        solpack(['install', '-f', 'solutions.yaml', ...trust, '--images-only', '--registry', url, ...args], {
          ...here,
          input,
        });
      expect(await install([], '')).toMatchObject({ code: 4 });
      expect(await install(['--username', user.username], user.password)).toMatchObject({ code: 2 });
      expect(await install(['--password-stdin'], user.password)).toMatchObject({ code: 2 });
      const login = ['--username', user.username, '--password-stdin'];
      expect(await install(login, '')).toMatchObject({ code: 2, stderr: expect.stringContaining('found nothing') });
      const wrong = await install(login, 'letmein123\n');
      expect(wrong.code).toBe(4);
      expect(wrong.stderr).not.toContain('letmein123');
      expect(await install(login, `${user.password}\n`)).toMatchObject({ code: 0 });
      const creds = ['--creds', `${user.username}:${user.password}`, '--tls-verify=false'];
      const raw = await ok('skopeo', ['inspect', '--raw', ...creds, `docker://${host}/hello/web:1.0.0`]);
      expect(sha256(raw)).toMatch(/^sha256:/);
    },
    SLOW,
  );
});
