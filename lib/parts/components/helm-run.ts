import type { ClusterFacts, LookupServer } from '../../kernel/content/index.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import type { UnpackedComponent } from './kind.ts';
import { printedBy, type Tool } from './tools.ts';

/**
 * How `lookup` is made to find something (Helm 3.13 or later). That objects exist already is not Helm's concern here.
 */
const SERVER: readonly string[] = ['--dry-run=server', '--disable-openapi-validation'];
/** Has Helm 4 pass over objects that are there, and that it did not make. */
const TAKE = '--take-ownership';

/**
 * Runs `helm template`, and returns what it prints. Where the component may look objects up, Helm is given a server of
 * this process for that, which only reads, and no credentials. Throws `tool-failed`, and for what cannot be looked up
 * what the cluster throws, such as `cluster-forbidden`.
 */
export async function printedByHelm(tool: Tool, component: UnpackedComponent, flow: Flow): Promise<string> {
  const { cluster, lookups, upgrade = false } = component;
  const plain = upgrade ? { ...tool, args: [...tool.args, '--is-upgrade'] } : tool;
  if (cluster === undefined || lookups === undefined) return printedBy(plain, flow);
  let facts = cluster;
  let more: readonly string[] = [];
  for (;;) {
    const printed = await lend(await lookups(facts, flow), (server) =>
      printedBy({ ...plain, args: [...plain.args, ...SERVER, ...more], server: server.url }, flow).catch((error) => {
        return reasonOf(error, server, component.name);
      }),
    );
    if (typeof printed === 'string') return printed;
    if (facts === cluster && printed.message.includes('no matches for kind')) {
      // Helm 4 makes sure that all kinds are served; the chart may be about to define some of them.
      facts = withKindsOf(await printedBy(plain, flow), cluster);
    } else if (more.length === 0 && printed.message.includes('ownership metadata')) more = [TAKE];
    else throw printed;
  }
}

/** Returns why Helm ended: what the cluster refused, or else what Helm says. Throws what is neither. */
function reasonOf(error: unknown, server: LookupServer, component: string): SolpackError {
  if (!(error instanceof SolpackError) || error.code !== 'tool-failed') throw error;
  const refusal = server.refusal();
  if (refusal === undefined) return error;
  const { subject, error: cause } = refusal;
  if (!(cause instanceof SolpackError)) throw cause;
  return new SolpackError(cause.code, component, `its chart looks up ${subject}: ${cause.message}`, {
    cause,
    ...(cause.hint === undefined ? {} : { hint: cause.hint }),
  });
}

/** Adds all kinds that Helm has printed, as it lays objects out or not: what is missed is reported by Helm. */
function withKindsOf(printed: string, cluster: ClusterFacts): ClusterFacts {
  const stated = printed.split(/^---/m).flatMap((document) => {
    const [, apiVersion] = /^apiVersion: *["']?([\w./-]{1,253})/m.exec(document) ?? [];
    const [, kind] = /^kind: *["']?(\w{1,63})/m.exec(document) ?? [];
    return apiVersion === undefined || kind === undefined ? [] : [`${apiVersion}/${kind}`];
  });
  return { ...cluster, apiVersions: [...new Set([...cluster.apiVersions, ...stated])] };
}
