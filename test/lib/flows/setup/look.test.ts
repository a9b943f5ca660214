import { chmodSync, linkSync, renameSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { chooseWay } from '../../../../lib/flows/setup/choose.ts';
import { lookAtMachine } from '../../../../lib/flows/setup/look.ts';
import type { Machine } from '../../../../lib/flows/setup/machine.ts';
import { planSetup } from '../../../../lib/flows/setup/plan.ts';
import { joinMirrors, mirrorText } from '../../../../lib/parts/mirrors/index.ts';
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

describe('what a machine pulls from already', () => {
  const hosts = (url: string): string => `server = "https://x"\n[host."${url}"]\ncapabilities = ["pull", "resolve"]\n`;

  test('is what mirrors of others say in the folder of containerd, without those of solpack', async () => {
    const own = mirrorText('containerd', ['own.example.com'], 'http://127.0.0.1:5000').lines.join('\n');
    const files = {
      'etc/containerd/config.toml': mirrored,
      'etc/containerd/certs.d/docker.io/hosts.toml': hosts('https://cache.example.com'),
      'etc/containerd/certs.d/quay.io_8443_/hosts.toml': hosts('https://q.example.com'),
      'etc/containerd/certs.d/plain.example.com/hosts.toml': own,
    };
    await look(files, [containerd]);
    const root = join(folder, String(count));
    await joinMirrors(join(root, 'etc/containerd/certs.d'), ['_default'], [{ url: 'http://127.0.0.1:5000' }]);
    const [runtime] = (await lookAtMachine(flow, root)).runtimes;
    expect(runtime?.mirror).toBeUndefined();
    expect(runtime?.mirrors?.map(({ registry, server }) => [registry, server])).toEqual([
      ['docker.io', 'https://cache.example.com'],
      ['plain.example.com', 'http://127.0.0.1:5000'],
      ['quay.io:8443', 'https://q.example.com'],
    ]);
  });

  test('is what an older containerd has in its own configuration, as on MetalK8s', async () => {
    const plugin = 'plugins."io.containerd.grpc.v1.cri".registry.mirrors';
    const config = `version = 2\n[${plugin}."*"]\nendpoint = ["https://all.example.com"]\n[${plugin}."metalk8s-registry-from-config.invalid"]\nendpoint = ["http://10.0.0.1:8080"]\n`;
    const machine = await look({ 'etc/metalk8s/bootstrap.yaml': '', 'etc/containerd/config.toml': config }, [
      containerd,
    ]);
    expect(machine.runtimes[0]).toMatchObject({ mirror: 'https://all.example.com', mirrors: [{}, {}] });
    expect(chooseWay(machine, 3)).toEqual({
      chosen: { way: 'registry', address: 'https://all.example.com' },
      reason: 'containerd pulls all images from https://all.example.com already, as /etc/containerd/config.toml says.',
    });
  });

  test.each(['k3s', 'rke2'])('is what registries.yaml of %s says, and images are pushed there', async (kind) => {
    const yaml = 'mirrors:\n  "*":\n    endpoint: ["https://all.example.com"]\n  docker.io:\n';
    const files = { [`etc/rancher/${kind}/registries.yaml`]: yaml, [`var/lib/rancher/${kind}/server/token`]: '' };
    const machine = await look(files, ['run/k3s/containerd/containerd.sock']);
    expect(machine.runtimes[0]?.mirrors).toHaveLength(1);
    expect(chooseWay(machine, 3)?.chosen).toEqual({ way: 'registry', address: 'https://all.example.com' });
    for (const none of ['{', '- a', 'mirrors: 1', '']) {
      const other = await look({ ...files, [`etc/rancher/${kind}/registries.yaml`]: none }, [
        'run/k3s/containerd/containerd.sock',
      ]);
      expect(chooseWay(other, 3)?.chosen.way).toBe('image-folder');
    }
  });

  test('is reported with the version of the runtime, where a program tells it', async () => {
    const programs = join(folder, 'programs');
    const server = '  printf "Client:\\n  Version:  v1.0.0\\n\\nServer:\\n  Version:  v2.1.5\\n  UUID: u\\n"';
    writeFiles(programs, { ctr: `#!/bin/sh\n${server}\n`, crio: '#!/bin/sh\necho "crio version 1.36.3"; exit 1\n' });
    for (const name of ['ctr', 'crio']) chmodSync(join(programs, name), 0o755);
    await look({}, [containerd, 'run/crio/crio.sock']);
    const asked = { ...flow, host: { path: [programs], temp: folder } };
    const { runtimes } = await lookAtMachine(asked, join(folder, String(count)));
    expect(runtimes.map(({ version }) => version)).toEqual(['2.1.5', '1.36.3']);
  });
});

/** What a distribution leaves on a node, as far as files and sockets tell: how images get there, and what is written for that. */
const layouts = [
  {
    of: 'k3s',
    files: { 'etc/rancher/k3s/k3s.yaml': '', 'var/lib/rancher/k3s/agent/images/.keep': '', ...systemd },
    sockets: ['run/k3s/containerd/containerd.sock'],
    way: { way: 'image-folder', distribution: 'k3s' },
    written: [],
  },
  {
    of: 'rke2',
    files: { 'etc/rancher/rke2/rke2.yaml': '', 'var/lib/rancher/rke2/agent/images/.keep': '', ...systemd },
    sockets: ['run/k3s/containerd/containerd.sock'],
    way: { way: 'image-folder', distribution: 'rke2' },
    written: [],
  },
  {
    of: 'k0s',
    files: { 'var/lib/k0s/pki/admin.conf': '', 'var/lib/k0s/images/.keep': '', 'etc/k0s/k0s.yaml': '', ...systemd },
    sockets: ['run/k0s/containerd.sock'],
    way: { way: 'image-folder', distribution: 'k0s' },
    written: [],
  },
  {
    of: 'microshift',
    files: { 'var/lib/microshift/resources/kubeadmin/kubeconfig': '', 'etc/microshift/config.yaml': '', ...systemd },
    sockets: ['run/crio/crio.sock'],
    way: { way: 'image-store', folder: '/var/lib/solpack/images' },
    written: ['/etc/containers/storage.conf'],
  },
  {
    of: 'metalk8s',
    files: {
      'etc/metalk8s/bootstrap.yaml': '',
      'etc/kubernetes/admin.conf': '',
      'etc/containerd/config.toml': mirrored,
      ...systemd,
    },
    sockets: [containerd],
    way: { way: 'serve', address: 'http://127.0.0.1:5000', hostsDir: '/etc/containerd/certs.d' },
    written: ['/etc/systemd/system/solpack-serve.service'],
  },
] as const;

test.each(layouts.map((layout) => [layout.of, layout] as const))(
  'a node of %s is set up by what lies on it',
  async (of, { files, sockets, way, written }) => {
    const machine = await look(files, sockets);
    expect(machine.kubernetes.distribution).toBe(of);
    expect(machine.kubernetes.kubeconfig).toBeDefined();
    expect(machine.runtimes.map(({ at }) => at)).toEqual(sockets.map((socket) => `/${socket}`));
    const images = chooseWay(machine, 1)?.chosen;
    expect(images).toEqual(way);
    const request = { profile: '/etc/solpack/profile.toml', program: ['solpack'], copies: [], machine };
    const paths = planSetup({ ...request, images }).flatMap((one) =>
      'path' in one && one.kind !== 'folder' ? one.path : [],
    );
    expect([...new Set(paths)].filter((path) => !path.startsWith('/etc/solpack/'))).toEqual(written);
  },
);

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
