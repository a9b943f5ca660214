import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reasonOf, SolpackError } from '../../kernel/events/index.ts';
import { http } from '../../kernel/http/index.ts';
import type { AgentProbes, AgentVitals } from './request.ts';

/** What answers probes until it is disposed of. */
export interface RunningProbes extends AsyncDisposable {
  readonly url: string;
}

/** Answers `/healthz`, `/readyz` and `/metrics` until it is disposed of. Throws `listen-failed`. */
export async function answerProbes({ host, port }: AgentProbes, vitals: AgentVitals): Promise<RunningProbes> {
  const server = http.createServer((request, response) => {
    request.resume();
    answer(request.method ?? '', new URL(request.url ?? '/', 'http://agent').pathname, response, vitals);
  });
  server.headersTimeout = 5_000;
  server.maxConnections = 100;
  await listening(server, host, port);
  const taken = server.address() as AddressInfo;
  return {
    url: `http://${taken.family === 'IPv6' ? `[${taken.address}]` : taken.address}:${taken.port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listening(server: Server, host: string | undefined, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const subject = `${host ?? ''}:${port}`;
    throw new SolpackError('listen-failed', subject, `cannot be listened on: ${reasonOf(error)}`, {
      hint: 'choose another --probes address',
      cause: error,
    });
  }
}

function answer(method: string, path: string, response: ServerResponse, vitals: AgentVitals): void {
  const [status, text] = answerTo(method, path, vitals);
  const type = path === '/metrics' ? 'text/plain; version=0.0.4; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

function answerTo(method: string, path: string, vitals: AgentVitals): readonly [status: number, text: string] {
  if (method !== 'GET' && method !== 'HEAD') return [405, 'this path can only be read\n'];
  if (path === '/healthz') return [200, 'ok\n'];
  if (path === '/readyz') return vitals.isConnected ? [200, 'ok\n'] : [503, 'the API server has not answered yet\n'];
  if (path === '/metrics') return [200, metrics(vitals)];
  return [404, 'the paths are /healthz, /readyz and /metrics\n'];
}

/** Writes what is counted in Prometheus' text format. */
function metrics({ isLeader, isReady, installs, repaired, failures }: AgentVitals): string {
  const all: readonly (readonly [string, string, string, number])[] = [
    ['leader', 'gauge', 'Whether this replica leads', Number(isLeader)],
    ['ready', 'gauge', 'Whether all Solutions are ready and as applied, as far as the leader knows', Number(isReady)],
    ['installs_total', 'counter', 'Installs that succeeded', installs],
    ['repaired_objects_total', 'counter', 'Objects that were restored', repaired],
    ['failures_total', 'counter', 'Installs and repairs that failed', failures],
  ];
  return all
    .map(([name, type, help, value]) => {
      const full = `solpack_agent_${name}`;
      return `# HELP ${full} ${help}.\n# TYPE ${full} ${type}\n${full} ${value}\n`;
    })
    .join('');
}
