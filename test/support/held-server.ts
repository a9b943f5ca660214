import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of one file, which keeps back what lies behind an offset until it is let go. */
export interface HeldServer extends AsyncDisposable {
  readonly url: string;
  /** Resolves once somebody waits for what is kept back. */
  readonly isWaitedFor: Promise<void>;
  /** Hands out the rest. */
  letGo(): void;
}

/** Serves a file as `name`, and keeps back what is behind its first `free` bytes. */
export async function heldServer(path: string, name: string, free: number): Promise<HeldServer> {
  const bytes = readFileSync(path);
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: isWaitedFor, resolve: waits } = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const [first, end] = [Number(from), to === '' ? bytes.length : Number(to) + 1];
    const headers = { 'content-length': end - first, 'content-range': `bytes ${first}-${end - 1}/${bytes.length}` };
    response.writeHead(request.headers.range === undefined ? 200 : 206, { 'accept-ranges': 'bytes', ...headers });
    if (request.method === 'HEAD') return void response.end();
    // Structures lie at both ends, contents between them.
    const isFree = end <= free || first >= bytes.length - 64 * 1024;
    if (!isFree) {
      response.flushHeaders();
      waits();
      await released;
    }
    response.end(bytes.subarray(first, end));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`,
    isWaitedFor,
    letGo,
    [Symbol.asyncDispose]: () =>
      new Promise((settle) => {
        server.close(() => settle());
        server.closeAllConnections();
      }),
  };
}
