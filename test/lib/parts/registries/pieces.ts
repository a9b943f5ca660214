import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { collect } from '../../../../formats/bytes.ts';
import { front } from './front.ts';

/** How a registry takes blobs in pieces. */
export interface Manner {
  /**
   * Cuts the connection after so many bytes of the request of that number that sends some, from 1; what came is kept.
   */
  readonly cuts?: Readonly<Record<number, number>>;
  /** The smallest piece that is taken, in bytes. */
  readonly least?: number;
  /** Says with every piece that it has none. */
  readonly stalled?: boolean;
  /** Does not answer where an upload stands. */
  readonly silent?: boolean;
}

/** A registry that keeps what came of an upload that broke, as the specification lets clients hope for. */
export interface KeepingRegistry {
  readonly host: string;
  readonly blobs: ReadonlySet<string>;
  /** Bytes of blobs that came. */
  readonly came: () => number;
  readonly requests: readonly string[];
}

/** Starts a registry that takes uploads in pieces in that manner, and in right order alone. */
export async function keeping(manner: Manner = {}): Promise<KeepingRegistry> {
  const blobs = new Set<string>();
  const requests: string[] = [];
  let kept = Buffer.alloc(0);
  let came = 0;
  let sending = 0;
  const standing = (response: ServerResponse, status: number): void => {
    const last = manner.stalled ? 0 : Math.max(0, kept.length - 1);
    const least = manner.least === undefined ? {} : { 'oci-chunk-min-length': String(manner.least) };
    response.writeHead(status, { location: '/upload/1', range: `0-${last}`, ...least }).end();
  };
  const take = async (request: IncomingMessage): Promise<boolean> => {
    sending += 1;
    const cut = manner.cuts?.[sending] ?? Number.POSITIVE_INFINITY;
    let own = 0;
    for await (const chunk of request) {
      const piece = (chunk as Buffer).subarray(0, cut - own);
      own += piece.length;
      came += piece.length;
      kept = Buffer.concat([kept, piece]);
      if (own < cut) continue;
      request.socket.destroy();
      return false;
    }
    return true;
  };
  const { host } = await front(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const range = headers['content-range'] ?? '';
    requests.push(`${method} ${range}`.trim());
    if (method === 'HEAD') return response.writeHead(blobs.has(url.split('/').at(-1)!) ? 200 : 404).end();
    if (method === 'POST') {
      kept = Buffer.alloc(0);
      return standing(response, 202);
    }
    if (method === 'GET') return manner.silent ? response.writeHead(404).end() : standing(response, 204);
    const first = /^(\d+)-\d+$/.exec(range)?.[1];
    if (first !== undefined && Number(first) !== kept.length) {
      await collect(request, 10_000_000).catch(() => undefined);
      return response.writeHead(416).end();
    }
    if (!(await take(request).catch(() => false))) return undefined;
    if (method === 'PATCH') return standing(response, 202);
    const digest = decodeURIComponent(url.split('digest=')[1]!);
    if (digest !== `sha256:${createHash('sha256').update(kept).digest('hex')}`) return response.writeHead(400).end();
    blobs.add(digest);
    return response.writeHead(201).end();
  });
  return { host, blobs, requests, came: () => came };
}
