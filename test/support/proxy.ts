import { createServer, request, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { afterAll } from 'vitest';

/** A proxy for HTTP, and for everything else by CONNECT. */
export interface TestProxy {
  readonly url: URL;
  /** What it was asked for: method and address. */
  readonly asked: readonly string[];
}

/**
 * Starts a proxy that leads every name to `hosts[name]`, and others nowhere; it is stopped after the tests of the file.
 * `login` is `user:password` that it wants to see, and `tls` makes it speak TLS.
 */
export async function startProxy(
  hosts: Readonly<Record<string, string>>,
  { login, tls }: { login?: string; tls?: { key: string; cert: string } } = {},
): Promise<TestProxy> {
  const asked: string[] = [];
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const server: Server = tls ? createSecure(tls) : createServer();
  server.on('request', (incoming, response) => {
    const url = new URL(incoming.url!, 'http://relative.invalid');
    asked.push(`${incoming.method} ${url.origin}`);
    const { 'proxy-authorization': shown, ...headers } = incoming.headers;
    if (wanted !== undefined && shown !== wanted) {
      response.writeHead(407).end();
      return;
    }
    const [host, port] = (hosts[url.host] ?? '127.0.0.1:1').split(':');
    const path = `${url.pathname}${url.search}`;
    const passed = request({ host, port, method: incoming.method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.writeHead(502).end());
    incoming.pipe(passed);
  });
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    if (wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host, port] = (hosts[incoming.url!] ?? '').split(':');
    if (port === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const through = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      through.pipe(socket);
      socket.pipe(through);
    });
    through.on('error', () => socket.destroy());
    socket.on('error', () => through.destroy());
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`${tls ? 'https' : 'http'}://${login ? `${login}@` : ''}127.0.0.1:${port}`), asked };
}
