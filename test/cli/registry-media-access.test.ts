import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { head } from '../support/configurations.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { dockerRegistry, selfSigned, user } from '../support/registry.ts';

const folder = scratch('registry-media-access');
const cwd = folder;
const [certificate, key] = [join(folder, 'registry.crt'), join(folder, 'registry.key')];
const guarded = dockerRegistry(folder, { htpasswd: true, tls: { certificate, key } });

let reference: string;
let certificates: readonly string[];
const login = ['--authfile', 'auth.json'];

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  await succeeds(['keygen', '-o', 'a'], { cwd });
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'a.key'], { cwd });
  await selfSigned(key, certificate, ['-subj', '/CN=registry', '-addext', 'subjectAltName=IP:127.0.0.1']);
});

/** Pushes the archive to the registry, and writes what it takes to get at it there. */
async function prepare(): Promise<void> {
  const { host } = await guarded();
  reference = `${host}/closed/hello:1.0.0`;
  mkdirSync(join(folder, 'certs', host), { recursive: true });
  copyFileSync(certificate, join(folder, 'certs', host, 'ca.crt'));
  certificates = ['--certs-dir', 'certs'];
  const auth = Buffer.from(`${user.username}:${user.password}`).toString('base64');
  writeFileSync(join(folder, 'auth.json'), JSON.stringify({ auths: { [host]: { auth } } }));
  writeFileSync(join(folder, 'solutions.yaml'), `${head}solutions:\n  - {name: hello, archives: ["${reference}"]}\n`);
  await succeeds(['push', 'hello.iso', reference, ...login, ...certificates], { cwd });
}

describe('a Solution in a registry with passwords and a certificate of its own', () => {
  judged(
    'is installed into another registry, served, edited and read with the flags for registries',
    ['docker-registry', 'crane'],
    async () => {
      await prepare();
      const store = ['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0'];
      await using other = await starts(store, { cwd });
      const install = (...flags: string[]): Promise<{ code: number; stderr: string }> =>
        solpack(
          ['install', '-f', 'solutions.yaml', '--key', 'a.pub', '--images-only', '--registry', other.first, ...flags],
          { cwd },
        );
      expect(await install(...certificates)).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('[registry-denied]'),
      });
      expect(await install(...login)).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('[registry-error]'),
      });
      expect(await install(...login, ...certificates)).toMatchObject({ code: 0 });
      const { host } = new URL(other.first);
      for (const name of ['web', 'job']) await ok('crane', ['validate', '--remote', `${host}/hello/${name}:1.0.0`]);
      await using serving = await starts(
        ['serve', '-f', 'solutions.yaml', '--key', 'a.pub', '--listen', '127.0.0.1:0', ...login, ...certificates],
        { cwd },
      );
      const from = new URL(serving.first).host;
      await ok('crane', ['validate', '--remote', `${from}/hello/web:1.0.0`]);
      for (const args of [
        ['ls', reference],
        ['extract', reference, '-C', 'out'],
        ['render', reference],
        ['push', reference, `${host}/copies/hello`],
        ['import', reference, '-f', 'made.yaml'],
        ['activate', 'hello', '1.0.0', '-f', 'made.yaml'],
      ]) {
        await succeeds([...args, ...login, ...certificates], { cwd });
        if (args[0] === 'activate') continue;
        const { code, stderr } = await solpack(args, { cwd });
        expect([args[0], code, stderr]).toEqual([args[0], 4, expect.stringMatching(/\[registry-(error|denied)\]/)]);
      }
      await succeeds(['verify', `${host}/copies/hello:1.0.0`, '--key', 'a.pub'], { cwd });
    },
  );

  judged('is read with the login on standard input that the push is made with', ['docker-registry'], async () => {
    await prepare();
    const target = reference.replace('closed', 'opened');
    const typed = ['--username', user.username, '--password-stdin'];
    const flags = { cwd, input: user.password };
    await succeeds(['push', reference, target, ...typed, ...certificates], flags);
    const { url } = await guarded();
    await succeeds(
      [
        'install',
        '-f',
        'solutions.yaml',
        '--key',
        'a.pub',
        '--images-only',
        '--registry',
        url,
        ...typed,
        ...certificates,
      ],
      flags,
    );
  });
});
