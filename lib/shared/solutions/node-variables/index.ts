import type { Flow } from '../../../kernel/events/flow.ts';
import type { ClusterTarget } from '../../../parts/clusters/kind.ts';
import type { Told, ToldByCluster } from '../../../parts/clusters/told.ts';
import { nodeVariables } from '../../../parts/components/index.ts';
import { type ToldByMachine, toldByMachine } from './here.ts';

/** A variable of the plugin convention, as plugins get it. */
export interface NodeVariable {
  readonly name: (typeof nodeVariables)[number];
  /** Empty where nobody tells it. */
  readonly value: string;
  /** Who tells it: `given` with the request, a place in the cluster or on this machine, `default`, or `nobody`. */
  readonly from: string;
}

/** Where each variable is taken from, if it was not given. */
const sources: Readonly<
  Record<NodeVariable['name'], (cluster: ToldByCluster, machine: ToldByMachine) => Told | undefined>
> = {
  MICROSHIFT_BASEDOMAIN: (_, machine) => machine.domain,
  MICROSHIFT_CLUSTER_CLUSTERCIDR: ({ podRanges }) => podRanges,
  MICROSHIFT_CLUSTER_SERVICECIDR: ({ serviceRanges }) => serviceRanges,
  MICROSHIFT_CLUSTER_SERVICENODEPORTRANGE: ({ nodePorts }) => nodePorts,
  MICROSHIFT_CLUSTER_URL: ({ url }) => url,
  MICROSHIFT_LOGVLEVEL: () => ({ value: 'Normal', from: 'default' }),
  MICROSHIFT_NODEIP: (_, { address }) => address,
  MICROSHIFT_NODENAME: (_, { name }) => name,
  MICROSHIFT_SUBJECTALTNAMES: ({ certificateNames }) => certificateNames,
};

/**
 * Finds the variables for plugins, in the order of their names: those that were `given`, and for all others what the cluster and
 * this machine tell. Only what is missing is asked for. Where this machine is no node (`isNode`), it tells nothing. Throws what asking the cluster throws.
 */
export async function variablesFor(
  given: Readonly<Record<string, string>>,
  cluster: ClusterTarget | undefined,
  flow: Flow,
  isNode = true,
): Promise<readonly NodeVariable[]> {
  const missing = nodeVariables.some((name) => given[name] === undefined);
  const told = missing && cluster ? await cluster.told(flow) : {};
  const machine = missing && isNode ? await toldByMachine() : {};
  return nodeVariables.map((name) => {
    const own = given[name];
    if (own !== undefined) return { name, value: own, from: 'given' };
    return { name, ...(sources[name](told, machine) ?? { value: '', from: 'nobody' }) };
  });
}

/** The variables as plugins get them. */
export function valuesOf(variables: readonly NodeVariable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}
