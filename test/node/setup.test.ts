import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { succeeds } from '../support/cli.ts';
import { ok, run, scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { kubeadm, withOwnSystem } from '../support/own-system.ts';

const folder = scratch('node-setup');
const cwd = folder;
const bin = join(import.meta.dirname, '../../cli/bin.js');
const node = sharedNode();

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook/1.1.0'), join(folder, 'guestbook'), { recursive: true });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  await succeeds(['pack', 'guestbook', '-o', 'guestbook.iso', '--sign', 'release.key'], { cwd });
});

nodeTest('a node of kubeadm is set up by one command, and a second one brings Pods that are ready', async () => {
  const solpack = `${process.execPath} ${bin}`;
  // Where this kernel has loop devices, the archive is in a drive; else the file stands for that.
  const attached = await run('losetup', ['--read-only', '--find', '--show', 'guestbook.iso'], { cwd });
  const medium = attached.code === 0 ? attached.stdout.trim() : 'guestbook.iso';
  onTestFinished(async () => {
    if (attached.code === 0) await ok('losetup', ['--detach', medium]);
  });
  const command = `${solpack} setup --yes --key release.pub
${solpack} install ${medium} --yes
${solpack} status
${solpack} setup --yes
${solpack} setup --undo`;
  const told = await node().ok('unshare', withOwnSystem(kubeadm(node()), command), { cwd });
  expect(told).toContain('Kubernetes, as kubeadm installs it, /etc/kubernetes/admin.conf, 1 node');
  expect(told).toContain('images are imported into the containerd at /run/containerd/containerd.sock');
  expect(told).toMatch(/^configuration default {2}ready/m);
  expect(told).toContain('nothing to do: all is as it should be');
  // The configuration names the archive by now, so it is no longer what setup has written.
  expect(told).toMatch(/^kept: it was changed since +\/etc\/solpack\/solutions\.yaml/m);
  expect(told).toMatch(/^taken back +\/etc\/solpack\/release\.pub/m);
  const pods = await node().kubectl('get', 'pods', '-A', '-l', 'app.kubernetes.io/name', '-o', 'name');
  expect(pods).toContain('pod/');
});
