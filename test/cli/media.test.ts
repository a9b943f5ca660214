import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { mounted } from '../support/iso/readers.ts';
import { judged, scratch } from '../support/judges.ts';
import { deviceTest, onDevice } from '../support/loop-device.ts';
import { nginx } from '../support/nginx.ts';
import { selfSigned } from '../support/registry.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('media');
const serveFiles = nginx(folder, async () => {
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.pem')];
  await selfSigned(key, certificate, ['-subj', '/CN=files', '-addext', 'subjectAltName=IP:127.0.0.1']);
  return { certificate, key, locations: '' };
});
const cwd = folder;
const pod = (rendered: string): string => readFileSync(join(folder, rendered, 'hello/020-web.yaml'), 'utf8');

beforeAll(async () => {
  await succeeds(['keygen', '-o', 'k'], { cwd });
  mkdirSync(join(folder, 'all'));
  for (const version of ['1.0.0', '1.1.0']) {
    await smallSolution(join(folder, version), { version });
    await succeeds(['pack', version, '-o', `all/hello-${version}.iso`, '--sign', 'k.key'], { cwd });
  }
  await succeeds(['pack', '1.1.0', '-o', 'hello.tar', '--sign', 'k.key'], { cwd });
  await succeeds(['extract', 'all/hello-1.1.0.iso', '-C', 'extracted'], { cwd });
});

function configure(archives: readonly string[], more = '', name = 'hello'): void {
  const text = `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions: [{name: ${name}, ${more}archives: ${JSON.stringify(archives)}}]
`;
  writeFileSync(join(folder, 'solutions.yaml'), text);
}

let runs = 0;
async function rendered(archives: readonly string[], more = '', flags: readonly string[] = []): Promise<string> {
  configure(archives, more);
  const out = `rendered-${++runs}`;
  await succeeds(['install', '-f', 'solutions.yaml', '--key', 'k.pub', '--render', out, ...flags], { cwd });
  return pod(out).replace(/127\.0\.0\.1:\d+/g, 'HOST');
}

/** What every command makes of an archive that is not a file of its own name. */
async function isRead(medium: string): Promise<void> {
  const [told, asFile] = await Promise.all(
    [medium, 'all/hello-1.1.0.iso'].map(async (one) => JSON.parse(await succeeds(['inspect', one, '--json'], { cwd }))),
  );
  expect(told.root).toBe(asFile.root);
  expect(told.images).toEqual(asFile.images);
  expect(told.signatures).toEqual(asFile.signatures);
  await succeeds(['verify', medium, '--key', 'k.pub'], { cwd });
  expect(await succeeds(['ls', medium, '.solpack/root.json'], { cwd })).toContain('.solpack/root.json');
  expect(await succeeds(['render', medium], { cwd })).toBe(await succeeds(['render', 'all/hello-1.1.0.iso'], { cwd }));
  await succeeds(['diff', medium, 'all/hello-1.1.0.iso'], { cwd });
  expect(await rendered([medium])).toBe(await rendered(['all/hello-1.1.0.iso']));
  await using serving = await starts(['serve', medium, '--key', 'k.pub', '--listen', '127.0.0.1:0'], { cwd });
  const { digest } = told.images[0];
  expect((await fetch(`${serving.first}/v2/hello/web/manifests/${digest}`)).status).toBe(200);
  await succeeds(['extract', medium, 'manifest.yaml', '-C', `out-${++runs}`], { cwd });
}

describe('every command reads', () => {
  test('an archive where it was extracted', () => isRead('extracted'));

  judged('an archive where it is mounted', ['fuseiso'], () =>
    mounted(join(folder, 'all/hello-1.1.0.iso'), join(folder, 'mounted'), () => isRead('mounted')),
  );

  deviceTest('an ISO in a drive', () => onDevice(join(folder, 'all/hello-1.1.0.iso'), isRead));
  deviceTest('a tar that was written to a drive', () => onDevice(join(folder, 'hello.tar'), isRead));

  deviceTest('an archive on a medium that is larger', async () => {
    writeFileSync(
      join(folder, 'disc'),
      Buffer.concat([readFileSync(join(folder, 'hello.tar')), Buffer.alloc(1 << 20)]),
    );
    await onDevice(join(folder, 'disc'), isRead);
  });

  test('a pattern that stands for one archive', () => isRead('all/*-1.1.?.iso'));

  judged('an archive on a server', ['nginx', 'openssl'], async () => {
    const at = `${(await serveFiles()).secureUrl}/all/hello-1.1.0.iso`;
    const trusting = ['--ca-file', join(folder, 'server.pem')];
    expect(await rendered([at], '', trusting)).toBe(await rendered(['all/hello-1.1.0.iso']));
    await using serving = await starts(['serve', at, '--listen', '127.0.0.1:0', ...trusting], { cwd });
    expect((await fetch(`${serving.first}/v2/hello/web/tags/list`)).status).toBe(200);
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const strange = await solpack(['inspect', at], { cwd, env });
    expect([strange.code, strange.stdout], 'the certificate counts, whatever Node.js was reported').toEqual([4, '']);
  });
});

describe('a folder or a pattern with several archives', () => {
  test.each(['all', 'all/*.iso'])('%s is all of them to an install and to a serve', async (entry) => {
    expect(await rendered([entry])).toContain('hello/web:1.1.0');
    expect(await rendered([entry], 'activeVersion: "1.0.0", ')).toContain('hello/web:1.0.0');
    await using serving = await starts(['serve', entry, '--listen', '127.0.0.1:0'], { cwd });
    const { tags } = (await (await fetch(`${serving.first}/v2/hello/web/tags/list`)).json()) as { tags: string[] };
    expect(tags).toEqual(['1.0.0', '1.1.0']);
  });

  test.each(['inspect', 'verify', 'ls', 'extract', 'render'])('is refused with the list by %s', async (command) => {
    for (const entry of ['all', 'all/*.iso']) {
      const { code, stderr } = await solpack([command, entry, '--quiet'], { cwd });
      const names = ['1.0.0', '1.1.0'].map((version) => join(folder, `all/hello-${version}.iso`)).join(', ');
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${entry}: matches 2 archives: ${names}; `)]);
    }
  });

  test('is refused where it holds none', async () => {
    mkdirSync(join(folder, 'none'));
    for (const entry of ['none', 'none/*.iso']) {
      const { code, stderr } = await solpack(['inspect', entry, '--quiet'], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${entry}: holds no archive; `)]);
    }
  });
});

describe('an archive that cannot be opened', () => {
  const good = 'all/hello-1.1.0.iso';
  const install = ['install', '-f', 'solutions.yaml', '--key', 'k.pub'];

  test.each([
    ['missing', 'absent.iso'],
    ['no archive', 'k.pub'],
    ['an empty folder', 'none'],
  ])('is a note where it is not active: %s', async (_, bad) => {
    mkdirSync(join(folder, 'none'), { recursive: true });
    configure([good, bad], 'activeVersion: "1.1.0", ');
    const { code, stderr } = await solpack([...install, '--render', `rendered-${++runs}`], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/absent\.iso|k\.pub|none/)]);
  });

  test('ends the install where it may be the active one, and nothing is rendered', async () => {
    for (const more of ['', 'activeVersion: latest, ', 'activeVersion: "1.2.0", ']) {
      configure([good, 'absent.iso'], more);
      const { code, stderr } = await solpack([...install, '--render', 'never', '--quiet'], { cwd });
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/absent\.iso: .*may be the version to activate; .*\[file-missing\]/),
      ]);
    }
    expect(() => readFileSync(join(folder, 'never'))).toThrow('ENOENT');
  });

  test('does not keep a serve from serving the others', async () => {
    configure([good, 'absent.iso']);
    await using serving = await starts(['serve', '-f', 'solutions.yaml', '--listen', '127.0.0.1:0'], { cwd });
    expect((await fetch(`${serving.first}/v2/hello/web/tags/list`)).status).toBe(200);
    expect(serving.said()).toContain('absent.iso');
    expect((await fetch(`${serving.first}/readyz`)).status).toBe(503);
    copyFileSync(join(folder, 'all/hello-1.0.0.iso'), join(folder, 'absent.iso'));
    await eventually(async () => (await fetch(`${serving.first}/readyz`)).status).toBe(200);
    rmSync(join(folder, 'absent.iso'));
  });
});
