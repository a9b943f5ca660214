import { changedFields } from '../../../formats/manifest/changed-fields.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { render, type StatedObject } from '../../parts/components/index.ts';
import type { SiteInputs } from '../solutions/sites/index.ts';
import { inNamespace } from './own-namespace.ts';
import { asComponent, type Surroundings } from './together.ts';
import type { Unpacked } from './unpacked.ts';

/** An object that differs because of what a site sets. Values of fields are left out, because they may be secret. */
export interface SiteChange {
  /** `Kind name` or `Kind namespace/name`. */
  readonly object: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** With dots between names; none of an object that was added or removed. */
  readonly fields: readonly string[];
}

/** What a site sets for a component, and what that changes. */
export interface SiteChanges {
  readonly solution: string;
  readonly component: string;
  /** The values that are set, with dots between names. */
  readonly values: readonly string[];
  /** Those of them that are secret. */
  readonly secrets: readonly string[];
  /** How many patches there are. */
  readonly patches: number;
  /** Whether upgrades keep what was drawn; left out where the site does not say it. */
  readonly keepDrawn?: boolean;
  /** Undefined where the component cannot be rendered without what the site sets. */
  readonly objects: readonly SiteChange[] | undefined;
}

/** A component as it was rendered: before the patches of its site, and after them. */
interface Outcome {
  readonly stated: readonly StatedObject[];
  readonly objects: readonly KubernetesObject[];
}

/**
 * Returns what a site changes of a component, by rendering it without what the site sets. Fields that each rendering
 * draws anew do not count.
 */
export async function siteChanges(
  site: SiteInputs,
  unpacked: Unpacked,
  surroundings: Surroundings,
  { stated, objects }: Outcome,
  flow: Flow,
): Promise<SiteChanges> {
  const { solution, component, values, secrets, patches, keepDrawn } = site;
  const hasValues = values.length + secrets.length > 0;
  const known = stated.map(({ object }) => object);
  const bare = hasValues ? await withoutSite(unpacked, surroundings, known, flow) : { objects: known, drawn: noDraws };
  const set = [...values.flatMap((one) => leavesOf(one.values)), ...secrets.map(({ path }) => path)];
  return {
    solution,
    component,
    values: [...new Set(set.map(dotted))],
    secrets: secrets.map(({ path }) => dotted(path)),
    patches: patches.length,
    ...(keepDrawn === undefined ? {} : { keepDrawn }),
    objects: bare && compared(bare.objects, objects, bare.drawn),
  };
}

/** Decides whether a field of an object is another one each time. */
type Drawn = (key: string, field: string) => boolean;

const noDraws: Drawn = () => false;

async function withoutSite(
  unpacked: Unpacked,
  surroundings: Surroundings,
  known: readonly KubernetesObject[],
  flow: Flow,
): Promise<{ readonly objects: readonly KubernetesObject[]; readonly drawn: Drawn } | undefined> {
  const { siteValues: _, component, ...plain } = unpacked;
  const brought = unpacked.solution.metadata.components;
  const silent: Flow = { ...flow, onEvent: () => undefined };
  const once = async (): Promise<readonly KubernetesObject[]> => {
    const rendered = await render(component.kind, asComponent({ ...plain, component }, surroundings), silent);
    return inNamespace(component, rendered, { known, brought, cluster: surroundings.cluster }).map(
      ({ object }) => object,
    );
  };
  try {
    const [objects, again] = await Promise.all([once(), once()]);
    const drawn = new Set(
      compared(objects, again, noDraws).flatMap(({ object, fields }) => fields.map((field) => `${object}\0${field}`)),
    );
    return { objects, drawn: (key, field) => drawn.has(`${key}\0${field}`) };
  } catch (error) {
    // A chart may demand values that only sites know.
    if (error instanceof SolpackError && error.code !== 'tool-missing') return undefined;
    throw error;
  }
}

function compared(before: readonly KubernetesObject[], after: readonly KubernetesObject[], drawn: Drawn): SiteChange[] {
  const [from, to] = [byKey(before), byKey(after)];
  return [...new Map([...from, ...to]).values()].flatMap((object): SiteChange[] => {
    const [old, now] = [from.get(keyOf(object)), to.get(keyOf(object))];
    const words = wordsOf(object);
    if (old === undefined || now === undefined) {
      return [{ object: words, change: old === undefined ? 'added' : 'removed', fields: [] }];
    }
    const fields = changedFields(old, now).filter((field) => !drawn(words, field));
    return fields.length === 0 ? [] : [{ object: words, change: 'changed', fields }];
  });
}

function byKey(objects: readonly KubernetesObject[]): Map<string, KubernetesObject> {
  return new Map(objects.map((object) => [keyOf(object), object]));
}

function keyOf({ apiVersion, kind, metadata: { namespace, name } }: KubernetesObject): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

function wordsOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** Lists the paths to what is set in a mapping: to what is not a mapping itself, or an empty one. */
function leavesOf(values: Readonly<Record<string, unknown>>, path: readonly string[] = []): string[][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
    const at = [...path, name];
    return inner.length === 0 ? [at] : leavesOf(value as Record<string, unknown>, at);
  });
}

function dotted(path: readonly string[]): string {
  return path.map((name) => name.replaceAll('.', '\\.')).join('.');
}
