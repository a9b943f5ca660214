import type { IncomingMessage } from 'node:http';
import type { Exchange } from './reply.ts';
import { sendList } from './send-list.ts';
import type { SharedMemory } from './shared-memory.ts';

/** A page for browsers. */
export interface WebPage {
  /** What browsers may do with it: the value of Content-Security-Policy. */
  readonly policy: string;
  /** Makes it for the address that a client asked, `http://host:port`, or with https. It has at most 1 MiB. */
  make(origin: string): Promise<Uint8Array>;
}

/** Most bytes of a page: its memory is set aside before it is made, so that many clients cannot fill it. */
const ROOM = 2 ** 20;

/**
 * Decides whether a client asks for the page: by the path `/`, with HTML named among what it accepts, and JSON not
 * before that (RFC 9110, 12.5.1). Clients of registries never do.
 */
export function wantsWebPage({ method, headers }: IncomingMessage, path: string): boolean {
  if (path !== '/' || (method !== 'GET' && method !== 'HEAD')) return false;
  const weights = weightsOf(headers.accept ?? '');
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}

/**
 * Answers with the page, once there is memory for it. Nobody keeps it, and nobody shows it within a page of their own.
 */
export function sendWebPage(exchange: Exchange, memory: SharedMemory, page: WebPage, listener: string): Promise<void> {
  return sendList(exchange, memory, {
    cost: ROOM,
    make: () => page.make(originOf(exchange.request.headers.host, listener)),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${page.policy}; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      vary: 'accept',
    },
  });
}

/** The address that a client asked; where it says none that can be one, that of the listener. */
function originOf(host: string | undefined, listener: string): string {
  const isHost =
    host !== undefined && host.length <= 255 && /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/.test(host);
  const origin = `${new URL(listener).protocol}//${host}`;
  return isHost && URL.canParse(origin) ? origin : listener;
}

/** The weight of each media type that a header names; of a type that it names twice, the last. */
function weightsOf(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      const value = weight === undefined ? 1 : Number(weight.slice(2));
      return [type, value >= 0 && value <= 1 ? value : 0] as const;
    }),
  );
}
