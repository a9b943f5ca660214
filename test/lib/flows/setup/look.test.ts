import { linkSync, renameSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { chooseWay } from '../../../../lib/flows/setup/choose.ts';
import { lookAtMachine } from '../../../../lib/flows/setup/look.ts';
import type { Machine } from '../../../../lib/flows/setup/machine.ts';
import { writeFiles } from '../../../support/cli.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('setup-look');
const servers: Server[] = [];
afterAll(() => servers.map((server) => server.close()));

const flow = { ...testFlow(), host: { path: [], temp: folder } };
let count = 0;

/** Looks at a machine that has these files and sockets. */
async function look(files: Record<string, string>, sockets: readonly string[] = []): Promise<Machine> {
  count += 1;
  const root = join(folder, String(count));
  const places = Object.fromEntries(sockets.map((path) => [join(path, '../.keep'), '']));
  writeFiles(root, { ...files, ...places });
  for (const path of sockets) {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((listening) => server.listen(join(root, path), listening));
  }
  return lookAtMachine(flow, root);
}

const containerd = 'run/containerd/containerd.sock';
const mirrored =
  'version = 3\n[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "/etc/containerd/certs.d:/x"\n';
const systemd = { 'run/systemd/system/.keep': '' };

describe('a machine', () => {
  test.each([
    ['metalk8s', 'etc/metalk8s/bootstrap.yaml', 'etc/kubernetes/admin.conf'],
    ['microshift', 'etc/microshift/config.yaml', 'var/lib/microshift/resources/kubeadmin/kubeconfig'],
    ['rke2', 'var/lib/rancher/rke2/server/token', 'etc/rancher/rke2/rke2.yaml'],
    ['k3s', 'var/lib/rancher/k3s/server/token', 'etc/rancher/k3s/k3s.yaml'],
    ['k0s', 'var/lib/k0s/bin/kubelet', 'var/lib/k0s/pki/admin.conf'],
    ['kubeadm', 'etc/kubernetes/kubelet.conf', 'etc/kubernetes/admin.conf'],
  ])(
    'of %s is known by its files, with the kubeconfig of its administrator',
    async (distribution, sign, kubeconfig) => {
      const both = await look({ [sign]: '', [kubeconfig]: '' });
      expect(both.kubernetes).toMatchObject({ distribution, kubeconfig: `/${kubeconfig}` });
      const worker = await look({ [sign]: '' });
      expect(worker.kubernetes.distribution).toBe(distribution);
      expect(worker.kubernetes.kubeconfig).toBeUndefined();
    },
  );

  test('without any of them has none, and no runtime', async () => {
    expect(await look({})).toMatchObject({ kubernetes: { distribution: 'none' }, runtimes: [], systemd: false });
  });

  test.each([
    ['of version 3', mirrored],
    [
      'of version 2',
      'version = 2\n[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "/etc/containerd/certs.d"\n',
    ],
  ])('tells where its containerd looks for mirrors, by a configuration %s', async (_, config) => {
    const { runtimes } = await look({ 'etc/containerd/config.toml': config }, [containerd]);
    expect(runtimes).toEqual([{ kind: 'containerd', at: `/${containerd}`, hostsDir: '/etc/containerd/certs.d' }]);
  });

  test('whose containerd has a configuration that is none tells of no mirrors', async () => {
    const { runtimes } = await look({ 'etc/containerd/config.toml': 'version = = 3' }, [containerd]);
    expect(runtimes).toEqual([{ kind: 'containerd', at: `/${containerd}` }]);
  });

  const flags = {
    'var/lib/kubelet/kubeadm-flags.env': '--container-runtime-endpoint=unix:///run/containerd/containerd.sock',
  };
  const kubelet = { 'etc/kubernetes/kubelet.conf': '' };
  const stopped = { kind: 'containerd', at: `/${containerd}`, start: 'systemctl start containerd' };

  test.each<[string, Record<string, string>]>([
    ['by flags', { ...kubelet, ...flags }],
    [
      'by its configuration',
      {
        ...kubelet,
        'var/lib/kubelet/config.yaml': 'containerRuntimeEndpoint: unix:///run/containerd/containerd.sock\n',
      },
    ],
    ['by its folder', { ...kubelet, 'etc/containerd/config.toml': mirrored }],
  ])('tells that the containerd of its kubelet does not run, which it knows %s', async (_, files) => {
    expect((await look(files)).stopped).toEqual(stopped);
    expect((await look(files, [containerd])).stopped).toBeUndefined();
  });

  test('whose kubelet uses another runtime than the one that runs tells which one it is', async () => {
    expect((await look({ ...kubelet, ...flags }, ['run/crio/crio.sock'])).stopped).toEqual(stopped);
    expect(
      (await look({ ...kubelet, 'etc/containerd/config.toml': '' }, ['run/crio/crio.sock'])).stopped,
    ).toBeUndefined();
    expect((await look({ ...kubelet, 'etc/crio/crio.conf': '' })).stopped).toMatchObject({
      start: 'systemctl start crio',
    });
    for (const none of [kubelet, { 'etc/containerd/config.toml': '' }, { 'var/lib/k0s/x': '', ...flags }]) {
      expect((await look(none)).stopped).toBeUndefined();
    }
  });

  test('whose containerd was killed has a socket at which nobody listens', async () => {
    const machine = await look({ ...kubelet, ...flags }, [containerd]);
    expect(machine.runtimes).toHaveLength(1);
    const last = servers.at(-1)!;
    const path = String(last.address());
    // A server of Node.js takes its socket away when it ends: another name of it stays.
    linkSync(path, `${path}.kept`);
    await new Promise((closed) => last.close(closed));
    renameSync(`${path}.kept`, path);
    expect(await lookAtMachine(flow, join(folder, String(count)))).toMatchObject({ runtimes: [], stopped });
  });

  test('with a file where a socket should be has no runtime', async () => {
    expect((await look({ [containerd]: '' })).runtimes).toEqual([]);
  });
});

describe('the way for images', () => {
  test.each(['k3s', 'rke2'])('of %s is its folder', async (kind) => {
    const machine = await look({ [`var/lib/rancher/${kind}/token`]: '' });
    expect((await chooseWay(machine, 3))?.chosen).toEqual({ way: 'image-folder', distribution: kind });
  });

  test('of one containerd with systemd and mirrors is a serve, and else its socket, with the reason', async () => {
    const config = { 'etc/containerd/config.toml': mirrored };
    const all = await look({ ...config, ...systemd }, [containerd]);
    expect(chooseWay(all, 1)?.chosen).toMatchObject({ way: 'serve', hostsDir: '/etc/containerd/certs.d' });
    const socket = { way: 'containerd', socket: `/${containerd}` };
    expect(chooseWay(all, 3)).toMatchObject({ chosen: socket, reason: expect.stringContaining('3 nodes') });
    expect(chooseWay(await look(config, [containerd]), 1)).toMatchObject({
      chosen: socket,
      reason: expect.stringContaining('no systemd'),
    });
    expect(chooseWay(await look(systemd, [containerd]), 1)).toMatchObject({
      chosen: socket,
      reason: expect.stringContaining('config_path'),
    });
  });

  test('is the registry that containerd pulls everything from already', async () => {
    const hosts =
      'server = "https://registry.example.com"\n[host."https://mirror.example.com"]\ncapabilities = ["pull", "resolve"]\n';
    const files = { 'etc/containerd/config.toml': mirrored, 'etc/containerd/certs.d/_default/hosts.toml': hosts };
    expect(chooseWay(await look({ ...files, ...systemd }, [containerd]), 1)?.chosen).toEqual({
      way: 'registry',
      address: 'https://mirror.example.com',
      hostsDir: '/etc/containerd/certs.d',
    });
  });

  test('of CRI-O is a store, and where there is no runtime there is none', async () => {
    const machine = await look({ 'etc/microshift/config.yaml': '' }, ['run/crio/crio.sock']);
    expect(chooseWay(machine, 1)?.chosen).toEqual({ way: 'image-store', folder: '/var/lib/solpack/images' });
    expect(chooseWay(await look({}), undefined)).toBeUndefined();
  });
});
