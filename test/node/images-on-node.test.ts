import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { busyboxArchive } from '../../scripts/node/busybox.ts';
import { succeeds } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('images-on-node');
const cwd = folder;
const node = sharedNode();
const head =
  'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\n';

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook'), folder, { recursive: true });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  for (const version of ['1.0.0', '1.1.0']) {
    await succeeds(['pack', version, '-o', `${version}.iso`, '--sign', 'release.key'], { cwd });
    const archives = 'archives: [1.0.0.iso, 1.1.0.iso]';
    writeFileSync(
      join(folder, `${version}.yaml`),
      `${head}solutions: [{name: guestbook, activeVersion: "${version}", ${archives}}]\n`,
    );
  }
});

const socket = (): string => join(node().state, 'containerd.sock');
const ctr = (...args: string[]): Promise<string> =>
  node().ok('ctr', ['--address', socket(), '--namespace', 'k8s.io', ...args]);

async function install(version: string): Promise<{ moved: number; present: number; images: { reference: string }[] }> {
  const trust = ['--key', 'release.pub', '--trust-state', join(folder, 'state')];
  const places = ['--kubeconfig', node().kubeconfig, '--containerd', socket()];
  return JSON.parse(
    await node().succeeds(['install', '-f', `${version}.yaml`, ...trust, ...places, '--json'], { cwd }),
  );
}

/** Starts kubelet anew, for which the disk is too full now: it removes images before it evicts Pods, within seconds. */
async function collectGarbage(): Promise<void> {
  const settings = join(node().state, 'config/kubelet.yaml');
  const [pid] = (await node().ok('pgrep', ['-f', settings])).split('\n');
  const line = (await node().ok('cat', [`/proc/${pid}/cmdline`])).split('\0').slice(0, -1);
  const now = { evictionHard: { 'nodefs.available': '99%' }, imageMinimumGCAge: '1ms' };
  writeFileSync(settings, stringify({ ...parse(readFileSync(settings, 'utf8')), ...now }));
  await node().ok('kill', [pid!]);
  const log = join(node().state, 'logs/kubelet.log');
  node().begins(['-c', `exec "$@" >>${log} 2>&1`, 'sh', ...line], { program: 'sh' });
}

interface Pods {
  items: {
    spec: { containers: { image: string }[] };
    status: { containerStatuses: { ready: boolean; imageID: string }[] };
  }[];
}

describe('images that are on the node alone', () => {
  nodeTest('are what Pods run by digest, with no registry anywhere', async () => {
    const { moved, images } = await install('1.0.0');
    expect(moved).toBe(images.length);
    const { items } = await node().get<Pods>('pods', '-n', 'guestbook');
    for (const { spec, status } of items) {
      const [image] = spec.containers;
      expect(image!.image).toMatch(/^registry\.example\.com\/guestbook\/\w+:1\.0\.0@sha256:[0-9a-f]{64}$/);
      expect(status.containerStatuses.every(({ ready }) => ready)).toBe(true);
    }
    expect(items.length).toBeGreaterThan(1);
    expect(await install('1.0.0')).toMatchObject({ moved: 0, present: images.length });
    expect(node().logs('containerd')).not.toContain('lookup registry.example.com');
  });

  nodeTest('stay for one version back, which rollback makes sure of, and go with what needed them', async () => {
    await install('1.1.0');
    expect(await ctr('images', 'list', '-q')).toContain('guestbook/web:1.0.0');
    const status = JSON.parse(await node().succeeds(['status', '--kubeconfig', node().kubeconfig, '--json'], { cwd }));
    expect(status.solutions[0].images).toEqual({ asked: true, missing: [], reasons: {} });
    await node().succeeds(['rollback', '--kubeconfig', node().kubeconfig], { cwd });
    await install('1.1.0');
    await ctr('images', 'rm', 'registry.example.com/guestbook/web:1.0.0');
    const { code, stderr } = await node().solpack(['rollback', '--kubeconfig', node().kubeconfig], { cwd });
    expect([code, stderr]).toEqual([5, expect.stringContaining('[image-missing]')]);
    expect(stderr).toContain('1.0.0.iso');
    await node().succeeds(['uninstall', 'guestbook', '--kubeconfig', node().kubeconfig], { cwd });
    expect(await ctr('images', 'list', '-q')).not.toContain('guestbook');
  });

  nodeTest('stay where the disk is too full, and kubelet removes all images that no container uses', async () => {
    await install('1.0.0');
    await install('1.1.0');
    const other = 'registry.example.com/other:1.0.0';
    const archive = join(folder, 'other.tar');
    writeFileSync(archive, busyboxArchive({ reference: other, command: ['/bin/true'], seed: 'other' }));
    await ctr('images', 'import', archive);
    const listed = await ctr('images', 'list', '-q');
    expect(listed).toContain(other);
    await collectGarbage();
    await eventually(() => ctr('images', 'list', '-q')).not.toContain(other);
    const kept = listed.split('\n').filter((name) => name.includes('guestbook/'));
    expect(kept).toContain('registry.example.com/guestbook/web:1.0.0');
    expect((await ctr('images', 'list', '-q')).split('\n')).toEqual(expect.arrayContaining(kept));
  });
});
