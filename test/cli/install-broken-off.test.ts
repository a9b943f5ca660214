import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { smallSolution, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, ok, scratch } from '../support/judges.ts';
import { beginning, killedAt, momentsOf } from '../support/killed/killing.ts';
import { deviceTest, onDevice } from '../support/loop-device.ts';
import { sampled } from '../support/sample.ts';

const folder = scratch('install-broken-off');
const at = (...names: string[]): string => join(folder, ...names);
const plane = sharedControlPlane();
const configuration = at('etc/solutions.yaml');

beforeAll(async () => {
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  await smallSolution(at('hello'));
  // No Pod runs where there is no node.
  writeFiles(at('hello'), { 'web/pod.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n' });
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'k.key'], { cwd: folder });
});

/** Lets a machine be one that nothing was installed on; its profile names no cluster, if `kubeconfig` is none. */
function newMachine(kubeconfig?: string): void {
  for (const name of ['etc', 'state', 'images']) rmSync(at(name), { recursive: true, force: true });
  const cluster = kubeconfig === undefined ? '' : `kubeconfig = "${kubeconfig}"\n`;
  const said = `configuration = "etc/solutions.yaml"\n${cluster}keys = ["k.pub"]\n[images]\nimage-folder = "k3s:${at('images')}"\n`;
  writeFiles(folder, { 'profile.toml': said });
}

const env = { SOLPACK_PROFILE: at('profile.toml') };
const words = (...args: string[]): string[] => ['install', ...args, '--trust-state', at('state')];

function installs(...args: string[]): Promise<Outcome> {
  return solpackHere(words(...args), { cwd: folder, env });
}

/** What was delivered: the files for the node, by their sizes. */
async function images(): Promise<string> {
  return existsSync(at('images')) ? ok('ls', ['-1s', at('images')]) : '';
}

controlPlaneTest(
  'an install of an archive that is killed between import, images and objects is completed by install alone',
  async () => {
    const { kubeconfig, kubectl } = plane();
    const args = words(at('hello.iso'), '--yes', '--profile', at('profile.toml'));
    newMachine(kubeconfig);
    const { moments } = await momentsOf(args, folder);
    const whole = await images();
    for (const moment of sampled(moments, 2)) {
      await succeeds(['uninstall', 'hello', '--kubeconfig', kubeconfig, '-q']);
      newMachine(kubeconfig);
      const killed = await killedAt(moment, args, folder);
      const isKnown = existsSync(configuration);
      // What is written is whole: the Solution is in the configuration with its version, or there is none.
      if (isKnown)
        expect([moment, readFileSync(configuration, 'utf8')]).toEqual([
          moment,
          expect.stringContaining('activeVersion: "1.0.0"'),
        ]);
      const again = await installs(...(isKnown ? [] : [at('hello.iso')]), '--yes');
      expect([moment, killed.code === 0 || killed.code === 137, again.code, again.stderr]).toEqual([
        moment,
        true,
        0,
        expect.any(String),
      ]);
      expect([moment, await images()]).toEqual([moment, whole]);
      await kubectl('get', 'configmap/web', '-n', 'hello');
    }
  },
);

test('a medium that is pulled while images are brought ends the install, which the same command does once it is back', async () => {
  newMachine();
  copyFileSync(at('hello.iso'), at('pulled.iso'));
  const args = words(at('pulled.iso'), '--yes', '--images-only', '--profile', at('profile.toml'));
  const { moments } = await momentsOf(args, folder);
  const whole = await images();
  const [, place = ''] = /^(step \d+) .*"step":"place"/m.exec(moments.join('\n')) ?? [];
  newMachine();
  const begun = beginning([...args, '--progress', 'json'], folder, { SOLPACK_TEST_HALT: place });
  await begun.halts();
  truncateSync(at('pulled.iso'), Math.round(statSync(at('pulled.iso')).size / 4));
  begun.goOn();
  const { code, stdout, stderr } = await begun.ended;
  const last = stderr.trim().split('\n').at(-1);
  expect([code === 0, stdout, last]).toEqual([
    false,
    '',
    expect.stringMatching(/^solpack: .*pulled\.iso.*; .* \[[a-z-]+\]$/),
  ]);
  copyFileSync(at('hello.iso'), at('pulled.iso'));
  const again = await installs('--yes', '--images-only');
  expect([again.code, again.stdout, await images()]).toEqual([0, expect.stringContaining('hello 1.0.0'), whole]);
});

deviceTest('a drive whose disc is damaged further on installs nothing, and says what to do', async () => {
  newMachine();
  copyFileSync(at('hello.iso'), at('disc.iso'));
  await onDevice(at('disc.iso'), async (device) => {
    truncateSync(at('disc.iso'), Math.round(statSync(at('disc.iso')).size / 2));
    const { code, stdout, stderr } = await installs(device, '--yes', '--images-only');
    expect([code === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(/^solpack: .*; .* \[[a-z-]+\]$/m)]);
    // The configuration names no disc that cannot be read: another one is not in its way.
    expect([existsSync(configuration), await images()]).toEqual([false, '']);
  });
});
