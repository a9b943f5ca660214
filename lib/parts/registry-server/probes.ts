import { utf8 } from '../../../formats/bytes.ts';
import { metricsType } from './metrics.ts';
import { type Exchange, Refusal, reply } from './reply.ts';

/** What probes and Prometheus can ask. */
export interface Health {
  /** Returns why something that was asked for is not served; undefined where everything is. */
  unready(): string | undefined;
  metrics(): string;
}

/** Decides whether a path is a probe, which needs no password. */
export function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** Decides whether a path is answered however many clients there are. */
export function isExempt(path: string): boolean {
  return isProbe(path) || path === '/metrics';
}

/** Answers `/healthz`, `/readyz` and `/metrics`. Returns false for any other path. */
export function answerProbe(exchange: Exchange, path: string, health: Health): boolean {
  if (!isExempt(path)) return false;
  const { method } = exchange.request;
  if (method !== 'GET' && method !== 'HEAD') {
    throw new Refusal(405, 'UNSUPPORTED', 'this is read-only', { allow: 'GET, HEAD' });
  }
  if (path === '/metrics') {
    reply(exchange, 200, utf8(health.metrics()), { 'content-type': metricsType });
    return true;
  }
  const why = path === '/readyz' ? health.unready() : undefined;
  reply(exchange, why === undefined ? 200 : 503, utf8(`${why ?? 'ok'}\n`), {
    'content-type': 'text/plain; charset=utf-8',
  });
  return true;
}
