import { cpSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { nodeLacks } from '../../scripts/node/needs.ts';
import { succeeds } from '../support/cli.ts';
import { find, ok, run, scratch } from '../support/judges.ts';
import { onDevice } from '../support/loop-device.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { kubeadm, systemctl, withOwnSystem } from '../support/own-system.ts';

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

/** The node as it is where an operator comes with a stick; what setup copies there is gone with it. */
function withStick(prepare: string, command: string): string[] {
  const own = `${kubeadm(node())}\nmount -t tmpfs own /usr/local/bin\n${prepare}`;
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
    const command = `! command -v helm kubectl node solpack
./solpack setup --yes --key release.pub
./solpack install ${medium} --yes
solpack status
solpack setup --yes
solpack uninstall guestbook
solpack setup --undo`;
    const told = await node().ok('unshare', withStick('', command), { cwd });
    expect(told).toContain('Kubernetes, as kubeadm installs it, /etc/kubernetes/admin.conf, 1 node');
    expect(told).toMatch(/^ {2}containerd {2}\d+\.\d+\.\S+, \/run\/containerd\/containerd\.sock$/m);
    expect(told).toContain('images are imported into the containerd at /run/containerd/containerd.sock');
    expect(told).toMatch(/^configuration default {2}ready/m);
    expect(told).toContain('nothing to do: all is as it should be');
    expect(told).toMatch(/^removed guestbook 1\.1\.0/m);
    // The configuration names the archive by now, so it is no longer what setup has written.
    expect(told).toMatch(/^kept: it was changed since +\/etc\/solpack\/solutions\.yaml/m);
    expect(told).toMatch(/^taken back +\/etc\/solpack\/release\.pub/m);
    expect(told).toMatch(/^taken back +\/usr\/local\/bin\/solpack/m);
  });
});

nodeTest('where systemd runs and containerd has mirrors, its images come from the archive in the drive', async () => {
  writeFileSync(join(folder, 'bin/systemctl'), systemctl, { mode: 0o755 });
  const prepare = `mkdir -p /run/systemd/system /etc/containerd
printf '[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "%s"\n' ${node().hostsDir} >/etc/containerd/config.toml`;
  await inDrive(async (medium) => {
    const command = `./solpack setup --yes --key release.pub
./solpack install ${medium} --yes
solpack status
systemctl is-active solpack-serve.service && echo still serving
if command -v systemd-analyze; then systemd-analyze verify --man=no /etc/systemd/system/solpack-serve.service; fi
solpack setup --yes
solpack setup --undo
systemctl is-active solpack-serve.service || echo served no longer`;
    const told = await node().ok('unshare', withStick(prepare, command), { cwd });
    expect(told).toContain('images come by "solpack serve", as a service at http://127.0.0.1:5000');
    expect(told).toMatch(/^2 images at http:\/\/127\.0\.0\.1:5000 {2}nothing copied/m);
    expect(told).toMatch(/^configuration default {2}ready/m);
    expect(told).toContain('still serving');
    expect(told).toContain('nothing to do: all is as it should be');
    expect(told).toMatch(/^taken back +\/etc\/systemd\/system\/solpack-serve\.service/m);
    expect(told).toContain('served no longer');
  });
  const pods = await node().kubectl('get', 'pods', '-A', '-l', 'app.kubernetes.io/name', '-o', 'name');
  expect(pods).toContain('pod/');
});
