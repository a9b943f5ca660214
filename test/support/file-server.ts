import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { selfSigned } from './registry.ts';

/** A request that came. */
export interface FileRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly range: string | undefined;
}

/** A server of files over TLS, whose certificate only its own authority vouches for. */
export interface FileServer {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** `https://127.0.0.1:port`. */
  readonly url: string;
  /** The folder that `--certs-dir` takes, and the file of the authority. */
  readonly certs: string;
  readonly authority: string;
  /** What was asked for since the last call. */
  requests(): FileRequest[];
  /** Answers paths in place of the files; true where it did. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean;
  stop(): Promise<void>;
}

/** Gives a function that starts a server of the files below `root`; it is stopped after the tests of the file. */
export function fileServer(root: string, name = 'files'): () => Promise<FileServer> {
  let running: Promise<FileServer> | undefined;
  afterAll(async () => (await running)?.stop());
  return () => {
    running ??= start(root, join(root, `../${name}-tls`));
    return running;
  };
}

async function start(root: string, tls: string): Promise<FileServer> {
  mkdirSync(tls, { recursive: true });
  const [key, authority] = [join(tls, 'server.key'), join(tls, 'ca.crt')];
  await selfSigned(key, authority, ['-subj', '/CN=files', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']);
  let seen: FileRequest[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(authority) }, (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'https://localhost').pathname);
    seen.push({ path, authorization: request.headers.authorization, range: request.headers.range });
    if (running.answer(request, response)) return;
    const file = join(root, path);
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    const bytes = readFileSync(file);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    const part = bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': part.length, ...(from > 0 ? range : {}) }).end(part);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const certs = join(tls, 'certs');
  mkdirSync(join(certs, host), { recursive: true });
  copyFileSync(authority, join(certs, host, 'ca.crt'));
  const running: FileServer = {
    host,
    url: `https://${host}`,
    certs,
    authority,
    requests: () => {
      const all = seen;
      seen = [];
      return all;
    },
    answer: () => false,
    stop: () =>
      new Promise((settle) => {
        server.close(() => settle());
        server.closeAllConnections();
      }),
  };
  return running;
}
