import type { Store } from './store/index.ts';

/** What a registry counts. */
export interface Counters {
  requests: number;
  /** Bytes of bodies that were sent. */
  bytes: number;
  running: number;
  /** Answers that broke off, and errors that were not the client's fault. */
  problems: number;
  /** Connections that were cut: there were too many, or a client held memory for too long. */
  cuts: number;
  /** Answers by method and status. */
  readonly answers: Map<string, number>;
}

/** Returns counters at zero. */
export function newCounters(): Counters {
  return { requests: 0, bytes: 0, running: 0, problems: 0, cuts: 0, answers: new Map() };
}

/** Counts an answer. */
export function countAnswer({ answers }: Counters, method: string, status: number): void {
  // Methods come from clients: unknown ones must not make an unlimited number of time series.
  const known = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'].includes(method) ? method : 'other';
  const key = `method="${known}",code="${status}"`;
  answers.set(key, (answers.get(key) ?? 0) + 1);
}

/** What is served now. */
export interface Gauges {
  readonly archives: number;
  readonly connections: number;
  readonly store: (ReturnType<Store['facts']> & { readonly free: number | undefined }) | undefined;
}

/** The content type of `metricsText`. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Formats all metrics for Prometheus (text format, version 0.0.4). */
export function metricsText(counters: Counters, { archives, connections, store }: Gauges): string {
  const answers = [...counters.answers].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    metric('solpack_http_requests_total', 'counter', 'Requests that were answered.', answers),
    metric('solpack_http_requests_running', 'gauge', 'Requests that are being answered.', counters.running),
    metric('solpack_http_sent_bytes_total', 'counter', 'Bytes of bodies that were sent.', counters.bytes),
    metric(
      'solpack_problems_total',
      'counter',
      'Answers that failed in the server, such as those with damaged content.',
      counters.problems,
    ),
    metric('solpack_http_connections', 'gauge', 'Connections that are open.', connections),
    metric(
      'solpack_http_cut_connections_total',
      'counter',
      'Connections that were closed to make room for others.',
      counters.cuts,
    ),
    metric('solpack_archives', 'gauge', 'Archives that are served.', archives),
    ...(store
      ? [
          metric('solpack_store_contents', 'gauge', 'Distinct contents of the store.', store.blobs),
          metric('solpack_store_uploads', 'gauge', 'Open uploads.', store.uploads),
          ...(store.free === undefined
            ? []
            : [metric('solpack_store_free_bytes', 'gauge', 'Free bytes on the disk of the store.', store.free)]),
        ]
      : []),
    metric('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', process.memoryUsage.rss()),
  ].join('');
}

function metric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: number | readonly (readonly [labels: string, value: number])[],
): string {
  const samples =
    typeof value === 'number' ? [`${name} ${value}`] : value.map(([labels, one]) => `${name}{${labels}} ${one}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n');
}
