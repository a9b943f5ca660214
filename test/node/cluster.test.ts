import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Visits } from '../../scripts/demo/visitor.ts';
import type { Running } from '../support/cli.ts';
import { type Outcome, ok, scratch } from '../support/judges.ts';
import { packEdge, registry, tool, webImage } from '../support/node/edge.ts';
import { arriving, blobPulls, incoming } from '../support/node/pulls.ts';
import { outerAddresses } from '../support/node/traces.ts';
import { nodeTest, sharedCluster, type TestNode } from '../support/node.ts';
import { selfSigned, user } from '../support/registry.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('several');
const cwd = folder;
const lab = sharedCluster(2);
const visitor = join(import.meta.dirname, '../../scripts/demo/visitor.ts');
const port = 5000;
const login = ['--username', user.username, '--password-stdin'];

/** The servers that run, by the node that they run on. */
const serving = new Map<TestNode, Running>();
const urlOf = ({ address }: TestNode): string => `https://${address}:${port}`;

/** Starts a serve of all versions on a node, with TLS and a password. */
async function serveOn(node: TestNode): Promise<void> {
  const listen = ['--listen', `${node.address}:${port}`];
  const access = ['--tls-cert', 'tls.crt', '--tls-key', 'tls.key', '--htpasswd', 'users'];
  serving.set(node, await node.serves(['serve', 'edge-1.0.0.iso', 'edge-2.0.0.iso', ...listen, ...access], { cwd }));
}

const joins = (node: TestNode, ...more: string[]): Promise<Outcome> => {
  const servers = lab()
    .slice(1)
    .flatMap((one) => ['--served-at', urlOf(one)]);
  const own = ['--username', user.username, '--password-file', 'password', '--ca-file', 'tls.crt'];
  return node.solpack(['join-mirror', ...servers, ...own, '--hosts-dir', node.hostsDir, '--json', ...more], { cwd });
};

const install = (version: string, at: TestNode): Promise<Outcome> => {
  const [control] = lab();
  const places = ['--kubeconfig', control.kubeconfig, '--served-at', urlOf(at), '--hosts-dir', control.hostsDir];
  const args = ['install', '-f', `edge-${version}.yaml`, '--insecure-skip-verify', '--certs-dir', 'certs', ...login];
  return control.solpack([...args, ...places], { cwd, input: user.password });
};

const mirrorsOf = async (
  node: TestNode,
): Promise<[number, { mirrors: { registry: string; state: string; reason: string }[] }]> => {
  const { code, stdout } = await node.solpack(['status', '--hosts-dir', node.hostsDir, '--json'], { cwd });
  return [code, JSON.parse(stdout)];
};

/** The bytes of the largest content of an archive. */
async function largestIn(archive: string): Promise<number> {
  const listed = await lab()[0].succeeds(['ls', archive, 'blobs', '--json'], { cwd });
  const lines = listed.trim().split('\n');
  return Math.max(...lines.map((line) => (JSON.parse(line) as { size?: number }).size ?? 0));
}

/** The nodes on which Pods of an image are ready. */
async function readyOn(image: string): Promise<string[]> {
  interface Pods {
    readonly items: {
      readonly spec: { readonly nodeName: string; readonly containers: { readonly image: string }[] };
      readonly status: { readonly conditions?: { readonly type: string; readonly status: string }[] };
    }[];
  }
  const { items } = await lab()[0].get<Pods>('pods', '-n', 'edge');
  return items
    .filter(({ spec }) => spec.containers[0]!.image.startsWith(image))
    .filter(({ status }) => status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'))
    .map(({ spec }) => spec.nodeName)
    .sort();
}

beforeAll(async () => {
  await packEdge(folder, ['1.0.0', '2.0.0']);
  const names = ['-subj', '/CN=mirrors', '-addext', 'subjectAltName=IP:198.18.0.2,IP:198.18.0.3'];
  await selfSigned(join(folder, 'tls.key'), join(folder, 'tls.crt'), names);
  for (const address of ['198.18.0.2', '198.18.0.3']) {
    mkdirSync(join(folder, 'certs', `${address}:${port}`), { recursive: true });
    writeFileSync(join(folder, 'certs', `${address}:${port}/ca.crt`), readFileSync(join(folder, 'tls.crt')));
  }
  writeFileSync(join(folder, 'password'), `${user.password}\n`);
  writeFileSync(join(folder, 'users'), `${user.username}:${await ok('openssl', ['passwd', '-6', user.password])}`);
});

afterAll(async () => {
  await Promise.all([...serving.values()].map((one) => one.stop()));
});

describe('a lab of three nodes', () => {
  nodeTest('has them Ready, each with an address of its own', async () => {
    interface Nodes {
      readonly items: { readonly metadata: { name: string }; readonly status: { addresses: { address: string }[] } }[];
    }
    const { items } = await lab()[0].get<Nodes>('nodes');
    const told = items.map(({ metadata, status }) => [metadata.name, status.addresses[0]!.address]);
    expect(told).toEqual(lab().map(({ name, address }) => [name, address]));
  });

  nodeTest('leads nowhere but from node to node', async () => {
    for (const node of lab()) {
      const reach = async (host: string): Promise<string> => {
        const script = `const socket = require('node:net').connect(10250, ${JSON.stringify(host)});
          socket.on('connect', () => { console.log('connected'); socket.destroy(); });
          socket.on('error', ({ code }) => console.log(code));`;
        return (await node.ok(process.execPath, ['-e', script])).trim();
      };
      for (const { address } of lab()) expect([address, await reach(address)]).toEqual([address, 'connected']);
      for (const address of ['192.0.2.1', ...outerAddresses()]) {
        expect([address, await reach(address)]).toEqual([address, 'ENETUNREACH']);
      }
    }
  });
});

describe('join-mirror', () => {
  nodeTest('gives each node both servers, their authority and the password by one command', async () => {
    for (const node of lab().slice(1)) await serveOn(node);
    for (const node of lab()) {
      const { code, stdout, stderr } = await joins(node);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      expect(JSON.parse(stdout).registries).toEqual(['other.example.com:5000', registry]);
      const file = join(node.hostsDir, registry, 'hosts.toml');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const before = statSync(file, { bigint: true }).mtimeNs;
      const again = JSON.parse((await joins(node)).stdout);
      expect([again.written, again.unchanged]).toEqual([[], expect.arrayContaining([file])]);
      expect(statSync(file, { bigint: true }).mtimeNs).toBe(before);
      expect(await mirrorsOf(node)).toMatchObject([0, { ready: true }]);
    }
  });

  nodeTest('lets every node pull an image once, from the first server', async () => {
    const [control, first] = lab();
    const { code, stderr } = await install('1.0.0', first!);
    expect([code, stderr]).toEqual([0, expect.anything()]);
    expect(await readyOn(webImage('1.0.0'))).toEqual(lab().map(({ name }) => name));
    for (const node of lab()) {
      const pulls = blobPulls(node);
      expect(pulls.map(({ digest }) => digest).toSorted()).toEqual(
        [...new Set(pulls.map(({ digest }) => digest))].sort(),
      );
      // The config and a layer: the other layer is that of the sandbox, which every node has.
      expect(pulls).toHaveLength(2);
      expect(new Set(pulls.map(({ server }) => server))).toEqual(new Set([new URL(urlOf(first!)).host]));
    }
    // The install was content with what it found, and noted that it needs it.
    const file = join(control.hostsDir, registry, 'hosts.toml');
    expect(readFileSync(file, 'utf8')).toContain('# For: edge, join_mirror\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('when a server dies while a version rolls', () => {
  nodeTest('every node goes on with the other one, and no request is lost', async () => {
    const [control, first, second] = lab();
    const counters = lab().map((node) => incoming(node, port));
    for (const counter of counters) await counter.begin();
    const { spec } = await control.get<{ spec: { clusterIP: string } }>('service', 'web', '-n', 'edge');
    const asking = control.begins([visitor, spec.clusterIP, '80'], { program: process.execPath });
    const known = new Set(
      lab()
        .flatMap(blobPulls)
        .map(({ digest }) => digest),
    );
    const rolling = install('2.0.0', second!);
    // It dies in the midst of a layer.
    await eventually(() => Math.max(...lab().map(arriving)), { interval: 1 }).toBeGreaterThan(2 ** 20);
    await serving.get(first!)!.stop('SIGKILL');
    const { code, stderr } = await rolling;
    expect([code, stderr]).toEqual([0, expect.anything()]);
    expect(await readyOn(webImage('2.0.0'))).toEqual(lab().map(({ name }) => name));
    asking.endInput();
    const visits = await asking.ended;
    const { answered, failed } = JSON.parse(visits.stdout) as Visits;
    expect(failed).toEqual({});
    expect(Object.keys(answered).sort()).toEqual(['Edge 1.0.0', 'Edge 2.0.0']);
    const size = await largestIn('edge-2.0.0.iso');
    for (const [index, node] of lab().entries()) {
      const pulls = blobPulls(node).filter(({ digest }) => !known.has(digest));
      const fromSecond = pulls.filter(({ server }) => server.startsWith(second!.address));
      expect(new Set(fromSecond.map(({ digest }) => digest)).size).toBe(fromSecond.length);
      // What came of the layer before the server died did not come again.
      const came = await counters[index]!.bytes();
      expect([node.name, came > size, came < 1.1 * size]).toEqual([node.name, true, true]);
    }
  });

  nodeTest('Pods are scheduled, pulled and started on every node that had not had their image', async () => {
    const [control] = lab();
    for (const { name } of lab()) {
      const overrides = JSON.stringify({ spec: { nodeName: name } });
      await control.kubectl('run', `tool-${name}`, '-n', 'edge', `--image=${tool}`, `--overrides=${overrides}`);
    }
    await eventually(() => readyOn(tool)).toEqual(lab().map(({ name }) => name));
  });

  nodeTest('status says so on every node, and join-mirror goes on only where that is allowed', async () => {
    const [, first] = lab();
    for (const node of lab()) {
      const [code, { mirrors }] = await mirrorsOf(node);
      expect([code, mirrors.map(({ state }) => state)]).toEqual([1, ['unreachable', 'unreachable']]);
      expect(mirrors[0]!.reason).toContain(urlOf(first!));
    }
    const [control] = lab();
    expect(await joins(control)).toMatchObject({ code: 4, stderr: expect.stringContaining('[registry-unreachable]') });
    const { code, stdout } = await joins(control, '--allow-unreachable');
    expect([code, JSON.parse(stdout).written]).toEqual([0, []]);
    await serveOn(first!);
    expect((await mirrorsOf(control))[0]).toBe(0);
  });
});

describe('status --hosts-dir', () => {
  nodeTest('tells of a mirror that is missing, and of one that somebody has edited', async () => {
    const [control, , second] = lab();
    const status = (): Promise<Outcome> =>
      control.solpack(
        [
          'status',
          'edge',
          '--kubeconfig',
          control.kubeconfig,
          '--no-images',
          '--hosts-dir',
          control.hostsDir,
          '--json',
        ],
        { cwd },
      );
    const whole = await status();
    expect([whole.code, JSON.parse(whole.stdout).mirrors.map(({ state }: { state: string }) => state)]).toEqual([
      0,
      ['ready', 'ready'],
    ]);
    rmSync(join(control.hostsDir, 'other.example.com:5000'), { recursive: true });
    const edited = join(control.hostsDir, registry, 'hosts.toml');
    const text = readFileSync(edited, 'utf8');
    writeFileSync(edited, `${text}# mine\n`);
    const { code, stdout } = await status();
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      expect.objectContaining({
        state: 'ready',
        mirrors: [
          expect.objectContaining({ registry: 'other.example.com:5000', state: 'missing' }),
          expect.objectContaining({ registry, state: 'drifted', reason: 'somebody has edited it' }),
        ],
      }),
    ]);
    writeFileSync(edited, text);
    expect((await joins(control)).code).toBe(0);
    expect((await status()).code).toBe(0);
    // A node of the same cluster, asked by itself.
    expect(await mirrorsOf(second!)).toMatchObject([0, { ready: true }]);
  });
});

describe('leave-mirror', () => {
  nodeTest('takes all back from a node, and what an install needs stays', async () => {
    const [control, worker] = lab();
    const left = async (node: TestNode): Promise<{ removed: string[]; kept: string[] }> =>
      JSON.parse(await node.succeeds(['leave-mirror', '--hosts-dir', node.hostsDir, '--json']));
    expect((await left(worker!)).removed).toHaveLength(2);
    expect(readdirSync(worker!.hostsDir)).toEqual([]);
    expect(await left(worker!)).toMatchObject({ removed: [], kept: [] });
    expect(await left(control)).toMatchObject({
      removed: [join(control.hostsDir, 'other.example.com:5000/hosts.toml')],
      kept: [join(control.hostsDir, registry, 'hosts.toml')],
    });
    expect(await mirrorsOf(worker!)).toMatchObject([1, { ready: false, mirrors: [] }]);
  });
});
