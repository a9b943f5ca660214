import { shellWord } from '../../../../formats/shell-word.ts';
import { codeOf, reasonOf, SolpackError } from '../../../kernel/events/index.ts';
import { reachable } from '../../../parts/mirrors/index.ts';
import { requireFree } from '../../../parts/registry-server/index.ts';
import { SERVE, whyNoSocket } from '../../setup/index.ts';
import type { HealthCheck } from '../check.ts';
import { inTime } from '../in-time.ts';
import { isOwnAddress } from '../own-address.ts';
import type { HealthFinding } from '../request.ts';
import { type ServeAnswer, serveAt } from '../serve-at.ts';

/** Looks whether the address of the `serve` of this machine is held by one, or is free for it. */
export const portCheck: HealthCheck = {
  code: 'port',
  purposes: ['serve', 'install'],
  look: async ({ said, purposes, configuration, machine }, flow) => {
    const isOwn = isOwnAddress(said.serve);
    if (!isOwn && !purposes.has('serve')) return [];
    const url = new URL(isOwn ? said.serve! : SERVE);
    const { host, port, hostname } = addressOf(url);
    return inTime(host, look(port), flow, async (own) => {
      const why = await whyNoSocket({ host: hostname, port }, own.signal);
      if (why === undefined) return [served(await serveAt(url, own.signal), host, port)];
      // The person who installs by it needs it to run; the person who wants to begin to serve needs room for it.
      if (purposes.has('install') && isOwn) {
        const message = `nothing serves there: ${codeOf(why) === 'ECONNREFUSED' ? 'the connection is refused' : reasonOf(why)}`;
        const serve = `solpack serve -f ${shellWord(configuration)} --listen ${host}`;
        const hint = machine.systemd ? 'systemctl start solpack-serve' : serve;
        return [{ state: 'fails', subject: host, message, hint }];
      }
      return [await free(url, host)];
    });
  },
};

function addressOf({ protocol, hostname, port }: URL): { host: string; port: number; hostname: string } {
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  const { hostname: reached } = new URL(reachable(`${protocol}//${hostname}:${number}`));
  return { host: `${hostname}:${number}`, port: number, hostname: reached.replace(/^\[|\]$/g, '') };
}

function look(port: number): string {
  return `ss -ltnp sport = :${port}`;
}

function served(answer: ServeAnswer, host: string, port: number): HealthFinding {
  if (answer === 'ready') return { state: 'ok', subject: host, message: '"solpack serve" uses it' };
  if (answer === 'other') {
    const message =
      'another program uses it, so "solpack serve" cannot listen there: end that program, or choose another port';
    return { state: 'fails', subject: host, message, hint: look(port) };
  }
  const hint = 'journalctl -u solpack-serve';
  return {
    state: 'fails',
    subject: host,
    message: `"solpack serve" uses it, and is not ready: ${answer.unready}`,
    hint,
  };
}

async function free({ hostname, port, protocol }: URL, host: string): Promise<HealthFinding> {
  const listening = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  try {
    await requireFree(listening);
    return { state: 'ok', subject: host, message: 'is free' };
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    const hint = codeOf(error.cause) === 'EACCES' ? 'choose a port from 1024 on, or run solpack as root' : error.hint;
    return { state: 'fails', subject: host, message: error.message, ...(hint === undefined ? {} : { hint }) };
  }
}
