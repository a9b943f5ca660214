import { utf8 } from '../../formats/bytes.ts';
import { metricsType } from './metrics.ts';
import { type Exchange, Refusal, send } from './reply.ts';

/** What probes and Prometheus are told. */
export interface Health {
  /** Why not all that was asked for is served; undefined where it is. */
  unready(): string | undefined;
  metrics(): string;
}

/** Whether a path is for probes, which have no password. */
export function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** Whether a path is answered however many clients there are. */
export function isExempt(path: string): boolean {
  return isProbe(path) || path === '/metrics';
}

/** Answers `/healthz`, `/readyz` and `/metrics`; false where the path is another. */
export function answerProbe(exchange: Exchange, path: string, health: Health): boolean {
  if (!isExempt(path)) return false;
  const { method } = exchange.request;
  if (method !== 'GET' && method !== 'HEAD') {
    throw new Refusal(405, 'UNSUPPORTED', 'this can only be read', { allow: 'GET, HEAD' });
  }
  if (path === '/metrics') {
    send(exchange, 200, utf8(health.metrics()), { 'content-type': metricsType });
    return true;
  }
  const why = path === '/readyz' ? health.unready() : undefined;
  send(exchange, why === undefined ? 200 : 503, utf8(`${why ?? 'ok'}\n`), {
    'content-type': 'text/plain; charset=utf-8',
  });
  return true;
}
