import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { OpenFile } from '../../../../lib/kernel/files/open-file.ts';
import { openRemote, type RemoteOptions } from '../../../../lib/kernel/http/remote-file.ts';
import { noise } from '../../../support/registry.ts';

/** The file that the tests ask for. */
export const file: Uint8Array = noise('remote', 300_000);

/** What a server does with the request of that number, from 1. */
export type Conduct = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

/** A server that behaves as the test says. */
export async function server(conduct: Conduct): Promise<{ origin: string; url: URL; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const running = createServer((request, response) => {
    seen.push(request);
    void conduct(request, response, seen.length);
  });
  await new Promise<void>((settle) => running.listen(0, '127.0.0.1', settle));
  onTestFinished(() => {
    running.closeAllConnections();
    running.close();
  });
  const origin = `http://127.0.0.1:${(running.address() as AddressInfo).port}`;
  return { origin, url: new URL(`${origin}/x.iso`), seen };
}

/** Opens a file with short waits; it is closed after the test. */
export async function opened(url: URL, options: RemoteOptions = {}): Promise<OpenFile> {
  const timing = { idle: 5000, pause: 1, ...options.timing };
  const remote = await openRemote(url, { ...options, timing });
  onTestFinished(() => remote.close());
  return remote;
}

/** The bytes that a request asks for, both ends included, within `size`. */
export function asked({ headers }: IncomingMessage, size: number = file.length): { first: number; last: number } {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  return { first: Number(first), last: Math.min(Number(last), size - 1) };
}

/** What an honest server says of a range. */
export function honest(first: number, last: number, more: Record<string, string> = {}): Record<string, string> {
  return {
    'content-range': `bytes ${first}-${last}/${file.length}`,
    'content-length': String(last - first + 1),
    etag: '"one"',
    'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
    ...more,
  };
}

/** Answers as an honest server, but for what `more` says. */
export function answer(request: IncomingMessage, response: ServerResponse, more: Record<string, string> = {}): void {
  const { first, last } = asked(request);
  response.writeHead(206, honest(first, last, more)).end(file.subarray(first, last + 1));
}

/** An honest server. */
export const honestly: Conduct = (request, response) => answer(request, response);
