import { mayMatch } from '../../../../formats/kubernetes/label-requirement.ts';
import { isRecord } from '../../../../formats/record.ts';
import type { ClusterNode } from '../../../parts/clusters/index.ts';

/**
 * The taints that come and go with the state of a node, such as that of one that is cordoned: it will take Pods again.
 */
const passing = 'node.kubernetes.io/';

/**
 * Decides whether a Pod of that spec may ever run on a node, by what both of them state for good: the node's name,
 * labels and lasting taints (Kubernetes, "Assigning Pods to Nodes", "Taints and Tolerations"). What it does not know
 * counts as fitting.
 */
export function mayRunOn(spec: unknown, node: ClusterNode): boolean {
  const { nodeName, nodeSelector, affinity, tolerations } = isRecord(spec) ? spec : {};
  if (typeof nodeName === 'string' && nodeName !== '') return nodeName === node.name;
  const isSelected = Object.entries(isRecord(nodeSelector) ? nodeSelector : {}).every(
    ([label, value]) => node.labels[label] === value,
  );
  return isSelected && isWanted(affinity, node) && isTolerated(listOf(tolerations), node);
}

function isWanted(affinity: unknown, node: ClusterNode): boolean {
  const required = fieldIn(fieldIn(affinity, 'nodeAffinity'), 'requiredDuringSchedulingIgnoredDuringExecution');
  const terms = listOf(fieldIn(required, 'nodeSelectorTerms'));
  if (terms.length === 0) return true;
  return terms.some((term) => listOf(fieldIn(term, 'matchExpressions')).every((one) => mayMatch(one, node.labels)));
}

function isTolerated(tolerations: readonly unknown[], { taints }: ClusterNode): boolean {
  const lasting = taints.filter(({ key, effect }) => effect !== 'PreferNoSchedule' && !key.startsWith(passing));
  return lasting.every(({ key, value, effect }) =>
    tolerations.some((one) => {
      const [own, how, of, when] = ['key', 'operator', 'value', 'effect'].map((name) => fieldIn(one, name));
      if (when !== undefined && when !== '' && when !== effect) return false;
      if (own === undefined || own === '') return how === 'Exists';
      return own === key && (how === 'Exists' || (of ?? '') === value);
    }),
  );
}

function fieldIn(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
