import { isDeepStrictEqual } from 'node:util';
import { judgeStored, type StoredProblem } from '../../../../../../formats/custom-resources/stored.ts';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import type { PlannedObject } from '../../desired/index.ts';
import {
  type ApplySession,
  fieldAt,
  ifReadable,
  type LiveObject,
  listAt,
  type Resource,
  textAt,
  wordsOf,
} from '../../server/index.ts';

/** How many stored objects of a kind an error names. */
const NAMED = 10;

/**
 * Finds the stored custom resources that a new CustomResourceDefinition would break: by its schema they could be
 * neither changed nor, often, applied any longer. Finds also versions that it drops although objects are stored in
 * them, which the server refuses. What would only be dropped of them is reported.
 */
export async function examineDefinition(
  { object, name }: PlannedObject,
  session: ApplySession,
): Promise<readonly SolpackError[]> {
  const { api, flow } = session;
  const live = await ifReadable(flow.signal, undefined, () => api.read(name, flow.signal));
  if (live === undefined) return [];
  const found = droppedVersions(object, live);
  const changed = changedVersions(object, live);
  const broken = new Map<string, StoredProblem>();
  const dropped = new Map<string, StoredProblem>();
  for (const { version, schema } of changed) {
    const judge = judgeStored(schema);
    for (const stored of await storedIn(live, version, session)) {
      const problems = judge(stored);
      const key = wordsOf({ kind: stored.kind, ...stored.metadata });
      const worst = problems.find(({ isDropped }) => !isDropped);
      if (worst !== undefined) broken.set(key, broken.get(key) ?? worst);
      const lost = problems.find(({ isDropped }) => isDropped);
      if (lost !== undefined) dropped.set(key, dropped.get(key) ?? lost);
    }
  }
  if (dropped.size > 0) {
    const message = `drops what is stored in fields that it no longer has: ${listed(dropped, ({ path }) => path)}`;
    flow.onEvent({ type: 'notice', subject: wordsOf(name), message });
  }
  if (broken.size === 0) return found;
  const words = listed(broken, ({ path, message }) => `${path === '' ? 'it' : path} ${message}`);
  const count = broken.size === 1 ? 'one stored custom resource' : `${broken.size} stored custom resources`;
  const hint = 'change these first, or install a version that still accepts them';
  return [...found, new SolpackError('definition-breaking', wordsOf(name), `would break ${count}: ${words}`, { hint })];
}

/**
 * The server refuses to lose the version that objects are stored in (Kubernetes, "Versions in
 * CustomResourceDefinitions").
 */
function droppedVersions(object: KubernetesObject, live: LiveObject): SolpackError[] {
  const kept = new Set(listAt(object, 'spec', 'versions').map((one) => textAt(one, 'name')));
  const lost = listAt(live, 'status', 'storedVersions').filter((one) => typeof one === 'string' && !kept.has(one));
  if (lost.length === 0) return [];
  const message = `drops the version ${lost.join(', ')}, in which custom resources are stored`;
  const hint =
    'install a version that still has it, and migrate what is stored: write each object again, and remove the version from status.storedVersions';
  return [new SolpackError('object-refused', wordsOf({ ...live, ...live.metadata }), message, { hint })];
}

/** Lists the served versions whose schema is not the one that is there, with the new one. */
function changedVersions(
  object: KubernetesObject,
  live: LiveObject,
): { readonly version: string; readonly schema: Readonly<Record<string, unknown>> }[] {
  const before = listAt(live, 'spec', 'versions');
  return listAt(object, 'spec', 'versions').flatMap((entry) => {
    const old = before.find((one) => textAt(one, 'name') === textAt(entry, 'name'));
    const [schema, known] = [entry, old].map((one) => fieldAt(one, 'schema', 'openAPIV3Schema'));
    if (fieldAt(old, 'served') !== true || typeof schema !== 'object' || schema === null) return [];
    if (isDeepStrictEqual(schema, known)) return [];
    return [{ version: textAt(entry, 'name'), schema: schema as Readonly<Record<string, unknown>> }];
  });
}

async function storedIn(
  live: LiveObject,
  version: string,
  { api, flow }: ApplySession,
): Promise<readonly LiveObject[]> {
  const resource: Resource = {
    group: textAt(live, 'spec', 'group'),
    version,
    kind: textAt(live, 'spec', 'names', 'kind'),
    plural: textAt(live, 'spec', 'names', 'plural'),
    namespaced: textAt(live, 'spec', 'scope') !== 'Cluster',
    verbs: [],
  };
  const found = await ifReadable(flow.signal, undefined, () => api.list(resource, {}, flow.signal));
  if (found !== undefined) return found;
  const message = `its custom resources cannot be listed: it is unknown whether its new schema of ${version} breaks any`;
  flow.onEvent({ type: 'notice', subject: wordsOf({ ...live, ...live.metadata }), message });
  return [];
}

function listed(objects: ReadonlyMap<string, StoredProblem>, words: (problem: StoredProblem) => string): string {
  const named = [...objects].slice(0, NAMED).map(([object, problem]) => `${object} (${words(problem)})`);
  const more = objects.size > NAMED ? ` and ${objects.size - NAMED} more` : '';
  return `${named.join(', ')}${more}`;
}
