import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { busyboxArchive } from '../../scripts/node/busybox.ts';
import { kubernetesRelease } from '../../scripts/node/release.ts';
import { scratch } from '../support/judges.ts';
import { outerAddresses } from '../support/node/traces.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('cluster');
const node = sharedNode();
const image = 'registry.example.com/cluster/web:1';

/** Two Pods that serve a page, and a Service in front of them. */
const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: ${image}
          readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
`;

/** What comes of connecting from inside the node: `connected`, or the code of the error. */
async function connect(host: string, port: number): Promise<string> {
  const script = `const socket = require('node:net').connect(${port}, ${JSON.stringify(host)});
    socket.on('connect', () => { console.log('connected'); socket.destroy(); });
    socket.on('error', ({ code }) => console.log(code));`;
  return (await node().ok(process.execPath, ['-e', script])).trim();
}

interface NodeObject {
  status: { nodeInfo: { kubeletVersion: string }; conditions: { type: string; status: string }[] };
}

describe('the node', () => {
  nodeTest('is Ready, of the release that go.mod names', async () => {
    const { status } = await node().get<NodeObject>('node', 'node');
    expect(status.conditions.find(({ type }) => type === 'Ready')?.status).toBe('True');
    expect(status.nodeInfo.kubeletVersion).toBe(kubernetesRelease());
    const { gitVersion, minor } = JSON.parse(await node().kubectl('get', '--raw', '/version'));
    expect([gitVersion, minor]).toEqual([kubernetesRelease(), kubernetesRelease().split('.')[1]]);
  });

  nodeTest('runs a Deployment, whose Service answers over its cluster IP, to the node and to Pods', async () => {
    const archive = join(folder, 'web.tar');
    const command = ['/bin/httpd', '-f', '-p', '8080', '-h', '/www'];
    const files = { 'www/index.html': 'hello from a Pod' };
    writeFileSync(archive, busyboxArchive({ reference: image, command, files }));
    const socket = ['--address', join(node().state, 'containerd.sock'), '--namespace', 'k8s.io'];
    await node().ok('ctr', [...socket, 'images', 'import', archive]);
    await node().ok('kubectl', ['apply', '-f', '-'], { input: web });
    await node().kubectl('rollout', 'status', 'deployment/web', '--timeout=60s');
    const { spec } = await node().get<{ spec: { clusterIP: string } }>('service', 'web');
    const fetching = `fetch('http://${spec.clusterIP}/').then((page) => page.text()).then(console.log, () => {})`;
    const answer = async (): Promise<string> => (await node().ok(process.execPath, ['-e', fetching])).trim();
    await eventually(answer).toBe('hello from a Pod');
    const inPod = ['exec', 'deployment/web', '--', '/bin/sh', '-c'];
    const asking = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 20 ${spec.clusterIP} 80`;
    // Half of them, or so, are answered by the Pod that asks.
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect(await node().kubectl(...inPod, asking)).toContain('hello from a Pod');
    }
    const away = await node().run('kubectl', [...inPod, 'nc -w 20 192.0.2.1 80']);
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('Network is unreachable') });
  });

  nodeTest('has no network device but its own, and no route but to itself', async () => {
    const links: { ifname: string }[] = JSON.parse(await node().ok('ip', ['-json', 'link']));
    const own = /^(?:lo|node0|pods0|veth[0-9a-f]+)$/;
    expect(links.map(({ ifname }) => ifname).filter((name) => !own.test(name))).toEqual([]);
    expect(links.map(({ ifname }) => ifname)).toContain('node0');
    const routes: { dst: string; dev: string }[] = JSON.parse(await node().ok('ip', ['-json', 'route']));
    expect(routes.map(({ dst }) => dst)).not.toContain('default');
  });

  nodeTest('reaches nothing outside: no other network, and none of the addresses of its machine', async () => {
    const listener = createServer().listen(0, '0.0.0.0');
    await new Promise((settle) => listener.once('listening', settle));
    const { port } = listener.address() as { port: number };
    try {
      for (const address of ['192.0.2.1', '1.1.1.1', ...outerAddresses()]) {
        expect([address, await connect(address, port)]).toEqual([address, 'ENETUNREACH']);
      }
      expect(await connect('127.0.0.1', port)).toBe('ECONNREFUSED');
      expect(await connect('127.0.0.1', 6443)).toBe('connected');
    } finally {
      listener.close();
    }
  });

  nodeTest('is told from other servers by the authority in its kubeconfig', async () => {
    const config = JSON.parse(await node().kubectl('config', 'view', '--raw', '-o', 'json'));
    const { cluster } = config.clusters[0];
    expect(cluster['insecure-skip-tls-verify']).toBeUndefined();
    delete cluster['certificate-authority-data'];
    const unknowing = join(folder, 'unknowing.kubeconfig');
    writeFileSync(unknowing, JSON.stringify(config));
    const { code, stderr } = await node().run('kubectl', ['--kubeconfig', unknowing, 'get', 'nodes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('certificate signed by unknown authority')]);
  });

  nodeTest('lets another user do what RBAC rules allow, and nothing else', async () => {
    const ada = await node().userKubeconfig('ada', ['readers/of+pods']);
    const asAda = ['--kubeconfig', ada, 'get', 'pods'];
    const refused = await node().run('kubectl', asAda);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('User "ada" cannot list resource "pods"'),
    });
    await node().kubectl('create', 'role', 'reader', '--verb=list', '--resource=pods');
    await node().kubectl('create', 'rolebinding', 'reader', '--role=reader', '--group=readers/of+pods');
    await node().ok('kubectl', asAda);
  });

  nodeTest('runs solpack inside, which gets no kubeconfig unless it is reported', async () => {
    expect((await node().succeeds(['--version'])).trim()).not.toBe('');
    const print = ['-e', 'console.log(process.env.KUBECONFIG ?? "none", process.cwd())'];
    const { stdout } = await node().run(process.execPath, print, { cwd: folder });
    expect(stdout.trim()).toBe(`${node().kubeconfig} ${folder}`);
  });

  nodeTest('starts a program that runs until it is stopped, and tells how it ended', async () => {
    const script = "process.on('SIGTERM', () => process.exit(7)); console.log('ready'); setInterval(() => {}, 1000);";
    const running = await node().start(process.execPath, ['-e', script]);
    expect(running.first).toBe('ready');
    expect(await running.stop()).toBe(7);
  });
});
