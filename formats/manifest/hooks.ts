import { groupOf } from './namespace.ts';
import type { KubernetesObject } from './object.ts';

/** The events of a chart's hooks (Helm, "Chart Hooks"). */
const events = [
  'pre-install',
  'post-install',
  'pre-upgrade',
  'post-upgrade',
  'pre-delete',
  'post-delete',
  'pre-rollback',
  'post-rollback',
  'test',
] as const;

/** When a hook runs. */
export type HookEvent = (typeof events)[number];

/** Holds what makes an object a hook of a Helm chart (Helm, "Chart Hooks"). */
export interface Hook {
  /** The events at which it runs, such as `pre-install`, in lower case; others than `HookEvent`s never take place. */
  readonly events: readonly string[];
  /** Hooks of a lower weight come first. */
  readonly weight: number;
  /** When it is deleted, such as `hook-succeeded`; where it does not say, `before-hook-creation`. */
  readonly deletion: readonly string[];
  /** When what it printed is reported, such as `hook-failed`. */
  readonly output: readonly string[];
}

/** Reads the annotations that make an object a hook; returns undefined for an object that is no hook. */
export function hookOf(object: KubernetesObject): Hook | undefined {
  const notes = annotationsOf(object);
  const named = notes['helm.sh/hook'];
  if (named === undefined) return undefined;
  const weight = String(notes['helm.sh/hook-weight'] ?? '');
  const deletion = words(notes['helm.sh/hook-delete-policy'] ?? '');
  return {
    // The name that Helm 2 had for it.
    events: words(named).map((word) => (word === 'test-success' ? 'test' : word)),
    // As Helm takes it: what is not a number counts as none.
    weight: /^[+-]?\d+$/.test(weight) ? Number(weight) : 0,
    deletion: deletion.length > 0 ? deletion : ['before-hook-creation'],
    output: words(notes['helm.sh/hook-output-log-policy'] ?? ''),
  };
}

/**
 * Returns whether an object has a place in a component: one that is no hook, or a hook of an event that takes place
 * here.
 */
export function takesPart(object: KubernetesObject): boolean {
  const hook = hookOf(object);
  return !hook || events.some((event) => hook.events.includes(event));
}

/** Sorts objects into those that a component consists of, and the hooks that take part in it. */
export function splitHooks(stated: readonly KubernetesObject[]): {
  readonly objects: readonly KubernetesObject[];
  readonly hooks: readonly KubernetesObject[];
} {
  const hooks = stated.filter((object) => hookOf(object) && takesPart(object));
  return { objects: stated.filter((object) => !hooks.includes(object)), hooks };
}

/** Returns whether an object is a hook for tests alone, so that an installation without tests has no need of it. */
export function isTestAlone(object: KubernetesObject): boolean {
  const hook = hookOf(object);
  return hook !== undefined && events.filter((event) => hook.events.includes(event)).every((event) => event === 'test');
}

/** Returns the hooks that run at an event, those of a lower weight first, and otherwise in their order. */
export function hooksAt(event: HookEvent, hooks: readonly KubernetesObject[]): KubernetesObject[] {
  return hooks
    .filter((object) => hookOf(object)?.events.includes(event))
    .toSorted((a, b) => hookOf(a)!.weight - hookOf(b)!.weight);
}

/**
 * Puts what a first installation makes of a component in the order in which it makes it: CustomResourceDefinitions if
 * there are hooks of `pre-install`, then those hooks, then all that is no hook, then hooks of `post-install`. A hook of
 * both comes once.
 */
export function asInstalled(stated: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const { objects, hooks } = splitHooks(stated);
  const before = hooksAt('pre-install', hooks);
  const after = hooksAt('post-install', hooks).filter((hook) => !before.includes(hook));
  const early = objects.filter((object) => before.length > 0 && isDefinition(object));
  return [...early, ...before, ...objects.filter((object) => !early.includes(object)), ...after];
}

function isDefinition(object: KubernetesObject): boolean {
  return object.kind === 'CustomResourceDefinition' && groupOf(object) === 'apiextensions.k8s.io';
}

function annotationsOf({ metadata }: KubernetesObject): Readonly<Record<string, unknown>> {
  const notes = metadata['annotations'];
  return typeof notes === 'object' && notes !== null ? (notes as Record<string, unknown>) : {};
}

function words(list: unknown): string[] {
  return String(list)
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}
