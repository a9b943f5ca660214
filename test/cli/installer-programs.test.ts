import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { loadPublicKey } from '../../lib/parts/trust/index.ts';
import { writeFiles } from '../support/cli.ts';
import { solpackHere } from '../support/here.ts';
import { elsewhere, folderOf, here, writePrograms } from '../support/installer.ts';
import { find, judged, type Outcome, scratch } from '../support/judges.ts';

const folder = scratch('installer-programs');
const cwd = folder;
const at = (name: string): string => join(folder, name);
const judges = ['helm', 'kubectl'] as const;
/** A machine that has neither helm nor kubectl, and keeps its temporary files apart. */
const bare = { cwd, env: { PATH: '/nonexistent', TMPDIR: at('tmp') } };

const chart = { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', 'templates/map.yaml': map('by-helm') };

function map(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
}

/** Runs solpack in this process; it has to end well. */
async function succeeds(args: readonly string[], options: { readonly cwd: string }): Promise<string> {
  const { code, stdout, stderr } = await solpackHere(args, options);
  if (code !== 0) throw new Error(`solpack ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout;
}

beforeAll(async () => {
  if (judges.some((judge) => find(judge) === undefined)) return;
  mkdirSync(at('tmp'));
  writeFiles(folder, {
    ...Object.fromEntries(Object.entries(chart).map(([path, text]) => [`src/web/${path}`, text])),
    'src/base/kustomization.yaml': 'resources: [map.yaml]\nnamePrefix: built-\n',
    'src/base/map.yaml': map('by-kubectl'),
    'src/solution.toml': `name = "hello"
version = "1.0.0"
[[components]]
name = "web"
kind = "helm"
path = "web"
namespace = "default"
[[components]]
name = "base"
kind = "kustomize"
path = "base"
`,
    'site.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions:
  - name: hello
    archives: [a.iso]
`,
  });
  writePrograms(at('programs'));
  for (const name of ['helm', 'kubectl']) {
    const own = at(`programs/${folderOf(here)}/${name}`);
    rmSync(own);
    symlinkSync(find(name)!, own);
  }
  await succeeds(['keygen', '-o', 'release'], { cwd });
  await succeeds(['keygen', '-o', 'other'], { cwd });
  const packed = ['--installer-from', 'programs', '--sign', 'release.key', '--no-sync'];
  await succeeds(['pack', 'src', '-o', 'a.iso', '--with-installer', here, ...packed], { cwd });
  await succeeds(['pack', 'src', '-o', 'far.iso', '--with-installer', elsewhere, ...packed], { cwd });
  await succeeds(['pack', 'src', '-o', 'none.iso', '--sign', 'release.key'], { cwd });
});

const install = (...args: string[]): Promise<Outcome> => {
  rmSync(at('rendered'), { recursive: true, force: true });
  return solpackHere(['install', '-f', 'site.yaml', '--render', 'rendered', '--trust-state', 'state', ...args], bare);
};

/** Whom a policy with these bounds trusts. */
async function within(components: readonly string[]): Promise<string[]> {
  const { keyId: id } = await loadPublicKey(at('release.pub'));
  const rule = { match: 'hello', keys: [id], allow: { components } };
  const policy = { version: 1, keys: [{ id, file: 'release.pub' }], policies: [rule] };
  writeFileSync(at('trust.json'), JSON.stringify(policy));
  return ['--policy', 'trust.json'];
}

function expectRendered(): void {
  const texts = readdirSync(at('rendered'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(texts.join('')).toMatch(/name: by-helm[\s\S]*name: built-by-kubectl/);
}

judged(
  'install renders by the helm and the kubectl of a trusted archive, where the machine has none, and leaves nothing behind',
  judges,
  async () => {
    for (const trust of [await within(['helm', 'kustomize', 'plugin']), ['--insecure-skip-verify']]) {
      const { code, stderr } = await install(...trust);
      expect([code, stderr]).toEqual([0, expect.stringMatching(/unpack +helm of [\s\S]*unpack +kubectl of /)]);
      expectRendered();
    }
    expect(readdirSync(at('tmp'))).toEqual([]);
  },
);

judged('install runs no program of an archive that a policy allows no plugins, and says so', judges, async () => {
  const { code, stderr } = await install(...(await within(['helm', 'kustomize'])), '-q');
  const words =
    /^solpack: helm: not found on PATH, and .*a\.iso includes it, but the policy allows it no plugins.*\[tool-missing\]\n$/;
  expect([code, stderr]).toEqual([6, expect.stringMatching(words)]);
  expect(readdirSync(at('tmp'))).toEqual([]);
});

judged('install by a key that has not signed asks nobody for a program', judges, async () => {
  const { code, stderr } = await install('--key', 'other.pub');
  expect([code, stderr]).toEqual([3, expect.not.stringContaining('unpack')]);
});

judged(
  'render uses them for who says whom to trust, and prints what it prints with those of the machine',
  judges,
  async () => {
    const trusted = await solpackHere(['render', 'a.iso', '-q', '--key', 'release.pub'], bare);
    expect(trusted).toMatchObject({ code: 0, stdout: await succeeds(['render', 'a.iso', '-q'], { cwd }) });
    const untold = await solpackHere(['render', 'a.iso', '-q'], bare);
    expect([untold.code, untold.stderr]).toEqual([
      6,
      expect.stringMatching(/includes it, but neither a key nor a policy says whom to trust/),
    ]);
    const other = await solpackHere(['render', 'a.iso', '-q', '--key', 'other.pub'], bare);
    expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('[not-trusted]')]);
    const definition = await solpackHere(['render', 'src', '-q', '--key', 'release.pub'], { cwd });
    expect([definition.code, definition.stderr]).toEqual([2, expect.stringContaining('--key: is for an archive')]);
  },
);

judged('an archive without a program for this machine says for which it has one, or says nothing', judges, async () => {
  const far = await solpackHere(['render', 'far.iso', '-q', '--key', 'release.pub'], bare);
  const words = `includes it for ${elsewhere}, but this machine is ${here}; install helm`;
  expect([far.code, far.stderr]).toEqual([6, expect.stringContaining(words)]);
  const none = await solpackHere(['render', 'none.iso', '-q', '--key', 'release.pub'], bare);
  expect([none.code, none.stderr]).toEqual([
    6,
    expect.stringMatching(/^solpack: helm: not found on PATH; install Helm/),
  ]);
});

judged('a program in an extracted archive that is another one by now is not run', judges, async () => {
  await succeeds(['extract', 'a.iso', '-C', 'extracted', '-q'], { cwd });
  const { installer } = JSON.parse(await succeeds(['inspect', 'a.iso', '--json'], { cwd }));
  const { digest } = installer.find(({ path }: { path: string }) => path.endsWith('/helm'));
  const blob = at(`extracted/blobs/${digest.replace(':', '/')}`);
  const bytes = readFileSync(blob);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(blob, bytes);
  const { code, stderr } = await solpackHere(['render', 'extracted', '-q', '--key', 'release.pub'], bare);
  expect([code, stderr]).toEqual([1, expect.stringContaining(digest)]);
});
