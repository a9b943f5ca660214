import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallSolution, succeeds, writeFiles } from '../support/cli.ts';
import { head } from '../support/configurations.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { solpackHere } from '../support/here.ts';
import { run, scratch } from '../support/judges.ts';
import { beginning } from '../support/killed/killing.ts';
import { withOwnSystem } from '../support/own-system.ts';

const folder = scratch('cli-overview');
const at = (...names: string[]): string => join(folder, ...names);
const bin = join(import.meta.dirname, '../../cli/bin.js');
const plane = sharedControlPlane();

beforeAll(async () => {
  mkdirSync(at('empty'));
  for (const name of ['stick', 'cluster']) mkdirSync(at(name));
  await smallSolution(at('hello'));
  await succeeds(['pack', 'hello', '-o', 'stick/hello.iso'], { cwd: folder });
});

/** Lets a component be ready only as long as another object says so. */
const gateProbe = `
[[components.ready]]
apiVersion = "v1"
kind = "ConfigMap"
namespace = "default"
name = "gate"
cel = "self.data.open == 'yes'"
`;

async function printed(env: Readonly<Record<string, string>>, cwd = at('stick')): Promise<string> {
  const { code, stdout, stderr } = await solpackHere([], { cwd, env });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  // What solpack says by itself needs no second row on a terminal of 80 columns.
  for (const name of ['init', 'pack', 'setup', 'install', 'status'])
    expect(stdout).toMatch(new RegExp(`^  solpack ${name} .{1,60}$`, 'm'));
  return stdout;
}

describe('solpack alone', () => {
  test('tells what is in the folder, and that there is no profile', async () => {
    const stdout = await printed({ SOLPACK_PROFILE: '', HOME: at('empty'), XDG_CONFIG_HOME: at('empty') });
    expect(stdout).toMatch(/^archives +hello 1\.0\.0 in hello\.iso$/m);
  });

  test('is led by a stick, on a node and elsewhere, without a word of its own', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const stick = `mkdir -p /run/media/me/stick; mount --bind ${at('stick')} /run/media/me/stick; cd ${at('empty')}`;
    const words = `${process.execPath} ${bin}`;
    const steps = [
      `${words} | grep ^next`,
      'mkdir -p /etc/rancher/k3s; touch /etc/rancher/k3s/k3s.yaml',
      `${words} | grep ^next`,
    ];
    const { code, stdout, stderr } = await run('unshare', withOwnSystem(stick, steps.join('\n')), {
      env: { ...process.env, SOLPACK_PROFILE: '', HOME: at('empty') },
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim().split('\n')).toEqual([
      'next        solpack inspect /run/media/me/stick/hello.iso',
      'next        solpack setup /run/media/me/stick/hello.iso',
    ]);
  });

  test('leads to doctor where the profile is refused, or the cluster does not answer', async () => {
    writeFiles(folder, { 'broken.toml': 'kubeconfig = 5\n', 'away.toml': 'kubeconfig = "none.conf"\n' });
    expect(await printed({ SOLPACK_PROFILE: at('broken.toml') })).toMatch(
      /^profile +refused: [\s\S]*^next +solpack doctor$/m,
    );
    expect(await printed({ SOLPACK_PROFILE: at('away.toml') })).toMatch(
      // A busy machine may take longer to read the kubeconfig than solpack waits.
      /^cluster +(?:.*none\.conf.*|did not answer within \d+ s)\nnext +solpack doctor$/m,
    );
  });

  controlPlaneTest('leads to what the cluster lacks, and then to its status', async () => {
    const { kubeconfig } = plane();
    await succeeds(['keygen', '-o', 'k'], { cwd: folder });
    await smallSolution(at('map'), { name: 'map' });
    writeFiles(at('map'), { 'web/pod.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n' });
    await succeeds(['pack', 'map', '-o', 'cluster/map.iso', '--sign', 'k.key'], { cwd: folder });
    writeFiles(folder, {
      'profile.toml': `configuration = "solutions.yaml"\nkubeconfig = "${kubeconfig}"\nkeys = ["k.pub"]\n[images]\nimage-store = "store"\n`,
    });
    const env = { SOLPACK_PROFILE: at('profile.toml') };
    expect(await printed(env, at('cluster'))).toMatch(/^installed +nothing\nnext +solpack install map\.iso$/m);
    const args = ['install', 'map.iso', '--yes', '--trust-state', at('state')];
    const installed = await solpackHere(args, { cwd: at('cluster'), env });
    expect([installed.code, installed.stderr]).toEqual([0, expect.any(String)]);
    expect(await printed(env, at('cluster'))).toMatch(/^installed +map 1\.0\.0 is ready\nnext +solpack status$/m);
  });

  controlPlaneTest('says what is amiss in the cluster, and leads to the command that goes on', async () => {
    const { kubeconfig, kubectl } = plane();
    const gate = (open: string): Promise<string> =>
      kubectl('patch', 'configmap', 'gate', '--type=merge', '-p', JSON.stringify({ data: { open } }));
    await kubectl('create', 'configmap', 'gate', '--from-literal=open=yes');
    await succeeds(['keygen', '-o', 'g'], { cwd: folder });
    mkdirSync(at('gates'));
    for (const version of ['1.0.0', '1.1.0']) {
      await smallSolution(at(`gated-${version}`), { name: 'gated', version });
      writeFiles(at(`gated-${version}`), {
        'web/pod.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: gated, labels: {v: "${version}"}}\n`,
      });
      appendFileSync(at(`gated-${version}`, 'solution.toml'), gateProbe);
      const words = ['pack', `gated-${version}`, '-o', `gates/gated-${version}.iso`, '--sign', 'g.key'];
      await succeeds(words, { cwd: folder });
    }
    writeFiles(folder, {
      // What another configuration of that cluster has installed is none of its business.
      'gates.yaml': `${head}metadata: {name: gates}\nsolutions: []\n`,
      'gates.toml': `configuration = "gates.yaml"\nkubeconfig = "${kubeconfig}"\nkeys = ["g.pub"]\n[images]\nimage-store = "store"\n`,
    });
    const env = { SOLPACK_PROFILE: at('gates.toml') };
    const install = ['install', '--yes', '--trust-state', at('gates-state')];
    const first = await solpackHere([...install, 'gates/gated-1.0.0.iso'], { cwd: folder, env });
    expect([first.code, first.stderr]).toEqual([0, expect.any(String)]);
    await gate('no');
    expect(await printed(env, at('empty'))).toMatch(
      /^installed +.*gated 1\.0\.0 is degraded.*\nnext +solpack status$/m,
    );
    const begun = beginning([...install, at('gates/gated-1.1.0.iso')], at('empty'), env);
    await begun.says(/^wait .*gate/m);
    begun.kill();
    await begun.ended;
    expect(await printed(env, at('gates'))).toMatch(
      /^installed +.*gated 1\.1\.0 was interrupted.*\nnext +solpack install$/m,
    );
    const failed = await solpackHere([...install, '--timeout', '1s'], { cwd: at('empty'), env });
    expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining('[object-not-ready]')]);
    expect(await printed(env, at('gates'))).toMatch(/^installed +.*gated 1\.1\.0 has failed.*\nnext +solpack status$/m);
    await gate('yes');
    const again = await solpackHere(install, { cwd: at('empty'), env });
    expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
    expect(await printed(env, at('gates'))).toMatch(/^installed +.*gated 1\.1\.0 is ready.*\nnext +solpack status$/m);
  });
});
