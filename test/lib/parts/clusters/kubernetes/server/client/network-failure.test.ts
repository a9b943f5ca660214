import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { SolpackError } from '../../../../../../../lib/kernel/events/errors.ts';
import { describeNetworkFailure } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/network-failure.ts';
import { apiServer, authority, connected, kubeconfig, signedBy, timings } from '../../../../../../support/apiserver.ts';
import { judged, scratch } from '../../../../../../support/judges.ts';

const folder = scratch('network');

describe('a server that is not reached is reported with the cause', () => {
  const failing = async (cluster: object, times = timings): Promise<SolpackError> =>
    connected(kubeconfig(folder, cluster, { token: 's3cr3t' }), times).then(
      () => {
        throw new Error('it was reached');
      },
      (error) => error,
    );

  test('nobody listens', async () => {
    const port = await freePort();
    expect(await failing({ server: `https://127.0.0.1:${port}` })).toMatchObject({
      code: 'cluster-unreachable',
      subject: `https://127.0.0.1:${port}`,
      message: 'the connection is refused',
      hint: `check that the API server runs and listens at 127.0.0.1:${port}`,
      exit: 5,
    });
  });

  test('nobody listens at the first contact: that is no reason to be as patient as with a server that is busy', async () => {
    const first = { ...timings.first, total: 600_000, refused: 20 };
    const error = await failing({ server: `https://127.0.0.1:${await freePort()}` }, { ...timings, first });
    expect(error.message).toBe('the connection is refused');
  });

  test('the name of the host does not exist', async () => {
    const error = await failing({ server: 'https://no-such-host.invalid' });
    expect(error.code).toBe('cluster-unreachable');
    expect(error.hint).toBe('check the name no-such-host.invalid and the name service');
  });

  test('it takes the connection and says nothing', async () => {
    const { port, close } = await tcpServer(() => undefined);
    const first = { ...timings.first, connect: 50 };
    expect(await failing({ server: `https://127.0.0.1:${port}` }, { ...timings, first })).toMatchObject({
      code: 'cluster-unreachable',
      message: 'nothing moved for 0.05 s',
      hint: expect.stringContaining('firewall'),
    });
    close();
  });

  test('it does not speak TLS, or not HTTP', async () => {
    const { url } = await apiServer(() => undefined);
    expect(await failing({ server: url.replace('http:', 'https:') })).toMatchObject({
      message: 'the server does not use TLS',
      hint: expect.stringContaining('http://'),
    });
    const { port, close } = await tcpServer((socket) => socket.end('220 mail.example.com\r\n'));
    expect(await failing({ server: `http://127.0.0.1:${port}` })).toMatchObject({ code: 'cluster-unreachable' });
    close();
  });

  test('it is something else', async () => {
    const { url } = await apiServer(() => ({ hello: 'world' }));
    const web = await failing({ server: `${url}/blog` });
    expect(web).toMatchObject({ code: 'cluster-error', subject: `${url}/blog` });
    expect(web.message).toContain('names no version of Kubernetes');
  });

  judged('its certificate is of an unknown authority, has expired, or is for another name', ['openssl'], async () => {
    const [ca, foreign] = [await authority(folder, 'ca'), await authority(folder, 'foreign')];
    const [good, old] = [await signedBy(ca, folder, 'good'), await signedBy(ca, folder, 'old', -1)];
    const tls = (pair: { cert: string; key: string }) => ({
      cert: readFileSync(pair.cert),
      key: readFileSync(pair.key),
    });
    const { url } = await apiServer(() => undefined, tls(good));
    const { url: expired } = await apiServer(() => undefined, tls(old));
    const trusting = (at: string, pem: string): object => ({ server: at, 'certificate-authority': pem });
    expect(await failing(trusting(url, foreign.cert))).toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringContaining('signed by an authority that the kubeconfig does not name'),
      hint: expect.stringContaining('certificate-authority-data'),
    });
    expect(await failing(trusting(expired, ca.cert))).toMatchObject({
      message: 'its certificate has expired',
      hint: expect.stringMatching(/^this machine's clock says 20\d\d-/),
    });
    const named = { ...trusting(url, ca.cert), 'tls-server-name': 'other.example.com' };
    expect(await failing(named)).toMatchObject({
      message: expect.stringContaining('for other names (IP Address:127.0.0.1)'),
      hint: expect.stringContaining('tls-server-name'),
    });
    const { api } = await connected(kubeconfig(folder, trusting(url, ca.cert)));
    expect(api.server).toBe(url);
    const { api: careless } = await connected(
      kubeconfig(folder, { server: expired, 'insecure-skip-tls-verify': true }),
    );
    expect(careless.server).toBe(expired);
  });

  test('its certificate is not valid yet, as on a node without a clock', () => {
    const error = Object.assign(new Error('certificate is not yet valid'), { code: 'CERT_NOT_YET_VALID' });
    expect(describeNetworkFailure(error, 'https://10.0.0.1:6443', new Date(0))).toEqual({
      why: 'its certificate is not valid yet',
      hint: "this machine's clock says 1970-01-01T00:00:00.000Z: set it if that is wrong, otherwise renew the certificate of the API server",
    });
  });
});

function tcpServer(work: (socket: Socket) => unknown): Promise<{ port: number; close: () => void }> {
  const sockets: Socket[] = [];
  const listener = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    work(socket);
  });
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  };
  return new Promise((settle) => {
    listener.listen(0, '127.0.0.1', () => settle({ port: (listener.address() as { port: number }).port, close }));
  });
}

async function freePort(): Promise<number> {
  const { port, close } = await tcpServer(() => undefined);
  close();
  return port;
}
