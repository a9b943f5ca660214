import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, solpack, succeeds } from '../support/cli.ts';
import { head } from '../support/configurations.ts';
import { faulty } from '../support/faults.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('registry-media');
const cwd = folder;
const registry = dockerRegistry(folder);
const other = dockerRegistry(folder);
const damagedFolder = scratch('registry-damaged');
const damaged = dockerRegistry(damagedFolder);

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  for (const key of ['a', 'b']) await succeeds(['keygen', '-o', key], { cwd });
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'a.key'], { cwd });
});

/** Pushes an archive, and returns the reference that it has then. */
async function pushed(repository: string, archive = 'hello.iso', tag = '1.0.0'): Promise<string> {
  const { host } = await registry();
  const reference = `${host}/${repository}:${tag}`;
  await succeeds(['push', archive, reference], { cwd });
  return reference;
}

/** Writes a configuration that names these archives. */
function configured(name: string, ...archives: string[]): string {
  const entries = archives.map((entry) => `      - ${JSON.stringify(entry)}\n`).join('');
  writeFileSync(join(folder, name), `${head}solutions:\n  - name: hello\n    archives:\n${entries}`);
  return name;
}

const lines = (text: string): string[] => text.trim().split('\n').sort();

/** The largest layer that the registry with files below `below` keeps. */
function storedLayer(below: string): { path: string; bytes: Buffer } {
  const blobs = join(below, readdirSync(below)[0]!, 'data/docker/registry/v2/blobs/sha256');
  const all = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('/data'));
  const layers = all.map((path) => ({ path: join(blobs, path), bytes: readFileSync(join(blobs, path)) }));
  // As gzip begins.
  return layers.filter(({ bytes }) => bytes[0] === 0x1f).sort((one, next) => next.bytes.length - one.bytes.length)[0]!;
}

describe('a Solution in a registry, as an argument', () => {
  judged('is listed and extracted to the byte as its archive is', ['docker-registry'], async () => {
    const reference = await pushed('listed/hello');
    const listed = async (archive: string): Promise<string[]> =>
      lines(await succeeds(['ls', archive, '--digests', '--json'], { cwd }));
    const all = await listed('hello.iso');
    expect(await listed(reference)).toEqual(all);
    expect(await listed(`oci://${reference}`)).toEqual(all);
    const below = await succeeds(['ls', reference, 'components'], { cwd });
    expect(below).toBe(await succeeds(['ls', 'hello.iso', 'components'], { cwd }));
    for (const [archive, to] of [
      ['hello.iso', 'from-file'],
      [reference, 'from-registry'],
    ] as const) {
      await succeeds(['extract', archive, '-C', to], { cwd });
    }
    await ok('diff', ['-r', join(folder, 'from-file'), join(folder, 'from-registry')]);
    const { stderr, code } = await solpack(['ls', reference, 'nowhere'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('archive-path-missing') });
  });

  judged('is rendered, and compared with the archive', ['docker-registry'], async () => {
    const reference = await pushed('rendered/hello');
    expect(await succeeds(['render', reference], { cwd })).toBe(await succeeds(['render', 'hello.iso'], { cwd }));
    expect(JSON.parse(await succeeds(['diff', reference, 'hello.iso', '--json'], { cwd }))).toMatchObject({
      same: true,
    });
  });

  judged('is pushed from one registry to another with its signatures', ['docker-registry'], async () => {
    const reference = await pushed('from/hello');
    const there = `${(await other()).host}/to/hello`;
    await succeeds(['push', reference, there], { cwd });
    expect((await solpack(['verify', `${there}:1.0.0`, '--key', 'a.pub'], { cwd })).code).toBe(0);
    await succeeds(['pull', `${there}:1.0.0`, '-o', 'back.iso'], { cwd });
    expect(readFileSync(join(folder, 'back.iso')).equals(readFileSync(join(folder, 'hello.iso')))).toBe(true);
  });
});

describe('a Solution in a registry, in a configuration', () => {
  judged(
    'is installed by its signatures, and its images go from registry to registry',
    ['docker-registry', 'crane'],
    async () => {
      const reference = await pushed('configured/hello');
      const digest = (await ok('crane', ['digest', reference])).trim();
      const { url, host } = await other();
      for (const entry of [reference, `oci://${reference}`, `${reference.replace(/:1.0.0$/, '')}@${digest}`]) {
        const file = configured('configured.yaml', entry);
        const asked = ['install', '-f', file, '--registry', url, '--json'];
        const done = await solpack([...asked, '--key', 'a.pub', '--render', 'rendered'], { cwd });
        expect(done).toMatchObject({ code: 0 });
        const untrusted = await solpack([...asked, '--key', 'b.pub', '--images-only'], { cwd });
        expect(untrusted).toMatchObject({ code: 3, stderr: expect.stringContaining('[not-trusted]') });
      }
      for (const name of ['web', 'job']) await ok('crane', ['validate', '--remote', `${host}/hello/${name}:1.0.0`]);
      const layout = join(folder, 'layout');
      await ok('skopeo', [
        'copy',
        '--all',
        '--src-tls-verify=false',
        `docker://${host}/hello/web:1.0.0`,
        `oci:${layout}:web`,
      ]);
    },
  );

  judged('stays what it was when its tag moves while it is installed', ['docker-registry'], async () => {
    const reference = await pushed('moving/hello');
    await smallSolution(join(folder, 'newer'), { seed: 'newer' });
    await succeeds(['pack', 'newer', '-o', 'newer.iso'], { cwd });
    const { host } = await registry();
    let moved: Promise<unknown> | undefined;
    const proxy = await faulty(host, ({ url }) => {
      // The first blob that is asked for comes after the tag was resolved.
      if (url.includes('/blobs/')) moved ??= pushed('moving/hello', 'newer.iso');
      return undefined;
    });
    const through = reference.replace(host, proxy.host);
    const { code } = await solpack(
      [
        'install',
        '-f',
        configured('moving.yaml', through),
        '--images-only',
        '--key',
        'a.pub',
        '--registry',
        (await other()).url,
      ],
      { cwd },
    );
    expect(code).toBe(0);
    await moved;
    expect(proxy.seen.filter(({ url }) => url.endsWith('/manifests/1.0.0'))).toHaveLength(1);
  });

  judged('is refused where the registry has other bytes of it', ['docker-registry'], async () => {
    const { host } = await damaged();
    const reference = `${host}/tampered/hello:1.0.0`;
    await succeeds(['push', 'hello.iso', reference], { cwd });
    const file = configured('tampered.yaml', reference);
    const { path, bytes } = storedLayer(damagedFolder);
    const there = await other();
    const commands = [
      ['install', '-f', file, '--key', 'a.pub', '--render', 'never'],
      ['install', '-f', file, '--insecure-skip-verify', '--images-only', '--registry', there.url],
      ['push', reference, `${there.host}/tampered/hello`],
    ];
    const changed = Buffer.from(bytes);
    changed[changed.length - 1]! ^= 1;
    for (const now of [changed, bytes.subarray(0, -1), Buffer.concat([bytes, bytes])]) {
      writeFileSync(path, now);
      for (const command of commands) {
        const { code, stderr } = await solpack(command, { cwd });
        expect([code, stderr]).toEqual([1, expect.stringMatching(/\[(verification-failed|content-mismatch)\]/)]);
      }
    }
    expect(existsSync(join(folder, 'never'))).toBe(false);
    writeFileSync(path, bytes);
    for (const command of commands) expect((await solpack(command, { cwd })).code).toBe(0);
  });

  judged(
    'ends the install where its registry cannot be asked, unless another archive is what is wanted',
    [],
    async () => {
      const gone = '127.0.0.1:1/hello:0.9.0';
      const install = (file: string): Promise<{ code: number; stderr: string }> =>
        solpack(['install', '-f', file, '--key', 'a.pub', '--render', 'noted'], { cwd });
      expect(await install(configured('gone.yaml', gone))).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('[registry-unreachable]'),
      });
      const text = `solutions:\n  - {name: hello, activeVersion: 1.0.0, archives: ["${gone}", hello.iso]}\n`;
      writeFileSync(join(folder, 'note.yaml'), head + text);
      expect(await install('note.yaml')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('cannot be opened, but is not needed'),
      });
    },
  );
});
