import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { type FoundMirror, findMirrors, type MirrorServer } from '../../parts/mirrors/index.ts';
import { askServer } from './ask-server.ts';

/** How a node pulls the images of a registry. */
export interface NodeMirror {
  /** `HOST[:PORT]`, as in references. */
  readonly registry: string;
  /** Path of its `hosts.toml`. */
  readonly path: string;
  /** `unreachable` where one of its servers does not answer; another one may. */
  readonly state: 'ready' | 'missing' | 'drifted' | 'unreachable';
  /** Why it is not ready. */
  readonly reason: string | null;
  readonly servers: readonly { readonly url: string; readonly reason: string | null }[];
}

/**
 * Returns how the containerd of this node pulls the images of `registries`; without them, of all registries for which
 * solpack has written a mirror. It asks each server, with the authority and the password that the node has for it.
 * Throws `file-unreadable`.
 */
export async function nodeMirrors(
  hostsDir: string,
  registries: readonly string[] | undefined,
  flow: Flow,
): Promise<readonly NodeMirror[]> {
  const found = await findMirrors(hostsDir, registries);
  const asked = new Map<string, Promise<string | null>>();
  const whyNot = (server: MirrorServer): Promise<string | null> => {
    const key = JSON.stringify([server.url, server.ca, server.authorization]);
    const reason = asked.get(key) ?? reasonOf(server, flow);
    asked.set(key, reason);
    return reason;
  };
  return Promise.all(found.map((mirror) => judged(mirror, whyNot)));
}

async function judged(
  { registry, path, state, reason, servers }: FoundMirror,
  whyNot: (server: MirrorServer) => Promise<string | null>,
): Promise<NodeMirror> {
  const answers = await Promise.all(servers.map(async (server) => ({ url: server.url, reason: await whyNot(server) })));
  const bad = answers.find((server) => server.reason !== null);
  if (state !== 'ready' || bad === undefined)
    return { registry, path, state, reason: reason ?? null, servers: answers };
  return { registry, path, state: 'unreachable', reason: `${bad.url}: ${bad.reason}`, servers: answers };
}

async function reasonOf(server: MirrorServer, flow: Flow): Promise<string | null> {
  try {
    await askServer(server, flow);
    return null;
  } catch (error) {
    flow.signal.throwIfAborted();
    if (error instanceof SolpackError) return error.message;
    throw error;
  }
}
