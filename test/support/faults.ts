import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What goes wrong with one request. */
export type Fault =
  /** The connection is cut once so many bytes of the body went that way; at 0 before any of it. */
  | { readonly cut: 'request' | 'answer'; readonly after: number }
  /** The answer's body stops after so many bytes, and the connection stays. */
  | { readonly stall: number }
  /** The answer's body comes byte by byte, one in so many milliseconds. */
  | { readonly drip: number }
  /** The registry is not asked; its place answers so. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** The registry's answer, with other headers. */
  | { readonly headers: Readonly<Record<string, string>> }
  /** The registry's answer, with another body; its length is announced as it then is, or not at all. */
  | { readonly body: (bytes: Buffer) => Uint8Array; readonly announced?: boolean };

/** A request that came, and what of its body. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Bytes of bodies that went to the registry, and that came back from it. */
  sent: number;
  received: number;
  /** The status that was answered; 0 as long as none was. */
  status: number;
}

/** A registry with something before it that fails. */
export interface FaultyRegistry {
  readonly host: string;
  readonly seen: readonly Seen[];
  /** What went either way for requests that `wanted` takes, in bytes. */
  sent(wanted: (seen: Seen) => boolean): number;
  received(wanted: (seen: Seen) => boolean): number;
}

/** Puts a proxy before the registry at `upstream`; `faultOf` says what goes wrong with a request, `count` from 1. */
export async function faulty(
  upstream: string,
  faultOf: (seen: Seen, count: number) => Fault | undefined,
): Promise<FaultyRegistry> {
  const seen: Seen[] = [];
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const entry: Seen = { method, url, headers, sent: 0, received: 0, status: 0 };
    seen.push(entry);
    pass(upstream, incoming, response, entry, faultOf(entry, seen.length));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const total = (count: (one: Seen) => number, wanted: (one: Seen) => boolean): number =>
    seen.filter(wanted).reduce((sum, one) => sum + count(one), 0);
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    sent: (wanted) => total((one) => one.sent, wanted),
    received: (wanted) => total((one) => one.received, wanted),
  };
}

function pass(
  upstream: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  entry: Seen,
  fault: Fault | undefined,
): void {
  if (fault && 'status' in fault) {
    entry.status = fault.status;
    incoming.resume();
    response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    return;
  }
  const [host, port] = upstream.split(':');
  // The registry makes addresses of uploads from the name that it was asked by.
  const { method, url: path, headers } = incoming;
  const asking = request({ host, port, method, path, headers, agent: false });
  const cut = (): void => {
    asking.destroy();
    incoming.socket.destroy();
  };
  response.once('close', () => asking.destroy());
  asking.on('error', cut);
  asking.once('response', (answer) => void reply(answer, response, entry, fault).catch(cut));
  const limit = fault && 'cut' in fault && fault.cut === 'request' ? fault.after : Number.POSITIVE_INFINITY;
  if (limit === 0) cut();
  incoming.on('error', cut);
  incoming.on('data', (chunk: Buffer) => {
    const piece = chunk.subarray(0, limit - entry.sent);
    entry.sent += piece.length;
    if (entry.sent < limit && !asking.write(piece)) {
      incoming.pause();
      asking.once('drain', () => incoming.resume());
    }
    // What went through has to arrive before the cut does.
    if (entry.sent >= limit) asking.write(piece, cut);
  });
  incoming.once('end', () => {
    if (entry.sent < limit) asking.end();
  });
}

async function reply(answer: IncomingMessage, response: ServerResponse, entry: Seen, fault?: Fault): Promise<void> {
  entry.status = answer.statusCode ?? 0;
  const headers = { ...answer.headers, ...(fault && 'headers' in fault ? fault.headers : {}) };
  if (fault && 'body' in fault && fault.body !== undefined && !('status' in fault)) {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const body = fault.body(Buffer.concat(chunks));
    const { 'content-length': _, ...rest } = headers;
    response.writeHead(entry.status, fault.announced ? { ...rest, 'content-length': body.length } : rest);
    entry.received += body.length;
    response.end(body);
    return;
  }
  if (fault && 'drip' in fault) return drip(answer, response, headers, fault.drip);
  const cut = fault && 'cut' in fault && fault.cut === 'answer' ? fault.after : Number.POSITIVE_INFINITY;
  const limit = fault && 'stall' in fault ? fault.stall : cut;
  if (cut === 0) throw new Error('cut before the head of the answer');
  response.writeHead(entry.status, headers);
  response.flushHeaders();
  for await (const chunk of answer) {
    const piece = (chunk as Buffer).subarray(0, limit - entry.received);
    entry.received += piece.length;
    await new Promise<void>((settle) => response.write(piece, () => settle()));
    if (entry.received < limit) continue;
    // Sent, and not only buffered, before the end comes.
    if (fault && 'stall' in fault) return;
    response.socket?.destroySoon();
    return;
  }
  response.end();
}

function drip(
  answer: IncomingMessage,
  response: ServerResponse,
  headers: IncomingMessage['headers'],
  pause: number,
): void {
  answer.resume();
  response.writeHead(answer.statusCode ?? 0, headers);
  // Clock: a server that answers byte by byte.
  const timer = setInterval(() => response.write('x'), pause);
  response.once('close', () => clearInterval(timer));
}
