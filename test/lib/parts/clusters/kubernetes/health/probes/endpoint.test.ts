import { createServer as createHttp, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReadyProbe } from '../../../../../../../formats/solution/ready-probe.ts';
import { lookByProbe, type Probed } from '../../../../../../../lib/parts/clusters/kubernetes/health/probes/look.ts';
import { ApiError, type KubernetesApi } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { connect } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { applyTo, prompt } from '../../../../../../support/cluster/applying.ts';
import { memoryCluster } from '../../../../../../support/cluster/index.ts';
import { controlPlaneTest, sharedControlPlane } from '../../../../../../support/control-plane.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { eventually, until } from '../../../../../../support/until.ts';
import { component, map } from '../../support.ts';

const plane = sharedControlPlane();

/** An address of this machine that a Service may have: those of the machine itself are none. */
const address = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
};
const http = (listener: RequestListener): Promise<number> => listening(createHttp(listener));
const raw = (talk: (socket: Socket) => void): Promise<number> =>
  listening(createServer((socket) => talk(socket.on('error', () => undefined))));

/** Makes a Service whose only Pod is this machine, or is not ready: API servers send nothing to what is no Pod. */
async function service(name: string, port: number, isReady = true): Promise<void> {
  const metadata = { name, namespace: 'default' };
  const addresses = [{ ip: address, targetRef: { kind: 'Pod', name, namespace: 'default' } }];
  const ports = [{ name: 'web', port }];
  const items = [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ name: 'web', port: 80, targetPort: port }] } },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { containers: [{ name: 'web', image: 'web' }], automountServiceAccountToken: false },
    },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata,
      subsets: [{ [isReady ? 'addresses' : 'notReadyAddresses']: addresses, ports }],
    },
  ];
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await until(
    () => plane().tried(['apply', '-f', '-'], { input }),
    ({ code }) => code === 0,
  );
  const status = { phase: 'Running', podIP: address, podIPs: [{ ip: address }] };
  await plane().kubectl('patch', 'pod', name, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status }));
}

/** Looks until a probe says so: the API server hears of Services and their addresses a moment later. */
const comes = (probe: ReadyProbe, words: string | RegExp): Promise<void> =>
  eventually(async () => {
    const { state, message } = await look(probe);
    return `${state} ${message}`;
  }).toMatch(words);

async function look(probe: ReadyProbe, kubeconfig = plane().kubeconfig): Promise<Probed> {
  const flow = { ...testFlow(), host: { path: [], temp: tmpdir() } };
  const api = await connect(kubeconfig, flow);
  try {
    const never = (): never => {
      throw new Error('no object is judged');
    };
    return await lookByProbe({ namespace: 'default', ...probe }, never, { api, flow, timing: prompt, force: false });
  } finally {
    await api.close();
  }
}

describe('an endpoint behind a real API server', () => {
  controlPlaneTest('is ready if it answers by HTTP, also with a redirect, and with a body without an end', async () => {
    await service(
      'fine',
      await http(({ url }, answer) => answer.writeHead(url === '/healthz?full=1' ? 204 : 500).end()),
    );
    await service('moved', await http((_, answer) => answer.writeHead(302, { location: '/elsewhere' }).end()));
    await service('endless', await http((_, answer) => answer.writeHead(200).write('data: 1')));
    for (const probe of ['fine/web/healthz?full=1', 'fine/80/healthz?full=1', 'moved/80', 'endless/80/']) {
      await comes({ http: probe }, 'ready ');
    }
    await comes({ http: 'fine/web/' }, 'waiting fine:web answers with status 500');
  });

  controlPlaneTest('is not ready without the Service, the port, an address that is ready, or a listener', async () => {
    const port = await raw((socket) => socket.end());
    await service('late', port, false);
    // Nobody listens at a port that nobody asked for.
    await service('down', 1);
    for (const scheme of ['http', 'tcp']) {
      await comes({ [scheme]: 'nobody/80' }, /^waiting .*services "nobody" not found/);
      await comes({ [scheme]: 'late/80' }, /^waiting .*no endpoints available/);
      await comes({ [scheme]: 'late/81' }, /^waiting .*no service port 81 found/);
      await comes({ [scheme]: 'down/80' }, /^waiting .*connect: connection refused$/);
    }
  });

  controlPlaneTest('accepts connections, whatever it speaks', async () => {
    const talks: Readonly<Record<string, (socket: Socket) => void>> = {
      closes: (socket) => socket.once('data', () => socket.end()),
      resets: (socket) => socket.once('data', () => socket.resetAndDestroy()),
      greets: (socket) => socket.write('SSH-2.0-test\r\n'),
      objects: (socket) => socket.once('data', () => socket.end("-ERR unknown command 'GET'\r\n")),
      binary: (socket) => socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 0x16]))),
    };
    for (const [name, talk] of Object.entries(talks)) {
      await service(name, await raw(talk));
      await comes({ tcp: `${name}/80` }, 'ready ');
      await comes({ http: `${name}/80` }, `waiting ${name}:80 is not reached: `);
    }
    await service('missing', await http((_, answer) => answer.writeHead(404).end()));
    await comes({ tcp: 'missing/80' }, 'ready ');
  });

  controlPlaneTest('cannot be asked without the right to, which is said as such', async () => {
    const kubeconfig = await plane().userKubeconfig('nobody');
    const { refusal, message } = await look({ http: 'fine/80' }, kubeconfig);
    expect(refusal?.status).toBe(403);
    expect(message).toContain('cannot get resource "services/proxy"');
  });
});

describe('a component with an endpoint', () => {
  const request = (probe: ReadyProbe, timeout: number): Parameters<typeof applyTo>[1] => ({
    configuration: 'edge',
    solutions: [
      {
        name: 'shop',
        version: '1.0.0',
        root: undefined,
        components: [{ ...component('web', map('default/web')), timeout, ready: [probe] }],
      },
    ],
    generation: { cause: 'install', configuration: undefined, solutions: [], keep: 10 },
  });
  const probe: ReadyProbe = { http: 'web/80/healthz', namespace: 'default' };

  test('is waited for until it answers', async () => {
    let asked = 0;
    const api: KubernetesApi = {
      ...memoryCluster().connect(),
      askService: async () => {
        asked += 1;
        if (asked < 3) throw new ApiError({ verb: 'ask', subject: 'web' }, { status: 502 }, 'status 502');
      },
    };
    const { error, events } = await applyTo(api, request(probe, 180_000));
    expect(error).toBeUndefined();
    expect(events.filter((event) => event.startsWith('wait Service'))).toEqual([
      'wait Service default/web: web:80 answers with status 502',
    ]);
  });

  test('fails with what it asked', async () => {
    const { error } = await applyTo(memoryCluster().connect(), request(probe, 500));
    expect(error).toMatchObject({ code: 'object-not-ready', subject: 'Service default/web' });
    expect(error?.message).toContain('http web/80/healthz: web:80 is not reached: services "web" not found');
    expect(error?.hint).toContain('Pods of the Service are ready');
  });
});
