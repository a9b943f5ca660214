import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { busyboxImage } from '../../scripts/node/busybox.ts';
import { pathsOf } from '../../scripts/node/state.ts';
import { stated } from '../lib/parts/clusters/kubernetes/support.ts';
import type { Running } from '../support/cli.ts';
import { writeLayout } from '../support/image.ts';
import { scratch } from '../support/judges.ts';
import { address, packRegistry, packSolution } from '../support/node/registry-solution.ts';
import { space } from '../support/node/requests.ts';
import { web } from '../support/node/shops.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { until } from '../support/until.ts';

// A Solution brings a registry up in the cluster, takes all images, and the serve on the node ends.

const folder = scratch('seed');
const cwd = folder;
const node = sharedNode();
const image = 'registry.example.com/shop/web:1';

interface Installed {
  readonly moved: number;
  readonly present: number;
  readonly mirrors: readonly string[];
  readonly registry: string;
  readonly generation: number;
  readonly solutions: readonly { readonly objects: readonly { readonly action: string }[] }[];
}

let serving: Running;

beforeAll(async () => {
  const shop = join(folder, 'shop');
  await writeLayout(join(shop, 'images'), [
    { name: image, image: busyboxImage({ reference: image, command: ['/bin/sleep', '1000000'], seed: 'shop' }) },
  ]);
  const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] };
  const server = web('shop', 'open', { container: { image } });
  await packSolution(shop, 'shop', image, [space('shop'), stated('v1', 'Service', 'shop/web', { spec }), server]);
});

const flags = (): string[] => {
  const { kubeconfig, hostsDir } = node();
  return ['-f', 'edge.yaml', '--insecure-skip-verify', '--kubeconfig', kubeconfig, '--hosts-dir', hostsDir, '--json'];
};

/** Hands the images over to the registry in the cluster. */
async function seeds<T = Installed>(...more: readonly string[]): Promise<T> {
  const to = ['--registry', `http://${address}`, '--pin', pathsOf(node().state).socket, '--timeout', '60s'];
  return JSON.parse(await node().succeeds(['seed', 'registry', ...flags(), ...to, ...more], { cwd }));
}

const ctr = (...args: readonly string[]): Promise<string> =>
  node().ok('ctr', ['--address', pathsOf(node().state).socket, '--namespace', 'k8s.io', ...args]);

const names = async (filter: string): Promise<string[]> =>
  (await ctr('images', 'ls', '-q', filter)).split('\n').filter((name) => name !== '');

/** Deletes all Pods of both Solutions, with each image that is not pinned, and waits for the Pods that come instead. */
async function startAnew(): Promise<void> {
  const unpinned = await names('name~=^registry,labels."io.cri-containerd.pinned"!=pinned');
  const digests = await names('name~=^sha256,labels."io.cri-containerd.pinned"!=pinned');
  await ctr('images', 'rm', '--sync', ...unpinned, ...digests);
  for (const namespace of ['registry', 'shop']) {
    await node().kubectl('delete', 'pods', '--all', '-n', namespace, '--grace-period=0', '--force');
  }
  await node().kubectl('rollout', 'status', 'deployment/registry', '-n', 'registry', '--timeout=60s');
  await node().kubectl('rollout', 'status', 'deployment/web', '-n', 'shop', '--timeout=60s');
}

async function page(): Promise<string> {
  const { spec } = await node().get<{ spec: { clusterIP: string } }>('service', 'web', '-n', 'shop');
  const ask = `require('node:http').get('http://${spec.clusterIP}/', (answer) => answer.pipe(process.stdout))`;
  return (await node().ok(process.execPath, ['-e', ask])).trim();
}

describe('a registry in the cluster', () => {
  nodeTest('takes all images over from the serve on the node, its own among them, and changes no object', async () => {
    await packRegistry(join(folder, 'registry'), join(node().state, 'registry-data'));
    const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
    const solutions = '[{name: registry, archives: [registry.iso]}, {name: shop, archives: [shop.iso]}]';
    writeFileSync(join(folder, 'edge.yaml'), `${head}metadata: {name: edge}\nsolutions: ${solutions}\n`);
    serving = await node().serves(['serve', '-f', 'edge.yaml', '--listen', '127.0.0.1:5000'], { cwd });
    await node().succeeds(['install', ...flags(), '--served-at', serving.first, '--timeout', '90s'], { cwd });
    const planned = await seeds<{ steps: { kind: string; action: string }[] }>('--plan');
    const actions = (kind: string): Set<string> =>
      new Set(planned.steps.filter((step) => step.kind === kind).map(({ action }) => action));
    expect([actions('pin-images'), actions('push-images'), actions('mirror'), actions('apply')]).toEqual(
      [['change'], ['send', 'tag'], ['change'], ['none']].map((all) => new Set(all)),
    );
    const handed = await seeds();
    expect(handed).toMatchObject({ registry: `http://${address}`, generation: 2 });
    expect(handed.mirrors).toEqual([join(node().hostsDir, 'registry.example.com/hosts.toml')]);
    // All but what both images share.
    expect([handed.moved > 6, handed.present < 2]).toEqual([true, true]);
    const done = handed.solutions.flatMap(({ objects }) => objects.map(({ action }) => action));
    expect(new Set(done)).toEqual(new Set(['unchanged']));
    expect((await names('labels."io.cri-containerd.pinned"==pinned')).join(' ')).toContain('/infra/registry');
  });

  nodeTest('does nothing when it has all of it', async () => {
    expect(await seeds()).toMatchObject({ moved: 0, mirrors: [], generation: 2 });
  });

  nodeTest(
    'has what it is made of imported too, where an install did that, and removes nothing of others',
    async () => {
      const { socket } = pathsOf(node().state);
      const to = ['--registry', `http://${address}`, '--containerd', socket, '--timeout', '60s'];
      const seeded = async (...more: readonly string[]) =>
        JSON.parse(await node().succeeds(['seed', 'registry', ...flags(), ...to, ...more], { cwd }));
      const { steps } = await seeded('--plan');
      const placed = steps.filter(({ kind }: { kind: string }) => kind === 'place-images');
      expect(placed.map(({ subject }: { subject: string }) => subject)).toEqual([
        'registry.example.com/infra/registry:3',
      ]);
      const before = await names('');
      expect(await seeded()).toMatchObject({ moved: 0, mirrors: [] });
      expect(await names('')).toEqual(expect.arrayContaining(before));
      expect((await names('labels."solpack.for.edge"')).filter((name) => name.includes('/shop/'))).toEqual([]);
    },
  );

  nodeTest('brings everything up again, itself too, once the serve has ended and no image is left', async () => {
    await serving.stop();
    await startAnew();
    // kube-proxy hears of new Pods a moment after they are ready.
    await until(
      () => page().catch(String),
      (answer) => answer === 'open',
    );
    const status = await node().solpack(['status', '--kubeconfig', node().kubeconfig, '--json'], { cwd });
    expect(JSON.parse(status.stdout).solutions).toEqual([
      expect.objectContaining({
        name: 'registry',
        state: 'ready',
        images: expect.objectContaining({ asked: true, missing: [] }),
      }),
      expect.objectContaining({
        name: 'shop',
        state: 'ready',
        images: expect.objectContaining({ asked: true, missing: [] }),
      }),
    ]);
    // Also while the API server, and no serve, is what the next install has. It records that nothing is in a place of
    // the node.
    expect(await seeds()).toMatchObject({ moved: 0, mirrors: [], generation: 4 });
  });

  nodeTest('is asked for in one line where it is not there, or is another Solution', async () => {
    const args = ['seed', ...flags(), '--no-pin', '--timeout', '2s'];
    const absent = await node().solpack([...args, 'registry', '--registry', 'http://127.0.0.1:5999'], { cwd });
    expect([absent.code, absent.stderr]).toEqual([
      4,
      expect.stringMatching(/does not answer after 2 s.*registry-unreachable\]\n$/),
    ]);
    const other = await node().solpack([...args, 'other', '--registry', `http://${address}`], { cwd });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('[solution-unknown]')]);
    const twice = ['--registry', `http://${address}`, '--pin', '/run/c.sock', '--image-folder', 'k3s'];
    const kept = await node().solpack(['seed', ...flags(), 'registry', ...twice], { cwd });
    expect([kept.code, kept.stderr]).toEqual([
      2,
      expect.stringMatching(/^solpack: --pin: keeps the images of registry in another way than k3s; .*\n$/),
    ]);
  });
});
