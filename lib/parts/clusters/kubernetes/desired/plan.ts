import { isDeepStrictEqual } from 'node:util';
import { type Hook, hookOf, splitHooks } from '../../../../../formats/manifest/hooks.ts';
import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import type { ReadyProbe } from '../../../../../formats/solution/ready-probe.ts';
import type { Relations } from '../../../../../formats/solution/relations.ts';
import { SolpackError } from '../../../../kernel/events/index.ts';
import type { ApplyRequest, KeptRecord, RenderedSolution } from '../../kind.ts';
import { type Discovery, nameOf, type ObjectName, type Scope, scopeOf, wordsOf } from '../server/index.ts';
import { setOf } from './applyset.ts';
import { memberOf, normalized, objectKey } from './normalized.ts';
import { inPhases, isFoundation } from './phases.ts';

/** One object of a Solution, as it will be sent. */
export interface PlannedObject {
  readonly key: string;
  readonly name: ObjectName;
  readonly object: KubernetesObject;
  readonly solution: string;
  readonly component: string;
  /** The ApplySet that it becomes a member of. */
  readonly set: string;
}

/** A hook of a component, as it will be sent at its events. */
export interface PlannedHook extends PlannedObject {
  readonly hook: Hook;
}

/** A component with its objects in the order of application. */
export interface PlannedComponent {
  readonly name: string;
  readonly after: readonly string[];
  /** Milliseconds that it may take to become ready. */
  readonly timeout: number;
  readonly objects: readonly PlannedObject[];
  /** What runs at events of the component, as stated. */
  readonly hooks: readonly PlannedHook[];
  /** Further conditions of its readiness, besides that its objects are ready. */
  readonly ready: readonly ReadyProbe[];
  /** Custom resources of others, as they are to be once it is ready. */
  readonly migrations: readonly KubernetesObject[];
}

/**
 * A Solution with the objects that it owns. An object that several Solutions of the request bring belongs to the first
 * of them.
 */
export interface PlannedSolution {
  readonly name: string;
  readonly version: string;
  readonly root: string | undefined;
  /** Digest of what the site sets for it. */
  readonly site: string | undefined;
  readonly relations: Relations | undefined;
  readonly set: string;
  readonly components: readonly PlannedComponent[];
  readonly records: readonly KeptRecord[];
}

/** What an apply will do, decided before anything is changed. */
export interface ApplyPlan {
  readonly configuration: string;
  /** Whether objects that are not in the request are removed. */
  readonly prune: boolean;
  /** Whether it goes back to what was there before. */
  readonly isReturn: boolean;
  /** Solutions that are taken from other configurations. */
  readonly takeOver?: readonly string[] | undefined;
  readonly solutions: readonly PlannedSolution[];
  /** Every object of the request that is no hook, by its key. */
  readonly objects: ReadonlyMap<string, PlannedObject>;
  /** The hooks of the request, those of one key together. */
  readonly hooks: ReadonlyMap<string, readonly PlannedHook[]>;
}

/**
 * Decides to which Solution each object belongs, and in which form and order it is applied. An object that is stated
 * twice with the same content counts once. Throws `kind-unknown` with all objects whose kind is unknown,
 * `object-conflict` for an object that is stated twice with different content, and `object-refused` for one that cannot
 * be a member of a set.
 */
export function planApply(
  { configuration, solutions, prune = true, isReturn = false, takeOver }: ApplyRequest,
  discovery: Discovery,
): ApplyPlan {
  const scopes = scopesOf(solutions, discovery);
  requireKnown(solutions, scopes);
  const objects = new Map<string, PlannedObject>();
  const hooks = new Map<string, readonly PlannedHook[]>();
  const stated = new Map<string, KubernetesObject>();
  const planned = solutions.map(
    ({ name: solution, version, root, site, relations, components, records = [] }, index): PlannedSolution => {
      const set = setOf(solution);
      const owned = components.map(
        ({ name: component, objects: rendered, after, timeout, ready = [], migrations = [] }): PlannedComponent => {
          const plan = (raw: KubernetesObject): PlannedObject => {
            const object = normalized(raw, scopes[index]!(raw.apiVersion, raw.kind)!);
            const name = nameOf(object);
            const key = objectKey(name);
            const first = objects.get(key) ?? hooks.get(key)?.find((hook) => hook.component !== component);
            if (first !== undefined) requireSame(stated.get(key)!, object, first, { solution, component });
            else stated.set(key, object);
            return { key, name, object: memberOf(object, set), solution, component, set };
          };
          const split = splitHooks(rendered);
          const own = split.objects.flatMap((raw): PlannedObject[] => {
            const one = plan(raw);
            if (objects.has(one.key)) return [];
            objects.set(one.key, one);
            return [one];
          });
          const runs = split.hooks.map((raw) => ({ ...plan(raw), hook: hookOf(raw)! }));
          for (const one of runs) hooks.set(one.key, [...(hooks.get(one.key) ?? []), one]);
          const inOrder = inPhases(own, ({ object }) => object);
          return { name: component, after, timeout, objects: inOrder, hooks: runs, ready, migrations };
        },
      );
      return { name: solution, version, root, site, relations, set, components: owned, records };
    },
  );
  return { configuration, prune, isReturn, takeOver, solutions: planned, objects, hooks };
}

/** Returns what the rest of some components needs: their namespaces, then their CustomResourceDefinitions. */
export function foundationOf(components: readonly Pick<PlannedComponent, 'objects'>[]): PlannedObject[] {
  const all = components.flatMap(({ objects }) => objects.filter(({ object }) => isFoundation(object)));
  return inPhases(all, ({ object }) => object);
}

/** Returns the known kinds for each Solution: it may use what earlier ones define. */
function scopesOf(solutions: readonly RenderedSolution[], discovery: Discovery): Scope[] {
  return solutions.map((_, index) => {
    const before = solutions.slice(0, index + 1);
    return scopeOf(
      before.flatMap(({ components }) => components.flatMap(({ objects }) => objects)),
      discovery,
    );
  });
}

function requireKnown(solutions: readonly RenderedSolution[], scopes: readonly Scope[]): void {
  const unknown = solutions.flatMap(({ name: solution, components }, index) =>
    components.flatMap(({ name, objects }) =>
      objects
        .filter(({ apiVersion, kind }) => scopes[index]!(apiVersion, kind) === undefined)
        .map((object) => ({ object, where: `${solution}, component ${name}` })),
    ),
  );
  const [first] = unknown;
  if (first === undefined) return;
  const kinds = [...new Set(unknown.map(({ object }) => `${object.kind} (${object.apiVersion})`))];
  const objects = unknown.map(({ object, where }) => `${wordsOf(nameOf(object))} of ${where}`);
  throw new SolpackError(
    'kind-unknown',
    wordsOf(nameOf(first.object)),
    `neither the API server nor the Solution knows ${kinds.join(', ')}: ${objects.join('; ')}`,
    { hint: 'add its CustomResourceDefinition to the Solution, or first install what brings it; check the apiVersion' },
  );
}

function requireSame(
  before: KubernetesObject,
  now: KubernetesObject,
  first: PlannedObject,
  second: { readonly solution: string; readonly component: string },
): void {
  if (isDeepStrictEqual(before, now)) return;
  const one = `component ${first.component} of ${first.solution}`;
  const other = `component ${second.component} of ${second.solution}`;
  const places = one === other ? `twice in ${one}` : `in ${one} and in ${other}`;
  throw new SolpackError('object-conflict', wordsOf(first.name), `stated ${places}, with different content`, {
    hint: 'remove one of them, rename one of them, or make both the same',
  });
}
