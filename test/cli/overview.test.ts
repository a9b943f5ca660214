import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallSolution, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { solpackHere } from '../support/here.ts';
import { run, scratch } from '../support/judges.ts';
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

async function printed(env: Readonly<Record<string, string>>, cwd = at('stick')): Promise<string> {
  const { code, stdout, stderr } = await solpackHere([], { cwd, env });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  for (const name of ['init', 'pack', 'setup', 'install', 'status']) expect(stdout).toContain(`  solpack ${name}`);
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
      /^cluster +.*none\.conf.*\nnext +solpack doctor$/m,
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
});
