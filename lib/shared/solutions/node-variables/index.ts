import type { MicroshiftVariable } from '../../../../formats/microshift/configuration.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import type { ClusterSettings, ClusterTarget, SourcedValue } from '../../../parts/clusters/index.ts';
import { nodeVariables } from '../../../parts/components/index.ts';
import { type MachineReport, machineReport } from './here.ts';
import { readMicroshiftVariables } from './microshift.ts';

/** A variable of the plugin convention, as plugins get it. */
export interface NodeVariable {
  readonly name: (typeof nodeVariables)[number];
  /** Empty where nobody tells it. */
  readonly value: string;
  /** Who tells it: `given` with the request, a place in the cluster or on this machine, `default`, or `nobody`. */
  readonly from: string;
}

/** What is known of a node, besides what its own Kubernetes says in files. */
interface KnownOfNode {
  readonly cluster: ClusterSettings;
  readonly machine: MachineReport;
}

/** Where each variable is taken from, if it was not given, and MicroShift's files do not say it. */
const sources: Readonly<Record<NodeVariable['name'], (known: KnownOfNode) => SourcedValue | undefined>> = {
  MICROSHIFT_BASEDOMAIN: () => undefined,
  MICROSHIFT_CLUSTER_CLUSTERCIDR: ({ cluster }) => cluster.podRanges,
  MICROSHIFT_CLUSTER_SERVICECIDR: ({ cluster }) => cluster.serviceRanges,
  MICROSHIFT_CLUSTER_SERVICENODEPORTRANGE: ({ cluster }) => cluster.nodePorts,
  MICROSHIFT_CLUSTER_URL: ({ cluster }) => cluster.url,
  MICROSHIFT_LOGVLEVEL: () => undefined,
  MICROSHIFT_NODEIP: ({ machine }) => machine.address,
  MICROSHIFT_NODENAME: ({ machine }) => machine.name,
  MICROSHIFT_SUBJECTALTNAMES: ({ cluster }) => cluster.certificateNames,
};

/** What is taken last. */
const lastly: Readonly<Partial<Record<NodeVariable['name'], (machine: MachineReport) => SourcedValue | undefined>>> = {
  MICROSHIFT_BASEDOMAIN: ({ domain }) => domain,
  MICROSHIFT_LOGVLEVEL: () => ({ value: 'Normal', from: 'default' }),
};

/** Where a node reports itself. */
export interface NodePlaces {
  /** Whether this machine is the node: otherwise it says nothing. Left out: it is. */
  readonly isNode?: boolean | undefined;
  /** The folder of MicroShift's configuration. Left out: `/etc/microshift`. */
  readonly microshift?: string | undefined;
}

/**
 * Finds the variables for plugins, in the order of their names: those that were `given`; then those that MicroShift's
 * configuration on this machine says; then what the cluster and this machine tell; then what MicroShift takes by
 * default, where it has a configuration. Only what is missing is asked for. Throws `configuration-invalid`, and what
 * asking the cluster throws.
 */
export async function variablesFor(
  given: Readonly<Record<string, string>>,
  cluster: ClusterTarget | undefined,
  flow: Flow,
  { isNode = true, microshift: folder }: NodePlaces = {},
): Promise<readonly NodeVariable[]> {
  const missing = nodeVariables.some((name) => given[name] === undefined);
  const microshift = missing && isNode ? await readMicroshiftVariables(flow, folder) : { said: {}, defaults: {} };
  const settings = missing && cluster ? await cluster.settings(flow) : {};
  const machine = missing && isNode ? await machineReport() : {};
  return nodeVariables.map((name) => {
    const own = given[name];
    if (own !== undefined) return { name, value: own, from: 'given' };
    const variable = name.slice('MICROSHIFT_'.length) as MicroshiftVariable;
    const found =
      microshift.said[variable] ??
      sources[name]({ cluster: settings, machine }) ??
      microshift.defaults[variable] ??
      lastly[name]?.(machine);
    return { name, ...(found ?? { value: '', from: 'nobody' }) };
  });
}

/** The variables as plugins get them. */
export function valuesOf(variables: readonly NodeVariable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}
