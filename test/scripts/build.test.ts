import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { smallSolution, writeFiles } from '../support/cli.ts';
import { type Outcome, ok, run, scratch } from '../support/judges.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('build');
const built = join(folder, 'solpack');

function build(output: string): Promise<string> {
  return ok(process.execPath, [join(root, 'scripts/build.ts'), '-o', output]);
}

function solpack(...args: string[]): Promise<Outcome> {
  return run(process.execPath, [join(built, 'bin/bin.js'), ...args], { cwd: folder });
}

/** The digest of every file below a folder. */
function digests(path: string): Record<string, string> {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  const isFile = (file: string): boolean => statSync(join(path, file)).isFile();
  return Object.fromEntries(files.filter(isFile).map((file) => [file, sha256(readFileSync(join(path, file)))]));
}

beforeAll(() => build(built));

test('the same sources make the same package, wherever it is put', async () => {
  const other = join(folder, 'other/place');
  await build(other);
  expect(digests(other)).toEqual(digests(built));
});

test('it needs no packages: none can be found from where it lies', () => {
  for (let above = built; above !== dirname(above); above = dirname(above)) {
    expect(existsSync(join(above, 'node_modules'))).toBe(false);
  }
});

test('its modules are ASCII, so that each character of them takes one byte of memory', () => {
  const modules = readdirSync(join(built, 'bin')).filter((name) => name.endsWith('.js'));
  const others = modules.filter((name) => readFileSync(join(built, 'bin', name)).some((byte) => byte > 0x7f));
  expect([modules.length > 10, others]).toEqual([true, []]);
});

test('it packs, in threads too, verifies and installs', async () => {
  await smallSolution(join(folder, 'src'));
  const succeeds = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await solpack(...args, '--quiet');
    expect([code, stderr.replace(/^note: .*\n/, '')]).toEqual([0, '']);
    return stdout;
  };
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await succeeds('--version')).toBe(`${version}\n`);
  expect(await succeeds('pack', 'src', '-o', 'a.iso', '--workers', '2')).toMatch(/^packed hello 1\.0\.0/);
  expect(await succeeds('verify', 'a.iso')).toMatch(/^intact, not verified hello 1\.0\.0/);
  const configuration =
    'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nsolutions: [{name: hello, archives: [a.iso]}]\n';
  writeFileSync(join(folder, 's.yaml'), configuration);
  expect(await succeeds('install', '-f', 's.yaml', '--insecure-skip-verify', '--render', 'rendered')).toMatch(
    /^rendered hello 1\.0\.0/,
  );
});

test('it talks to a cluster, and says in one line where there is none', async () => {
  const kubeconfig = `apiVersion: v1
kind: Config
current-context: none
contexts: [{ name: none, context: { cluster: none, user: none } }]
clusters: [{ name: none, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: none, user: { token: none } }]
`;
  writeFiles(folder, {
    'none.conf': kubeconfig,
    'components/010-one/kustomization.yaml': 'resources: [namespace.yaml]\n',
    'components/010-one/namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: one\n',
  });
  const { code, stderr } = await solpack('load', 'components', '--kubeconfig', 'none.conf', '--quiet');
  expect([code, stderr]).toEqual([5, expect.any(String)]);
  expect(stderr).toMatch(/^solpack: .*127\.0\.0\.1:1.*\[[a-z-]+\]\n$/);
});

test('it hands on the licence of everything that is in it', () => {
  const notices = readFileSync(join(built, 'THIRD-PARTY.txt'), 'utf8');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(dependencies)) {
    expect(notices).toMatch(new RegExp(`^${name} ${version} \\(.+\\)\n\n.*(?:Copyright|License|Licensed)`, 'm'));
  }
});
