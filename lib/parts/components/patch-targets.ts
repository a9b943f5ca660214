import { nearest } from '../../../formats/document/suggest.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { isRecord } from '../../../formats/record.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { kustomized, type PatchEntry } from './kustomized.ts';

/** A patch of objects. */
export interface ObjectPatch extends Pick<PatchEntry, 'target' | 'options'> {
  /** Partial objects, or one list of operations (RFC 6902). */
  readonly documents: readonly unknown[];
  /** Makes the error that says why it cannot be applied. */
  readonly refuse: (message: string) => SolpackError;
  /** Gets the objects that it is for, as they are before any patch. */
  readonly onTargets?: (objects: readonly KubernetesObject[]) => void;
}

/** Annotations of the objects in which kustomize looks for targets: the number of the object, and those of patches. */
const NUMBER = 'solpack.io/object';
const MARK = 'solpack.io/patch-';

/** The namespace of what names none, as for kubectl. */
const DEFAULT = 'default';

/** What kustomize takes for an order to leave an object out. */
const LOCAL = 'config.kubernetes.io/local-config';

/**
 * Finds the objects that patches are for, among them as they are before any patch: for each document of each patch
 * their numbers. Targets are looked for by kustomize itself. Throws what a patch makes of it if it is for none.
 */
export async function targetsOf(
  component: string,
  objects: readonly KubernetesObject[],
  patches: readonly ObjectPatch[],
  flow: Flow,
): Promise<readonly (readonly (readonly number[])[])[]> {
  const marked = patches.some(({ target }) => target) ? await markedBy(component, objects, patches, flow) : [];
  return patches.map((patch, index) => {
    const { documents, target, refuse } = patch;
    if (target === undefined) return documents.map((document) => [named(document, objects, refuse)]);
    const found = marked.flatMap((marks, at) => (marks.has(index) ? [at] : []));
    if (found.length > 0) return documents.map(() => found);
    const words = Object.entries(target).map(([field, value]) => `${field} ${value}`);
    throw refuse(`matches nothing in component ${component}: there is no object with ${words.join(', ')}`);
  });
}

/** Tells for each object which patches with a target are for it. */
async function markedBy(
  component: string,
  objects: readonly KubernetesObject[],
  patches: readonly ObjectPatch[],
  flow: Flow,
): Promise<readonly ReadonlySet<number>[]> {
  const marks = objects.map(() => new Set<number>());
  const entries = patches.flatMap(({ target }, index): PatchEntry[] =>
    target ? [{ document: markOf(index), target, options: undefined }] : [],
  );
  // Which patch has a selector that cannot be read is found by asking for each alone.
  const found = await kustomized(component, bare(objects), entries, flow).catch(async (error) => {
    if (!(error instanceof SolpackError) || error.code !== 'tool-failed') throw error;
    for (const [index, { target, refuse }] of patches.entries()) {
      const alone = [{ document: markOf(index), target, options: undefined }];
      if (target) await kustomized(component, bare(objects), alone, flow).catch(() => reject(refuse));
    }
    throw error;
  });
  for (const { metadata } of found) {
    const annotations = metadata['annotations'] as Readonly<Record<string, string>>;
    for (const name of Object.keys(annotations)) {
      if (name.startsWith(MARK)) marks[Number(annotations[NUMBER])]!.add(Number(name.slice(MARK.length)));
    }
  }
  return marks;
}

function reject(refuse: ObjectPatch['refuse']): never {
  throw refuse('has a target that kustomize cannot read');
}

function markOf(index: number): unknown {
  return { apiVersion: 'v1', kind: 'Any', metadata: { name: 'any', annotations: { [`${MARK}${index}`]: 'yes' } } };
}

/** What of objects targets are looked for by, each of them once, with its number. */
function bare(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const seen = new Set<string>();
  return objects.flatMap(({ apiVersion, kind, metadata }, index) => {
    const { name, namespace, labels, annotations } = metadata;
    const key = JSON.stringify([apiVersion, kind, namespace, name]);
    if (seen.has(key)) return [];
    seen.add(key);
    const { [LOCAL]: _, ...kept } = texts(annotations);
    const named = { name, ...(namespace === undefined ? {} : { namespace }), labels: texts(labels) };
    return [{ apiVersion, kind, metadata: { ...named, annotations: { ...kept, [NUMBER]: String(index) } } }];
  });
}

function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Finds the object that a partial object names; where it names no namespace, that is the one of this name in any. */
function named(document: unknown, objects: readonly KubernetesObject[], refuse: ObjectPatch['refuse']): number {
  const { apiVersion, kind, metadata } = document as KubernetesObject;
  const { name, namespace } = metadata;
  const found = objects.flatMap((one, at) => {
    const isSame = one.apiVersion === apiVersion && one.kind === kind && one.metadata.name === name;
    return isSame && (namespace === undefined || (one.metadata.namespace ?? DEFAULT) === namespace) ? [at] : [];
  });
  if (found.length === 1) return found[0]!;
  const what = `${kind} "${name}" (${apiVersion})${namespace === undefined ? '' : ` in the namespace ${namespace}`}`;
  if (found.length > 1) throw refuse(`may be for several objects: there is a ${what} in more than one namespace`);
  const alike = objects.filter((one) => one.kind === kind).map((one) => one.metadata.name);
  const meant = nearest(name, alike);
  throw refuse(
    `has a target that does not exist: there is no ${what}${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
  );
}
