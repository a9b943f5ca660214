import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import type { PreviousVersion } from '../../../../kernel/content/index.ts';
import type { AppliedObject } from '../../kind.ts';
import { type Inventory, PART_OF, parseGroupKind, setOf } from '../desired/index.ts';
import { type Applying, readInventories } from '../memory/index.ts';
import { ApiError, type ApplySession, fieldAt, type LiveObject, nameOf, textAt, wordsOf } from '../server/index.ts';

/** How often an object is replaced again that has changed meanwhile, its specification aside. */
const TRIES = 5;

/**
 * Reads what there is of a Solution, its Secrets aside, and the custom resources of its kinds; undefined where no
 * version but `version` is there.
 */
export async function readPreviousVersion(
  solution: string,
  version: string,
  session: ApplySession,
): Promise<PreviousVersion | undefined> {
  const set = setOf(solution);
  const inventory = (await readInventories(session)).get(set);
  if (inventory === undefined || inventory.state === 'removed') return undefined;
  // An apply that has not ended may be continued, or taken back.
  const before = [inventory.previous, inventory.version].find((one) => one !== undefined && one !== version);
  if (before === undefined) return undefined;
  const objects = await membersOf(inventory, session);
  const found = await Promise.all(
    objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map((one) => resourcesOf(one, session)),
  );
  const foreign = found.flat().filter(({ metadata: { labels } }) => labels?.[PART_OF] !== set);
  return { version: before, objects: objects.map(plainly), customResources: foreign.map(plainly) };
}

async function membersOf(
  { solution, groupKinds }: Inventory,
  { api, flow: { signal } }: ApplySession,
): Promise<LiveObject[]> {
  // Definitions may have changed since this run began.
  const discovery = await api.discover(signal, true);
  const members: LiveObject[] = [];
  for (const groupKind of groupKinds) {
    const { group, kind } = parseGroupKind(groupKind);
    const resource = kind === 'Secret' && group === '' ? undefined : discovery.preferred(group, kind);
    if (resource === undefined) continue;
    members.push(...(await api.list(resource, { labels: `${PART_OF}=${setOf(solution)}` }, signal)));
  }
  return members;
}

/** Lists the custom resources that a definition defines, in the version that the server prefers. */
async function resourcesOf(
  definition: LiveObject,
  { api, flow: { signal } }: ApplySession,
): Promise<readonly LiveObject[]> {
  const group = textAt(definition, 'spec', 'group');
  const resource = (await api.discover(signal)).preferred(group, textAt(definition, 'spec', 'names', 'kind'));
  return resource === undefined ? [] : api.list(resource, {}, signal);
}

/** Who set which field is nobody's business here, and much. */
function plainly(live: LiveObject): KubernetesObject {
  const { managedFields: _, ...metadata } = live.metadata;
  return { ...live, metadata };
}

/**
 * Gives custom resources the form that they are to have, each in the place of the one that was looked at. What it says
 * of its status since then stays. Throws `ApiError` with status 409 for one whose specification has changed since.
 */
export async function migrate(
  migrations: readonly KubernetesObject[],
  component: string,
  session: Applying,
): Promise<AppliedObject[]> {
  const applied: AppliedObject[] = [];
  for (const object of migrations) {
    const name = wordsOf(nameOf(object));
    session.flow.onEvent({ type: 'step', step: 'migrate', subject: name });
    const changed = await migrateOne(object, session);
    if (changed === undefined) continue;
    session.migrated.add(name);
    applied.push({ object: name, action: changed ? 'changed' : 'unchanged', component });
  }
  return applied;
}

/** Returns whether it had to change; undefined where it is gone. */
async function migrateOne(
  object: KubernetesObject,
  { api, flow: { signal } }: ApplySession,
): Promise<boolean | undefined> {
  for (let tries = 1; ; tries += 1) {
    const live = await api.read(nameOf(object), signal);
    if (live === undefined || live.metadata.uid !== object.metadata['uid']) return undefined;
    const wanted = successorOf(object, live);
    if (isDeepStrictEqual(contentOf(wanted), contentOf(live))) return false;
    if (live.metadata.generation !== object.metadata['generation']) throw changedMeanwhile(object);
    try {
      await api.replace(wanted, signal);
      return true;
    } catch (error) {
      // A controller may have reported its status between both.
      if (!(error instanceof ApiError) || error.status !== 409 || tries === TRIES) throw error;
    }
  }
}

function successorOf(object: KubernetesObject, live: LiveObject): KubernetesObject {
  const { managedFields: _, labels: _labels, annotations: _annotations, ...metadata } = live.metadata;
  const { labels, annotations } = object.metadata as LiveObject['metadata'];
  const status = fieldAt(live, 'status');
  return {
    ...(status === undefined ? {} : { status }),
    ...object,
    metadata: { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}

/** What decides whether two of them are the same: all but what the server keeps. */
function contentOf({ metadata, status: _, ...rest }: KubernetesObject & { readonly status?: unknown }): unknown {
  const { labels = {}, annotations = {} } = metadata as LiveObject['metadata'];
  return { ...rest, labels, annotations };
}

function changedMeanwhile(object: KubernetesObject): ApiError {
  const tried = { verb: 'migrate', subject: wordsOf(nameOf(object)) };
  return new ApiError(tried, { status: 409 }, 'it has changed since the plugin was asked to migrate it');
}
