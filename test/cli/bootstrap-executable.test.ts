import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadPublicKey } from '../../lib/trust/index.ts';
import { bareMachine, bareRootTest } from '../support/bare-root.ts';
import { archiveOnPage as archive, mountOnPage, typed } from '../support/bootstrap.ts';
import { succeeds, writeFiles } from '../support/cli.ts';
import { folderOf, here } from '../support/installer.ts';
import { find, ok, scratch } from '../support/judges.ts';

const folder = scratch('bootstrap-executable');
const cwd = folder;
const root = join(import.meta.dirname, '../..');
const own = folderOf(here);
const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

/** Lets the executable of these sources pack a Solution that takes helm and kubectl to render. Returns the fingerprint. */
async function packed(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  await ok(process.execPath, [join(root, 'scripts/build-bin.ts'), '-o', 'built', '--platform', platform], { cwd });
  writeFiles(folder, {
    'src/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'src/web/templates/map.yaml': map('by-helm'),
    'src/base/kustomization.yaml': 'resources: [map.yaml]\nnamePrefix: built-\n',
    'src/base/map.yaml': map('by-kubectl'),
    'src/solution.toml': `name = "guestbook"
version = "1.1.0"
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
  });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  writeFiles(folder, { 'keys/release.pub': readFileSync(join(folder, 'release.pub')) });
  // The folder has keys alone: so the executable takes itself along, and what this machine has on PATH.
  const asked = ['--with-installer', '--installer-from', 'keys', '--sign', 'release.key', '--no-sync'];
  await ok(join(folder, 'built', `solpack-${platform}`), ['pack', 'src', '-o', archive, ...asked], { cwd });
  const listed = await succeeds(['ls', archive, `bin/${own}`], { cwd });
  expect(
    listed
      .trim()
      .split('\n')
      .map((line) => line.split('/').at(-1)),
  ).toEqual(['helm', 'kubectl', 'solpack']);
  return (await loadPublicKey(join(folder, 'release.pub'))).keyId;
}

bareRootTest(
  'a machine with nothing but a shell, openssl and sha256sum verifies the rest of a medium, and renders, by what is on it',
  async (context) => {
    if (['helm', 'kubectl', 'xorriso'].some((name) => find(name) === undefined)) {
      context.skip('needs helm, kubectl, xorriso');
    }
    const paper = await packed();
    const machine = bareMachine(join(folder, 'machine'), mountOnPage);
    linkSync(join(folder, archive), join(machine.stick, archive));
    await ok('xorriso', ['-osirrox', 'on', '-indev', archive, '-extract', '/', machine.medium], { cwd });
    const render = `"bin/$platform/solpack" render "$archive" --quiet\n`;
    const { code, stdout, stderr } = await machine.run(typed(paper, render));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^verify +\/media\/usb\/guestbook-1\.1\.0\.iso\n$/)]);
    expect(stdout).toMatch(/^Verified OK\n(bin\/\S+: OK\n){3}verified guestbook 1\.1\.0 [\s\S]*by key [0-9a-f]{16}\n/);
    expect(stdout).toMatch(/name: by-helm[\s\S]*name: built-by-kubectl/);
  },
  300_000,
);
