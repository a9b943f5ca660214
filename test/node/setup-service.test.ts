import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { nodeLacks } from '../../scripts/node/needs.ts';
import { succeeds } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { kubeadm, systemctl, withOwnSystem } from '../support/own-system.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('node-setup-service');
const cwd = folder;
const node = sharedNode();

beforeAll(async () => {
  if (nodeLacks().length > 0) return;
  cpSync(join(root, 'fixtures/guestbook/1.1.0'), join(folder, 'guestbook'), { recursive: true });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  await succeeds(['pack', 'guestbook', '-o', 'guestbook.iso', '--sign', 'release.key'], { cwd });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/systemctl'), systemctl, { mode: 0o755 });
});

nodeTest('where systemd runs and containerd has mirrors, images come straight from the archive', async () => {
  const prepare = `${kubeadm(node())}
mkdir -p /run/systemd/system /etc/containerd
printf '[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "%s"\n' ${node().hostsDir} >/etc/containerd/config.toml`;
  const command = `export PATH=${join(folder, 'bin')}:$PATH
solpack() { ${process.execPath} ${join(root, 'cli/bin.js')} "$@"; }
solpack setup --yes --key release.pub
solpack install guestbook.iso --yes
solpack status
systemctl is-active solpack-serve.service && echo still serving
if command -v systemd-analyze; then systemd-analyze verify --man=no /etc/systemd/system/solpack-serve.service; fi
solpack setup --yes
solpack setup --undo --yes
systemctl is-active solpack-serve.service || echo served no longer`;
  const told = await node().ok('unshare', withOwnSystem(prepare, command), { cwd });
  expect(told).toContain('images come by "solpack serve", as a service at http://127.0.0.1:5000');
  expect(told).toMatch(/^2 images at http:\/\/127\.0\.0\.1:5000 {2}nothing copied/m);
  expect(told).toMatch(/^configuration default {2}ready/m);
  expect(told).toContain('still serving');
  expect(told).toContain('nothing to do: everything is set up');
  expect(told).toMatch(/^taken back +\/etc\/systemd\/system\/solpack-serve\.service/m);
  expect(told).toContain('served no longer');
});
