import { createHash } from 'node:crypto';
import { byteOrder } from '../../../../../formats/bytes.ts';
import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import { RESERVED_NAMESPACE } from '../../../../../formats/manifest/reserved.ts';
import { parseRelations, type Relations } from '../../../../../formats/solution/relations.ts';
import type { LiveObject } from '../server/index.ts';

/** The label of a parent: the id of its ApplySet (KEP-3659, "Labels and annotations"). */
export const SET_ID = 'applyset.kubernetes.io/id';
/** The label of a member: the id of the ApplySet that it belongs to. */
export const PART_OF = 'applyset.kubernetes.io/part-of';
/** The namespace of the parents: one ConfigMap for each Solution. */
export const HOME: string = RESERVED_NAMESPACE;
/** The label of objects that solpack made for itself. */
export const MANAGED_BY: Readonly<Record<string, string>> = { 'app.kubernetes.io/managed-by': 'solpack' };

const TOOLING = 'applyset.kubernetes.io/tooling';
const GROUP_KINDS = 'applyset.kubernetes.io/contains-group-kinds';
const NAMESPACES = 'applyset.kubernetes.io/additional-namespaces';

/**
 * The tool that owns the sets, and the version of what it writes there. That is not solpack's own version, so that it
 * seldom changes.
 */
const tool = { name: 'solpack', version: 'v1' };

const states = ['applying', 'ready', 'removed'] as const;

/** The record of one Solution in the cluster. */
export interface Inventory {
  readonly solution: string;
  readonly version: string;
  readonly root: string | undefined;
  /** Digest of what its site sets for it, secrets aside; undefined where that is nothing. */
  readonly site: string | undefined;
  /** The configuration that brought it and that alone may change or remove it; '' is none. */
  readonly configuration: string;
  /** `removed`: no longer wanted, but some of its objects were kept. */
  readonly state: (typeof states)[number];
  /** While it is `applying`: the version whose objects are still there, where that is another one. */
  readonly previous: string | undefined;
  /** What it asks of others and offers them; undefined where that is nothing. */
  readonly relations?: Relations | undefined;
  readonly components: readonly string[];
  /**
   * The kinds that its objects may have, as `Kind.group`, or `Kind` for the core group. There may be more, but never
   * fewer.
   */
  readonly groupKinds: ReadonlySet<string>;
  /** The namespaces that its objects may be in. There may be more, but never fewer. */
  readonly namespaces: ReadonlySet<string>;
}

/**
 * Returns the id of the ApplySet with this parent (KEP-3659, "ApplySet ID"); '' for no namespace and for the core
 * group.
 */
export function applySetId(parent: {
  readonly name: string;
  readonly namespace: string;
  readonly kind: string;
  readonly group: string;
}): string {
  const { name, namespace, kind, group } = parent;
  const hash = createHash('sha256').update(`${name}.${namespace}.${kind}.${group}`).digest('base64url');
  return `applyset-${hash}-v1`;
}

/** Returns the name of a Solution's parent. */
export function parentName(solution: string): string {
  return `solution-${solution}`;
}

/** Returns the id of a Solution's ApplySet. */
export function setOf(solution: string): string {
  return applySetId({ name: parentName(solution), namespace: HOME, kind: 'ConfigMap', group: '' });
}

/** Parses what `groupKindOf` returns. */
export function parseGroupKind(value: string): { readonly group: string; readonly kind: string } {
  const dot = value.indexOf('.');
  return dot < 0 ? { group: '', kind: value } : { group: value.slice(dot + 1), kind: value.slice(0, dot) };
}

/** Returns the parent that records an inventory. The same inventory gives the same object. */
export function parentOf(inventory: Inventory): KubernetesObject {
  const { solution, version, root, site, configuration, state, previous, relations } = inventory;
  const { components, groupKinds, namespaces } = inventory;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: parentName(solution),
      namespace: HOME,
      labels: { ...MANAGED_BY, [SET_ID]: setOf(solution) },
      annotations: {
        [TOOLING]: `${tool.name}/${tool.version}`,
        [GROUP_KINDS]: joined(groupKinds),
        // The parent's own namespace always belongs to the set.
        [NAMESPACES]: joined([...namespaces].filter((namespace) => namespace !== HOME)),
      },
    },
    data: {
      solution,
      version,
      ...(root === undefined ? {} : { root }),
      ...(site === undefined ? {} : { site }),
      configuration,
      state,
      ...(previous === undefined ? {} : { previous }),
      ...(relations === undefined ? {} : { relations: JSON.stringify(relations) }),
      components: components.join(','),
    },
  };
}

/**
 * Reads the inventory out of a parent; undefined where the object is no parent that solpack wrote, or one that a
 * Solution brought.
 */
export function inventoryOf({ metadata, data }: LiveObject): Inventory | undefined {
  const { name, namespace, labels = {}, annotations = {} } = metadata;
  const { solution, version, root, site, configuration, state, previous, relations, components } = (data ??
    {}) as Record<string, unknown>;
  const known = states.find((one) => one === state);
  if (typeof solution !== 'string' || name !== parentName(solution) || namespace !== HOME) return undefined;
  if (
    labels[PART_OF] !== undefined ||
    labels[SET_ID] !== setOf(solution) ||
    toolOf(annotations) !== tool.name ||
    known === undefined
  )
    return undefined;
  return {
    solution,
    version: typeof version === 'string' ? version : '',
    root: typeof root === 'string' ? root : undefined,
    site: typeof site === 'string' ? site : undefined,
    configuration: typeof configuration === 'string' ? configuration : '',
    state: known,
    previous: typeof previous === 'string' ? previous : undefined,
    relations: typeof relations === 'string' ? parseRelations(relations) : undefined,
    components: typeof components === 'string' ? split(components) : [],
    groupKinds: new Set(split(annotations[GROUP_KINDS])),
    namespaces: new Set([...split(annotations[NAMESPACES]), HOME]),
  };
}

/** Returns the tool that claims a parent, without its version; '' where none does. */
export function toolOf(annotations: Readonly<Record<string, string>> = {}): string {
  return (annotations[TOOLING] ?? '').replace(/\/[^/]*$/, '');
}

function joined(values: Iterable<string>): string {
  return [...values].sort(byteOrder).join(',');
}

function split(value: string | undefined): string[] {
  return (value ?? '').split(',').filter((part) => part !== '');
}
