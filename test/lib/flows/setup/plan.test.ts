import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ImageWay, type Machine, planSetup } from '../../../../lib/flows/setup/index.ts';

const request = { profile: '/etc/solpack/profile.toml', program: ['solpack'], copies: [] };

test('a plan names each folder once, also where profile and configuration share it', () => {
  const foldersFor = (configuration: string): string[] =>
    planSetup({ ...request, configuration }).flatMap((action) => (action.kind === 'folder' ? [action.path] : []));
  expect(foldersFor('/etc/solpack/solutions.yaml')).toEqual(['/etc/solpack']);
  expect(foldersFor('/srv/solutions.yaml')).toEqual(['/etc/solpack', '/srv']);
});

test.each(['k3s', 'rke2'] as const)(
  '%s is told of a registry in a file of its own, unless it knows it',
  (distribution) => {
    const address = 'http://10.0.0.5:5000/team';
    const machine = (mirrors: readonly string[]): Machine => ({
      kubernetes: { distribution },
      runtimes: [
        {
          kind: 'containerd',
          at: '/run/k3s/containerd/containerd.sock',
          mirrors: mirrors.map((registry) => ({ registry, server: 'http://10.0.0.5:5000', path: '/r' })),
        },
      ],
      programs: [],
      systemd: true,
    });
    const path = `/etc/rancher/${distribution}/registries.yaml`;
    const written = (images: ImageWay, mirrors: readonly string[] = []) =>
      planSetup({ ...request, images, machine: machine(mirrors) }).flatMap((one) =>
        one.kind === 'file' && one.path === path ? [one] : [],
      );
    for (const way of ['registry', 'served', 'serve'] as const) {
      const [file] = written({ way, address });
      expect(parse(file!.text)).toEqual({ mirrors: { '10.0.0.5:5000': { endpoint: ['http://10.0.0.5:5000'] } } });
      expect(file!.instead).toContain('add below "mirrors"');
      for (const known of ['10.0.0.5:5000', '*']) expect(written({ way, address }, [known])).toEqual([]);
      expect(written({ way, address }, ['docker.io'])).toHaveLength(1);
    }
    expect(written({ way: 'image-folder', distribution })).toEqual([]);
  },
);
