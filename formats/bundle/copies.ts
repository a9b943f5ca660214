import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../manifest/object.ts';
import type { BundleObject } from './files.ts';

/** Leaves out objects that are there before, the same in everything: bundles ask for the same rights twice. */
export function withoutCopies(made: readonly BundleObject[]): BundleObject[] {
  const known = new Map<string, KubernetesObject[]>();
  return made.filter(({ object }) => {
    const name = `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    const others = known.get(name) ?? [];
    known.set(name, [...others, object]);
    return !others.some((other) => isDeepStrictEqual(other, object));
  });
}

/** Whether two objects have the same kind and name. */
export function isNamedAs(one: KubernetesObject, other: KubernetesObject): boolean {
  return one.kind === other.kind && one.metadata.name === other.metadata.name;
}
