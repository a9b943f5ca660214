import { isKubernetesGroup } from '../../../../formats/kubernetes/served.ts';
import { definedKinds } from '../defined-kinds.ts';
import type { Examination } from './examine.ts';

/**
 * Lists the kinds that the components of a Solution were found to define, as `group/version/Kind` in order: those of
 * what was rendered, for whichever Kubernetes version, and of what is proven, which says the same.
 */
export function provenKinds({ versions, proven }: Examination): string[] {
  const rendered = versions.flatMap(({ statements }) => statements.flatMap(({ object }) => definedKinds(object)));
  const all = [...rendered, ...[...proven.values()].flatMap(({ kinds }) => kinds)];
  return [...new Set(all)].filter(isCapability).sort();
}

/** Returns whether others may ask for it: a kind, and none of Kubernetes' own. */
function isCapability(name: string): boolean {
  const [group = '', , kind] = name.split('/');
  return kind !== undefined && !isKubernetesGroup(group);
}
