import { connect as connectSocket, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../../../formats/manifest/documents.ts';
import {
  apiServer,
  connected,
  kubeconfig,
  send,
  status,
  timings,
  withDiscovery,
} from '../../../../../../support/apiserver.ts';
import { scratch } from '../../../../../../support/judges.ts';

const folder = scratch('retry');
const signal = new AbortController().signal;
const map: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } };
const name = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'b' };
const discoveries = 2;
const patience = (total: number) => ({ later: { ...timings.later, total } });

describe('a request is repeated', () => {
  test.each([429, 500, 502, 503, 504])('after status %i', async (code) => {
    const { url, seen } = await apiServer(
      withDiscovery(({ count }, response) =>
        count < discoveries + 6 ? send(response, code, status(code, '', 'no')) : map,
      ),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    expect((await api.apply(map, {}, signal)).metadata.name).toBe('a');
    expect(seen).toHaveLength(discoveries + 6);
  });

  test('after its connection was cut, before or in the middle of the answer', async () => {
    const { url, seen } = await apiServer(
      withDiscovery(({ count, message }, response) => {
        if (count === discoveries + 1) message.socket.destroy();
        else if (count === discoveries + 2) {
          response.writeHead(200, { 'content-length': 1000 }).write('{"kind":');
          // Clock: the head of the answer has to leave first.
          setTimeout(() => message.socket.destroy(), 5);
        } else return map;
        return undefined;
      }),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    expect(await api.read(name, signal)).toMatchObject(map);
    expect(seen).toHaveLength(discoveries + 3);
  });

  test('while the API server restarts and refuses connections', async () => {
    const { url } = await apiServer(withDiscovery(() => map));
    const front = forwarder(Number(new URL(url).port));
    const port = await front.start();
    const { api } = await connected(kubeconfig(folder, { server: `http://127.0.0.1:${port}` }));
    expect(await api.read(name, signal)).toMatchObject(map);
    await front.stop();
    const read = api.read(name, signal);
    const refused = await connectRefused(port);
    await front.start(port);
    expect(refused).toBe('ECONNREFUSED');
    expect(await read).toMatchObject(map);
    await front.stop();
  });

  test('not for long: the last answer is reported', async () => {
    const { url, seen } = await apiServer(
      withDiscovery((_, response) => send(response, 503, status(503, '', 'overloaded'))),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }), patience(50));
    await expect(api.read(name, signal)).rejects.toMatchObject({ status: 503, message: 'overloaded', verb: 'read' });
    expect(seen.length).toBeGreaterThan(discoveries + 2);
  });

  test('not when that would be longer than there is time', async () => {
    const { url, seen } = await apiServer(
      withDiscovery((_, response) =>
        send(response, 429, status(429, 'TooManyRequests', 'busy'), { 'retry-after': '3600' }),
      ),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.read(name, signal)).rejects.toMatchObject({ status: 429, reason: 'TooManyRequests' });
    expect(seen).toHaveLength(discoveries + 1);
  });

  test.each([400, 403, 409, 410, 413, 422])('not after status %i', async (code) => {
    const { url, seen } = await apiServer(
      withDiscovery((_, response) => send(response, code, status(code, 'X', 'no'))),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.apply(map, {}, signal)).rejects.toMatchObject({
      status: code,
      reason: 'X',
      subject: 'ConfigMap b/a',
    });
    expect(seen).toHaveLength(discoveries + 1);
  });

  test('not for an object that does not fit its schema, although the status is 500', async () => {
    const words = 'failed to create typed patch object (b/a; /v1, Kind=ConfigMap): .dta: field not declared in schema';
    const { url, seen } = await apiServer(withDiscovery((_, response) => send(response, 500, status(500, '', words))));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.apply(map, {}, signal)).rejects.toMatchObject({ status: 500, message: words });
    expect(seen).toHaveLength(discoveries + 1);
  });
});

describe('a deletion', () => {
  const uid = { uid: 'u', propagation: 'Background' } as const;

  test('whose answer was lost counts as done when the object is gone', async () => {
    const { url } = await apiServer(
      withDiscovery(({ count, message }, response) => {
        if (count === discoveries + 1) message.socket.destroy();
        else send(response, 404, status(404, 'NotFound', 'configmaps "a" not found'));
      }),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    expect(await api.remove(name, uid, signal)).toBe(true);
  });
});

test('a server that falls silent is given up, and so is what the signal ends', async () => {
  const { url } = await apiServer(withDiscovery(() => undefined));
  const idle = { later: { ...timings.later, idle: 30, total: 0 } };
  const { api } = await connected(kubeconfig(folder, { server: url }), idle);
  await api.discover(signal).catch(() => undefined);
  await expect(api.read(name, signal)).rejects.toMatchObject({ status: 0, message: 'nothing moved for 0.03 s' });
  const controller = new AbortController();
  const { api: patient } = await connected(kubeconfig(folder, { server: url }));
  await patient.discover(signal);
  const read = patient.read(name, controller.signal);
  controller.abort(new Error('enough'));
  await expect(read).rejects.toThrow('enough');
});

test('an answer that keeps coming is waited for, however long the whole takes', async () => {
  const { url } = await apiServer(
    withDiscovery(async (_, response) => {
      response.writeHead(200);
      for (const piece of JSON.stringify(map)) {
        response.write(piece);
        // Clock: an answer that comes slowly.
        await new Promise((settle) => setTimeout(settle, 15));
      }
      response.end();
    }),
  );
  const { api } = await connected(kubeconfig(folder, { server: url }), {
    later: { ...timings.later, idle: 800, total: 0 },
  });
  expect(await api.read(name, signal)).toMatchObject(map);
});

test('requests share a connection', async () => {
  const { url, seen } = await apiServer(withDiscovery(() => map));
  const { api } = await connected(kubeconfig(folder, { server: url }));
  for (let time = 0; time < 5; time += 1) await api.read(name, signal);
  expect(new Set(seen.map(({ message }) => message.socket)).size).toBe(1);
});

/** Hands connections on to a port, and can go away and come back. */
function forwarder(to: number): { start(port?: number): Promise<number>; stop(): Promise<void> } {
  let server: ReturnType<typeof createServer>;
  const sockets = new Set<{ destroy(): void }>();
  return {
    start: async (port = 0) => {
      server = createServer((socket) => {
        const target = connectSocket(to, '127.0.0.1');
        for (const end of [socket, target]) {
          sockets.add(end);
          end.on('error', () => undefined);
        }
        socket.pipe(target).pipe(socket);
      });
      await new Promise<void>((settle) => server.listen(port, '127.0.0.1', settle));
      return (server.address() as { port: number }).port;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((settle) => server.close(settle));
    },
  };
}

function connectRefused(port: number): Promise<string | undefined> {
  return new Promise((settle) => {
    connectSocket(port, '127.0.0.1').on('error', (error: NodeJS.ErrnoException) => settle(error.code));
  });
}
