import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { head } from '../support/configurations.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { startProxy } from '../support/proxy.ts';
import { dockerRegistry, selfSigned } from '../support/registry.ts';

// How the registry is talked to that a Solution is in: each flag, and each proxy, counts for every command that reads
// one there.

const folder = scratch('registry-media-ways');
const cwd = folder;
const [certificate, key] = [join(folder, 'registry.crt'), join(folder, 'registry.key')];
const plain = dockerRegistry(folder);
const secure = dockerRegistry(folder, { tls: { certificate, key } });
const other = dockerRegistry(folder);

const noProxy = {
  HTTP_PROXY: '',
  http_proxy: '',
  HTTPS_PROXY: '',
  https_proxy: '',
  NO_PROXY: '',
  no_proxy: '127.0.0.1',
};

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  await succeeds(['keygen', '-o', 'a'], { cwd });
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'a.key'], { cwd });
  const names = 'subjectAltName=IP:127.0.0.1,DNS:registry.test';
  await selfSigned(key, certificate, ['-subj', '/CN=registry', '-addext', names]);
});

/** All commands that read a Solution in a registry. */
async function commandsFor(reference: string): Promise<readonly (readonly string[])[]> {
  writeFileSync(join(folder, 'edge.yaml'), `${head}solutions:\n  - {name: hello, archives: ["${reference}"]}\n`);
  for (const name of ['rendered', 'extracted', 'made.yaml', 'back.iso']) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  const { host, url } = await other();
  return [
    ['inspect', reference],
    ['ls', reference],
    ['verify', reference, '--key', 'a.pub'],
    ['extract', reference, '-C', 'extracted'],
    ['render', reference],
    ['diff', reference, 'hello.iso'],
    ['pull', reference, '-o', 'back.iso'],
    ['push', reference, `${host}/copies/hello`],
    ['install', '-f', 'edge.yaml', '--key', 'a.pub', '--render', 'rendered'],
    ['install', '-f', 'edge.yaml', '--key', 'a.pub', '--images-only', '--registry', url],
    ['import', reference, '-f', 'made.yaml'],
    ['activate', 'hello', '1.0.0', '-f', 'made.yaml'],
    ['deactivate', 'hello', '-f', 'made.yaml'],
    ['unimport', reference, '-f', 'made.yaml'],
  ];
}

interface Way {
  readonly reference: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs every command, and lets `serve` give an image of it. */
async function reads({ reference, flags, env }: Way): Promise<void> {
  for (const args of await commandsFor(reference)) {
    const { code, stderr } = await solpack([...args, ...flags], { cwd, env });
    expect([args[0], code, stderr]).toEqual([args[0], 0, stderr]);
  }
  for (const what of [[reference], ['-f', 'edge.yaml', '--key', 'a.pub']]) {
    await using serving = await starts(['serve', ...what, '--listen', '127.0.0.1:0', ...flags], { cwd, env });
    await ok('crane', ['validate', '--remote', `${new URL(serving.first).host}/hello/web:1.0.0`]);
  }
}

/** Expects that the registry cannot be asked, and that it is said why. */
async function isRefused({ reference, flags, env }: Way, why: RegExp): Promise<void> {
  const { code, stderr } = await solpack(['inspect', reference, ...flags], { cwd, env });
  expect([code, stderr]).toEqual([4, expect.stringMatching(why)]);
}

describe('a Solution in a registry', () => {
  judged(
    'without TLS, behind a proxy, is read by every command with --plain-http alone',
    ['docker-registry', 'crane'],
    async () => {
      const { host } = await plain();
      await succeeds(['push', 'hello.iso', `${host}/team/hello`], { cwd });
      const proxy = await startProxy({ 'registry.test:5000': host });
      const env = { ...noProxy, http_proxy: proxy.url.href, https_proxy: proxy.url.href };
      const reference = 'registry.test:5000/team/hello:1.0.0';
      await isRefused({ reference, flags: [], env }, /registry\.test:5000.*\[registry-unreachable\]/s);
      await reads({ reference, flags: ['--plain-http'], env });
      expect(proxy.asked).toContain('GET http://registry.test:5000');
    },
  );

  judged(
    'whose certificate nobody vouches for is read by every command with --no-tls-verify alone',
    ['docker-registry', 'crane'],
    async () => {
      const { host } = await secure();
      const proxy = await startProxy({ 'registry.test:443': host });
      const env = { ...noProxy, https_proxy: proxy.url.href };
      const reference = 'registry.test/team/unverified:1.0.0';
      await succeeds(['push', 'hello.iso', reference, '--no-tls-verify'], { cwd, env });
      await isRefused({ reference, flags: [], env }, /certificate.*\[registry-/s);
      await reads({ reference, flags: ['--no-tls-verify'], env });
    },
  );

  judged(
    'behind a proxy with a password is read by every command with the certificate in --certs-dir',
    ['docker-registry', 'crane'],
    async () => {
      const { host } = await secure();
      mkdirSync(join(folder, 'certs/registry.test'), { recursive: true });
      copyFileSync(certificate, join(folder, 'certs/registry.test/ca.crt'));
      const proxy = await startProxy({ 'registry.test:443': host }, { login: 'ada:letmein123' });
      const env = { ...noProxy, https_proxy: proxy.url.href };
      const reference = 'registry.test/team/hello:1.0.0';
      await succeeds(['push', 'hello.iso', reference, '--certs-dir', 'certs'], { cwd, env });
      await reads({ reference, flags: ['--certs-dir', 'certs'], env });
      expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT registry.test:443']));
    },
  );

  judged('is not a file that can be mounted, and the refusal says how to get one', ['docker-registry'], async () => {
    const { host } = await plain();
    mkdirSync(join(folder, 'empty'), { recursive: true });
    const { code, stderr } = await solpack(['mount', `${host}/team/hello:1.0.0`, 'empty'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/not on this machine.*solpack pull.*\[usage-invalid\]/)]);
    const address = await solpack(['mount', 'https://127.0.0.1:1/hello.iso', 'empty'], { cwd });
    expect(address.stderr).toMatch(/not on this machine.*download it first/);
  });
});
