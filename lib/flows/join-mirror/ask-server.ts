import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { MirrorServer } from '../../parts/mirrors/index.ts';
import { openRegistries } from '../../parts/registries/index.ts';

/**
 * How long a server may take, in milliseconds: a node that asks two servers should not wait long for one that is gone.
 */
const patience = { connect: 5_000, idle: 10_000, pause: 250, total: 3_000 };

/**
 * Makes sure that a server answers those who trust this authority and have this password, as a node would ask. Returns
 * the registries (`HOST[:PORT]`) whose images it says it has, sorted. Throws `registry-unreachable`, `registry-denied`
 * and `registry-error`, with the URL as their subject.
 */
export async function askServer({ url, ca, authorization }: MirrorServer, flow: Flow): Promise<readonly string[]> {
  const { protocol, host } = new URL(url);
  const login = loginOf(authorization);
  const registries = openRegistries({
    timing: patience,
    signal: flow.signal,
    ...(ca === undefined ? {} : { ca }),
    ...(login === undefined ? {} : { credentials: async () => login }),
  });
  try {
    const scheme = protocol === 'https:' ? 'https' : 'http';
    // What is asked for is the registry's own, and no repository's.
    const remote = registries.open({ scheme, registry: host, repository: 'any' });
    await remote.requireAnswering(flow.signal);
    const names = await remote.catalog(flow.signal);
    return [...new Set(names.flatMap(registryIn))].sort();
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    const { code, message, hint = '' } = error;
    // The folder of certificates that it names is for registries.
    const own = hint.includes('--certs-dir') ? 'name the authority that signed its certificate by --ca-file' : hint;
    throw new SolpackError(code, url, message, { cause: error, hint: own });
  } finally {
    registries.close();
  }
}

/** The user in a value of `Authorization` (Basic, RFC 7617); undefined for any other. */
function loginOf(authorization = ''): { username: string; password: string } | undefined {
  const [, encoded] = /^basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  const login = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  const colon = login.indexOf(':');
  return colon < 0 ? undefined : { username: login.slice(0, colon), password: login.slice(colon + 1) };
}

/** The registry whose repository a name of `serve` is: its first part, in which `_` stands for the colon of a port. */
function registryIn(name: string): string[] {
  const slash = name.indexOf('/');
  const [, host = '', port] = /^([a-z0-9.-]+)(?:_(\d{1,5}))?$/.exec(name.slice(0, Math.max(0, slash))) ?? [];
  if (host !== 'localhost' && !host.includes('.') && port === undefined) return [];
  return [port === undefined ? host : `${host}:${port}`];
}
