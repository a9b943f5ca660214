import { exactJson } from '../../../formats/exact-json.ts';
import { hookOf } from '../../../formats/manifest/hooks.ts';
import { groupKindOf, namespacedAmong } from '../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { isShared } from '../../../formats/manifest/relocate.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import { isGate, isSteady, type RenderedSolution } from '../../parts/clusters/index.ts';

/** What a Solution was rendered to for one of its environments, the highest version first. */
export interface RenderedEnvironment {
  readonly environment: string;
  readonly solution: RenderedSolution;
}

/** All that was rendered of a Solution with environments. */
export interface RenderedEnvironments {
  /** What the environments share is called by this name and version. */
  readonly shared: Omit<RenderedSolution, 'components'>;
  /** What it was rendered to for that alone, where no environment has its version. */
  readonly apart: RenderedEnvironment | undefined;
  readonly environments: readonly RenderedEnvironment[];
}

/**
 * Divides what a Solution was rendered to among its environments and what these share. An object outside of them comes
 * once, from the highest version that has it: definitions, rights and the like, which nothing has to run for, are
 * shared if the highest version has them; all else belongs to the environment of the highest version that brings it.
 * Bindings name the subjects of all environments. Returns what is shared first, then the environments in their order.
 */
export function divided(
  { shared, apart, environments }: RenderedEnvironments,
  cluster: ClusterFacts | undefined,
): RenderedSolution[] {
  const all = [...(apart ? [apart] : []), ...environments];
  const objectsOf = ({ solution }: RenderedEnvironment): KubernetesObject[] =>
    solution.components.flatMap(({ objects }) => [...objects]);
  const isNamespaced = namespacedAmong(all.flatMap(objectsOf).toReversed(), cluster?.namespaced);
  const isOutside = (object: KubernetesObject, environment: string): boolean =>
    isShared(object, environment, isNamespaced);
  // In the order of versions, the first one counts.
  const merged = new Map<string, KubernetesObject>();
  for (const one of all) {
    for (const object of objectsOf(one).filter((each) => isOutside(each, one.environment))) {
      const key = keyOf(object);
      merged.set(key, withSubjects(merged.get(key) ?? object, object));
    }
  }
  const taken = new Set<string>();
  const source = all[0];
  const base = source?.solution.components ?? [];
  // What says when a component is ready looks at its environment, and what is shared is there before that.
  const components = base.map(({ ready: _, ...component }) => {
    const own = component.objects.filter((object) => isOutside(object, source!.environment) && isCommon(object));
    for (const object of own) taken.add(keyOf(object));
    return { ...component, objects: own.map((object) => merged.get(keyOf(object))!) };
  });
  const kept = components.filter(({ objects }) => objects.length > 0);
  const names = new Set(kept.map(({ name }) => name));
  const common = kept.map((one) => ({ ...one, after: one.after.filter((name) => names.has(name)) }));
  const own = environments.map(({ environment, solution }): RenderedSolution => {
    const mine = new Set<string>();
    const parts = solution.components.map((component) => ({
      ...component,
      objects: component.objects.flatMap((object) => {
        if (!isOutside(object, environment)) return [object];
        const key = keyOf(object);
        const one = merged.get(key)!;
        // What runs at events is made for each environment.
        if (hookOf(object) !== undefined) return [one];
        if (taken.has(key)) return [];
        mine.add(key);
        return [one];
      }),
    }));
    for (const key of mine) taken.add(key);
    return { ...solution, components: parts };
  });
  return [{ ...shared, components: common }, ...own];
}

/**
 * Makes what says whether an object that an environment states too comes from another one, or from what was rendered
 * for all, so that what the environment says of it counts for nothing. Of bindings, each counts: they name the subjects
 * of all.
 */
export function sharedElsewhere(
  { apart, environments }: Pick<RenderedEnvironments, 'apart' | 'environments'>,
  cluster: ClusterFacts | undefined,
): (environment: string, object: KubernetesObject) => boolean {
  const all = [...(apart ? [apart] : []), ...environments].map((one) => ({
    ...one,
    objects: one.solution.components.flatMap(({ objects }) => [...objects]),
  }));
  const isNamespaced = namespacedAmong(all.flatMap(({ objects }) => objects).toReversed(), cluster?.namespaced);
  const first = new Map<string, RenderedSolution>();
  const own = new Map<string, RenderedSolution>();
  for (const { environment, objects, solution } of all) {
    if (solution !== apart?.solution) own.set(environment, solution);
    for (const object of objects.filter((each) => isShared(each, environment, isNamespaced))) {
      if (!first.has(keyOf(object))) first.set(keyOf(object), solution);
    }
  }
  return (environment, object) => {
    if (isBinding(object)) return false;
    const from = first.get(keyOf(object));
    return from !== undefined && isShared(object, environment, isNamespaced) && from !== own.get(environment);
  };
}

/** Lets all Solutions in a namespace state it alike, with the labels and annotations of each. */
export function sameSpaces(solutions: readonly RenderedSolution[], spaces: ReadonlySet<string>): RenderedSolution[] {
  const isSpace = (object: KubernetesObject): boolean =>
    groupKindOf(object) === 'Namespace' && spaces.has(object.metadata.name);
  const merged = new Map<string, KubernetesObject>();
  for (const object of solutions.flatMap(({ components }) => components.flatMap(({ objects }) => objects))) {
    if (isSpace(object)) merged.set(object.metadata.name, withMetadata(object, merged.get(object.metadata.name)));
  }
  const same = (object: KubernetesObject): KubernetesObject =>
    isSpace(object) ? merged.get(object.metadata.name)! : object;
  return solutions.map((solution) => ({
    ...solution,
    components: solution.components.map((one) => ({ ...one, objects: one.objects.map(same) })),
  }));
}

function withMetadata(object: KubernetesObject, before: KubernetesObject | undefined): KubernetesObject {
  const field = (name: 'labels' | 'annotations'): object => {
    const all = { ...(object.metadata[name] as object), ...(before?.metadata[name] as object | undefined) };
    return Object.keys(all).length === 0 ? {} : { [name]: all };
  };
  return { ...object, metadata: { ...object.metadata, ...field('labels'), ...field('annotations') } };
}

/** Returns whether an object is ready by being there, before anything of the Solution runs. */
function isCommon(object: KubernetesObject): boolean {
  return isSteady(object) && !isGate(object) && hookOf(object) === undefined;
}

/** Adds the subjects of a binding to those of another one. */
function withSubjects(first: KubernetesObject, other: KubernetesObject): KubernetesObject {
  const [own, more] = [first['subjects'], other['subjects']];
  if (first === other || !isBinding(first)) return first;
  if (!Array.isArray(own) || !Array.isArray(more)) return first;
  const seen = new Set(own.map((one) => exactJson(one)));
  return { ...first, subjects: [...own, ...more.filter((one) => !seen.has(exactJson(one)))] };
}

function isBinding(object: KubernetesObject): boolean {
  return groupKindOf(object).endsWith('Binding.rbac.authorization.k8s.io');
}

function keyOf(object: KubernetesObject): string {
  return `${groupKindOf(object)} ${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
