import { isRecord } from '../../../formats/record.ts';
import type { FollowedSource } from '../../parts/clusters/index.ts';
import type { AgentFinding } from './conditions.ts';

/** What is said of a configuration to programs that know OpenShift's ClusterOperators. */
export interface OperatorReport {
  readonly source: FollowedSource;
  readonly finding: AgentFinding;
  readonly solutions: readonly { readonly name: string; readonly version: string }[];
  /** Where the objects of its Solutions are; undefined if that was not seen this time. */
  readonly namespaces: readonly string[] | undefined;
}

/** A condition of a ClusterOperator (config.openshift.io/v1, ClusterOperatorStatusCondition). */
interface OperatorCondition {
  readonly type: 'Available' | 'Progressing' | 'Degraded' | 'Upgradeable';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** The namespace in which solpack remembers what it installs. */
const HOME = 'solpack-system';

/** Most namespaces that are named as related. */
const NAMESPACES = 100;

/**
 * Makes the status of a ClusterOperator. `before` is the one that is there: it keeps the times of what stays, and says
 * whether the Solutions were available, which a failed look or a refused configuration does not change.
 */
export function operatorStatus(report: OperatorReport, before: unknown, now: string): object {
  const { source, finding, solutions, namespaces } = report;
  const listed = listIn(before, 'conditions');
  const formerly = listed.find(({ type }) => type === 'Available')?.['status'];
  const condition = (type: OperatorCondition['type'], status: OperatorCondition['status']): OperatorCondition => {
    const last = listed.find((one) => one['type'] === type && one['status'] === status);
    const since = last?.['lastTransitionTime'];
    const { reason, message } = finding;
    return { type, status, reason, message, lastTransitionTime: typeof since === 'string' ? since : now };
  };
  const is = (state: AgentFinding['state']): OperatorCondition['status'] =>
    finding.state === state ? 'True' : 'False';
  return {
    conditions: [
      condition('Available', availability(finding, formerly)),
      condition('Progressing', is('progressing')),
      condition('Degraded', is('degraded')),
      // An update of the cluster drains nodes, and an install that is at work would not get ready then.
      condition('Upgradeable', finding.state === 'progressing' ? 'False' : 'True'),
    ],
    versions: solutions.map(({ name, version }) => ({ name, version })),
    relatedObjects: namespaces === undefined ? listIn(before, 'relatedObjects') : related(source, namespaces),
  };
}

/** Names the ClusterOperator of what an agent follows. */
export function operatorName(source: FollowedSource): string {
  return source.kind === 'custom-resource' ? `solpack-${source.name}` : `solpack-${source.namespace}-${source.name}`;
}

function availability({ state, reason }: AgentFinding, formerly: unknown): OperatorCondition['status'] {
  if (state === 'ready') return 'True';
  if (reason === 'NotReady') return 'False';
  if (formerly === 'True' || formerly === 'False') return formerly;
  return state === 'waiting' ? 'Unknown' : 'False';
}

function related(source: FollowedSource, namespaces: readonly string[]): object[] {
  const followed =
    source.kind === 'custom-resource'
      ? { group: 'solutions.metalk8s.scality.com', resource: 'solutionsconfigurations', name: source.name }
      : { group: '', resource: 'configmaps', namespace: source.namespace, name: source.name };
  const all = [...new Set([HOME, ...namespaces])].slice(0, NAMESPACES);
  return [followed, ...all.map((name) => ({ group: '', resource: 'namespaces', name }))];
}

function listIn(value: unknown, field: string): Readonly<Record<string, unknown>>[] {
  const found = isRecord(value) ? value[field] : undefined;
  return Array.isArray(found) ? found.filter(isRecord) : [];
}
