import { cpSync, linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { nodeLacks } from '../../scripts/node/needs.ts';
import { succeeds } from '../support/cli.ts';
import { find, ok, run, scratch } from '../support/judges.ts';
import { onDevice } from '../support/loop-device.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { kubeadm, withOwnSystem } from '../support/own-system.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('node-setup');
const cwd = folder;
const node = sharedNode();
const stick = join(folder, 'stick');

beforeAll(async () => {
  if (nodeLacks().length > 0) return;
  const platform = `${process.platform}-${process.arch}`;
  await ok(process.execPath, [join(root, 'scripts/build-bin.ts'), '-o', 'built', '--platform', platform], { cwd });
  cpSync(join(root, 'fixtures/guestbook/1.1.0'), join(folder, 'guestbook'), { recursive: true });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  mkdirSync(stick);
  cpSync(join(folder, 'release.pub'), join(stick, 'release.pub'));
  linkSync(join(folder, 'built', `solpack-${platform}`), join(stick, 'solpack'));
  const installer = ['--with-installer', '--installer-from', 'stick', '--sign', 'release.key'];
  await ok(join(stick, 'solpack'), ['pack', 'guestbook', '-o', 'guestbook.iso', ...installer], { cwd });
  // Of all programs that this machine has for the tests, a node has `ctr`, which comes with containerd.
  mkdirSync(join(folder, 'bin'));
  if (find('ctr') !== undefined) linkSync(find('ctr')!, join(folder, 'bin/ctr'));
});

/**
 * The node as it is where an operator comes with a stick, without programs of this machine; what setup copies there is
 * gone with it.
 */
function withStick(command: string): string[] {
  const own = `${kubeadm(node())}
mount -t tmpfs own /usr/local/bin
for name in helm kubectl node; do
  while at=$(PATH=/usr/sbin:/usr/bin:/sbin:/bin command -v $name); do mount --bind /dev/null $at; done
done`;
  const path = `${join(folder, 'bin')}:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
  return withOwnSystem(own, `export PATH=${path}\ncd ${stick}\n${command}`);
}

/** Lets the archive be in a drive, where this kernel has loop devices; else the file stands for that. */
async function inDrive<T>(work: (medium: string) => Promise<T>): Promise<T> {
  const archive = join(folder, 'guestbook.iso');
  return (await run('losetup', ['--find'])).code === 0 ? onDevice(archive, work) : work(archive);
}

nodeTest('an executable and an archive with an installer are enough for two commands that end in Pods', async () => {
  await inDrive(async (medium) => {
    const command = `./solpack setup --yes --key release.pub
./solpack install ${medium} --yes
solpack status
solpack setup --yes
solpack setup --undo --yes`;
    const told = await node().ok('unshare', withStick(command), { cwd });
    expect(told).toContain('Kubernetes, as kubeadm installs it, /etc/kubernetes/admin.conf, 1 node');
    expect(told).toMatch(/^ {2}containerd {2}\d+\.\d+\.\S+, \/run\/containerd\/containerd\.sock$/m);
    for (const tool of ['helm', 'kubectl']) {
      const there = `bin/linux-${process.arch === 'x64' ? 'amd64' : process.arch}/${tool} in ${medium}, which installs use from there`;
      const where = medium.startsWith('/dev/') ? there : 'not on PATH; archives may include it';
      expect(told.split('\n')).toContain(`  ${tool.padEnd(10)}  ${where}`);
    }
    expect(told).toContain('images are imported into the containerd at /run/containerd/containerd.sock');
    expect(told).toMatch(/^configuration default {2}ready/m);
    expect(told).toContain('nothing to do: everything is set up');
    // The configuration names the archive by now, so it is no longer what setup has written.
    expect(told).toMatch(/^kept: somebody has changed it +\/etc\/solpack\/solutions\.yaml/m);
    expect(told).toMatch(/^taken back +\/etc\/solpack\/release\.pub/m);
    expect(told).toMatch(/^taken back +\/usr\/local\/bin\/solpack/m);
  });
  const pods = await node().kubectl('get', 'pods', '-A', '-l', 'app.kubernetes.io/name', '-o', 'name');
  expect(pods).toContain('pod/');
});
