import type { KubernetesObject } from './documents.ts';
import { groupOf } from './namespace.ts';

/** Holds what makes an object a hook of a Helm chart (Helm, "Chart Hooks"). */
export interface Hook {
  /** The events at which it runs, such as `pre-install`, in lower case. */
  readonly events: readonly string[];
  /** Hooks of a lower weight come first. */
  readonly weight: number;
  /** When Helm would delete it, such as `hook-succeeded`. */
  readonly deletion: readonly string[];
}

/** Reads the annotations that make an object a hook; returns undefined for an object that is no hook. */
export function hookOf(object: KubernetesObject): Hook | undefined {
  const notes = annotationsOf(object);
  const events = notes['helm.sh/hook'];
  if (events === undefined) return undefined;
  const weight = String(notes['helm.sh/hook-weight'] ?? '');
  return {
    events: words(events),
    // As Helm takes it: what is no number counts as none.
    weight: /^[+-]?\d+$/.test(weight) ? Number(weight) : 0,
    deletion: words(notes['helm.sh/hook-delete-policy'] ?? ''),
  };
}

/**
 * Tells whether an installation creates an object: one that is no hook, or a hook of `pre-install` or `post-install`. All other
 * hooks belong to an upgrade, a rollback, a removal or a test.
 */
export function isInstalled(object: KubernetesObject): boolean {
  const hook = hookOf(object);
  return !hook || hook.events.some((event) => event === 'pre-install' || event === 'post-install');
}

/**
 * Sorts objects into the stages in which Helm installs them, each of which has to be ready before the next begins: first
 * CustomResourceDefinitions if there are hooks of `pre-install`, then those hooks by weight, then all other objects, then hooks
 * of `post-install` by weight. Within a stage objects keep their order. No stage is empty.
 */
export function stagesOf(objects: readonly KubernetesObject[]): (readonly KubernetesObject[])[] {
  const before: KubernetesObject[] = [];
  const plain: KubernetesObject[] = [];
  const after: KubernetesObject[] = [];
  for (const object of objects) {
    const events = hookOf(object)?.events ?? [];
    const place = events.includes('pre-install') ? before : events.includes('post-install') ? after : plain;
    place.push(object);
  }
  const early = plain.filter((object) => before.length > 0 && isDefinition(object));
  const rest = plain.filter((object) => !early.includes(object));
  return [early, ...byWeight(before), rest, ...byWeight(after)].filter((stage) => stage.length > 0);
}

function byWeight(hooks: readonly KubernetesObject[]): KubernetesObject[][] {
  const stages = Map.groupBy(hooks, (object) => hookOf(object)!.weight);
  return [...stages].sort(([a], [b]) => a - b).map(([, stage]) => stage);
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
