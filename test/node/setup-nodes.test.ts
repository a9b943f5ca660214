import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { nodeLacks } from '../../scripts/node/needs.ts';
import { succeeds } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import { nodeTest, sharedCluster } from '../support/node.ts';
import { kubeadm, systemctl, withOwnSystem } from '../support/own-system.ts';
import { eventually } from '../support/until.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('node-setup-nodes');
const cwd = folder;
const lab = sharedCluster(1);

beforeAll(async () => {
  if (nodeLacks().length > 0) return;
  cpSync(join(root, 'fixtures/guestbook/1.1.0'), join(folder, 'guestbook'), { recursive: true });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  await succeeds(['pack', 'guestbook', '-o', 'guestbook.iso', '--sign', 'release.key'], { cwd });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/systemctl'), systemctl, { mode: 0o755 });
});

nodeTest('one of several nodes serves all, each of which joins by the line that setup prints', async () => {
  const [control, worker] = lab();
  const solpack = `${process.execPath} ${join(root, 'cli/bin.js')}`;
  const prepare = `${kubeadm(control)}
mkdir -p /run/systemd/system /etc/containerd
printf '[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "%s"\n' ${control.hostsDir} >/etc/containerd/config.toml`;
  const script = `export PATH=${join(folder, 'bin')}:$PATH
solpack() { ${solpack} "$@"; }
solpack setup --yes --key release.pub >setup.txt
cat setup.txt
if command -v systemd-analyze; then systemd-analyze verify --man=no /etc/systemd/system/solpack-serve.service; fi
solpack import guestbook.iso
cp -a /etc/solpack/nodes .
# The service hears of the import a moment later.
until eval "$(sed -n 's/^  solpack join-mirror/solpack join-mirror/p' setup.txt)"; do sleep 0.2; done
touch nodes/whole
until test -e joined; do sleep 0.2; done
solpack install --yes
solpack status
solpack setup --yes
solpack setup --undo --yes
ls -A /etc/solpack`;
  const setUp = control.ok('unshare', withOwnSystem(prepare, script), { cwd });
  const joins = async (): Promise<void> => {
    await eventually(() => existsSync(join(folder, 'nodes/whole'))).toBe(true);
    const [line = ''] =
      /(?<=^ {2}solpack )join-mirror .*$/m.exec(readFileSync(join(folder, 'setup.txt'), 'utf8')) ?? [];
    const words = line.replaceAll('/etc/solpack', folder).replace(control.hostsDir, worker!.hostsDir).split(' ');
    await worker!.succeeds(words, { cwd });
    writeFileSync(join(folder, 'joined'), '');
  };
  const [told] = await Promise.all([setUp, joins()]);
  expect(told).toContain(`with TLS and a password, as a service at https://${control.address}:5000`);
  expect(told).toMatch(/^next: solpack import ARCHIVE; copy \/etc\/solpack\/nodes to the other node; there and here$/m);
  expect(told).toMatch(/^2 images at https:\S+ {2}nothing copied/m);
  expect(told).toMatch(/^configuration default {2}ready/m);
  expect(told).toContain('nothing to do: everything is set up');
  expect(told).toMatch(/^taken back +\/etc\/solpack\/serve\/server\.pem/m);
  // The configuration names the archive by now, and is all that is left.
  expect(told).toMatch(/\/etc\/solpack +folder\nsolutions\.yaml\n$/);
});
