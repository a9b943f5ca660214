import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { isRecord } from '../../../formats/record.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { kustomized } from './kustomized.ts';
import { type ObjectPatch, targetsOf } from './patch-targets.ts';
import { requireUnreserved } from './reserved.ts';

/** One document of a patch, and the numbers of the objects that it is for. */
interface Change {
  readonly patch: ObjectPatch;
  readonly document: unknown;
  readonly at: readonly number[];
}

/**
 * Applies patches to the objects of a component, in their order, by kubectl or kustomize. Returns one entry for each
 * object, in their order: itself where no patch is for it, and undefined where a patch removes it. Throws what a patch
 * makes of it if it is for no object, or cannot be applied to those that it is for; and `tool-missing`,
 * `object-reserved`.
 */
export async function patchObjects(
  component: string,
  objects: readonly KubernetesObject[],
  patches: readonly ObjectPatch[],
  flow: Flow,
): Promise<(KubernetesObject | undefined)[]> {
  const targets = await targetsOf(component, objects, patches, flow);
  for (const [index, { onTargets }] of patches.entries()) {
    onTargets?.([...new Set(targets[index]!.flat())].map((at) => objects[at]!));
  }
  const changes = patches.flatMap((patch, index) =>
    patch.documents.map((document, part): Change => ({ patch, document, at: targets[index]![part]! })),
  );
  const removed = new Set(changes.filter(({ document }) => removes(document)).flatMap(({ at }) => at));
  const rest = changes
    .filter(({ document }) => !removes(document))
    .map((change) => ({ ...change, at: change.at.filter((one) => !removed.has(one)) }))
    .filter(({ at }) => at.length > 0);
  const wanted = [...new Set(rest.flatMap(({ at }) => at))].sort((a, b) => a - b);
  const result: (KubernetesObject | undefined)[] = objects.map((object, at) => (removed.has(at) ? undefined : object));
  if (wanted.length === 0) return result;
  const before = wanted.map((at) => objects[at]!);
  const after = await applied(component, before, rest, flow);
  for (const [index, at] of wanted.entries()) result[at] = after[index]!;
  requireUnreserved(component, after);
  return result;
}

/** Whether a partial object says that the whole object is to go. */
function removes(document: unknown): boolean {
  return isRecord(document) && document['$patch'] === 'delete';
}

async function applied(
  component: string,
  objects: readonly KubernetesObject[],
  changes: readonly Change[],
  flow: Flow,
): Promise<readonly KubernetesObject[]> {
  try {
    return await build(component, objects, changes, flow);
  } catch (error) {
    if (!(error instanceof SolpackError) || error.code !== 'tool-failed') throw error;
    throw await culprit(component, objects, changes, error, flow);
  }
}

/** Finds the patch that kustomize refuses, by applying one after the other. */
async function culprit(
  component: string,
  objects: readonly KubernetesObject[],
  changes: readonly Change[],
  failure: SolpackError,
  flow: Flow,
): Promise<SolpackError> {
  let before = objects;
  for (const change of changes) {
    try {
      before = await build(component, before, [change], flow);
    } catch (error) {
      if (!(error instanceof SolpackError) || error.code !== 'tool-failed') throw error;
      return change.patch.refuse(`cannot be applied: ${reasonOf(error)}`);
    }
  }
  return failure;
}

/** What kustomize says, without where its temporary files lie. */
function reasonOf({ message }: SolpackError): string {
  const words = message.slice(message.indexOf(': ') + 2).split(' ');
  return words.filter((word) => !word.includes('/solpack-')).join(' ');
}

async function build(
  component: string,
  objects: readonly KubernetesObject[],
  changes: readonly Change[],
  flow: Flow,
): Promise<readonly KubernetesObject[]> {
  const entries = changes.map(({ document, patch: { target, options } }) => ({
    document: isRecord(document) ? named(document) : document,
    target: target ?? targetNamed(document as KubernetesObject),
    options,
  }));
  const after = await kustomized(component, objects, entries, flow);
  if (after.length === objects.length) return after;
  throw new SolpackError('tool-failed', component, `kustomize made ${after.length} objects of ${objects.length}`, {
    hint: 'check what the patches do to them',
  });
}

/** A partial object that has a name, which kustomize wants also where a target counts. */
function named(document: Readonly<Record<string, unknown>>): unknown {
  const { metadata } = document;
  return {
    apiVersion: 'v1',
    kind: 'Any',
    ...document,
    metadata: { name: 'any', ...(isRecord(metadata) ? metadata : {}) },
  };
}

/** The target that stands for the name in a partial object, whose namespace may be left out. */
function targetNamed({ apiVersion, kind, metadata }: KubernetesObject): Readonly<Record<string, string>> {
  const [version = '', group] = apiVersion.split('/').reverse();
  const { name, namespace } = metadata;
  return {
    version,
    kind,
    name: name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    ...(group === undefined ? {} : { group }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
