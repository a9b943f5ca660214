import { byteOrder } from '../../../../../../formats/bytes.ts';
import { hiddenSecret } from '../../../../../../formats/manifest/hidden-secret.ts';
import type { ClusterSnapshot, SnapshotPart } from '../../../snapshot.ts';
import { HOME, type Inventory, PART_OF, parseGroupKind, setOf } from '../../desired/index.ts';
import { inOrder } from '../../health/index.ts';
import { readInventories } from '../../memory/index.ts';
import type { ApplySession, Discovery, LiveObject, Resource } from '../../server/index.ts';
import { withoutRepeating } from './hidden.ts';
import { podParts, withheldLogs } from './pods.ts';
import { orReason } from './readable.ts';
import { type KnownSecretTexts, readSecretTexts } from './secrets.ts';

/**
 * Reads what the Secrets of all Solutions hold, and prepares to read the rest: the server, the nodes, each Solution's
 * objects as they are, the events of their namespaces, and the Pods there that are not ready, with their logs. Changes
 * nothing.
 */
export async function takeSnapshot(session: ApplySession): Promise<ClusterSnapshot> {
  const {
    api,
    flow: { signal },
  } = session;
  const found = await orReason(signal, () => readInventories(session));
  const inventories = 'value' in found ? [...found.value.values()] : [];
  inventories.sort((a, b) => byteOrder(a.solution, b.solution));
  const namespaces = [...new Set([HOME, ...inventories.flatMap((one) => [...one.namespaces])])].sort(byteOrder);
  const discovery = await api.discover(signal);
  const known = await readSecretTexts(namespaces, session);
  const base: Base = { session, discovery, known };
  return {
    secrets: known.texts,
    parts: async function* (blank) {
      yield { path: 'server', value: { server: api.server, version: discovery.version } };
      if ('missing' in found) yield { path: 'solutions', missing: found.missing };
      yield* listPart('nodes', { apiVersion: 'v1', kind: 'Node' }, base);
      for (const inventory of inventories) yield* solutionParts(inventory, base);
      for (const namespace of namespaces) yield* namespaceParts(namespace, blank, base);
    },
  };
}

/** What all parts are read with. */
interface Base {
  readonly session: ApplySession;
  readonly discovery: Discovery;
  readonly known: KnownSecretTexts;
}

async function* solutionParts(inventory: Inventory, base: Base): AsyncIterable<SnapshotPart> {
  const {
    discovery,
    session: {
      api,
      flow: { signal },
    },
  } = base;
  const path = `solutions/${inventory.solution}`;
  const items: unknown[] = [];
  const labels = `${PART_OF}=${setOf(inventory.solution)}`;
  for (const groupKind of [...inventory.groupKinds].sort(byteOrder)) {
    const { group, kind } = parseGroupKind(groupKind);
    const resource = discovery.preferred(group, kind);
    if (resource === undefined) {
      yield { path: `${path}/${groupKind}`, missing: 'the server does not serve this kind' };
      continue;
    }
    // Rights may be for namespaces alone.
    for (const namespace of resource.namespaced ? [...inventory.namespaces].sort(byteOrder) : [undefined]) {
      const filter = { labels, ...(namespace === undefined ? {} : { namespace }) };
      const found = await orReason(signal, () => api.list(resource, filter, signal));
      if ('value' in found) items.push(...found.value.map((one) => asKnown(one, base)));
      else
        yield { path: `${path}/${groupKind}${namespace === undefined ? '' : `.${namespace}`}`, missing: found.missing };
    }
  }
  yield { path: `${path}/objects`, items };
}

async function* namespaceParts(
  namespace: string,
  blank: (line: string) => string,
  base: Base,
): AsyncIterable<SnapshotPart> {
  const { session, known } = base;
  const path = `namespaces/${namespace}`;
  const unread = known.unread.get(namespace);
  const withheld = `its Secrets cannot be read, so it is unknown what to blank (${unread})`;
  if (unread !== undefined) yield { path: `${path}/secrets`, missing: unread };
  const events = await listed({ apiVersion: 'v1', kind: 'Event' }, base, namespace);
  // The newest ones first: where there are too many, old ones are left out.
  const inTime = 'value' in events ? inOrder(events.value) : [];
  if ('missing' in events) yield { path: `${path}/events`, missing: events.missing };
  else yield { path: `${path}/events`, items: inTime.toReversed().map((one) => asKnown(one, base)) };
  const pods = await listed({ apiVersion: 'v1', kind: 'Pod' }, base, namespace);
  if ('missing' in pods) yield { path: `${path}/pods`, missing: pods.missing };
  else if (unread === undefined) yield* podParts(pods.value, inTime, blank, session);
  else {
    yield { path: `${path}/pods`, items: pods.value.map((one) => asKnown(one, base)) };
    yield* withheldLogs(pods.value, withheld);
  }
}

async function* listPart(
  path: string,
  wanted: { readonly apiVersion: string; readonly kind: string },
  base: Base,
): AsyncIterable<SnapshotPart> {
  const found = await listed(wanted, base);
  if ('missing' in found) yield { path, missing: found.missing };
  else yield { path, items: found.value };
}

function listed(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  {
    discovery,
    session: {
      api,
      flow: { signal },
    },
  }: Base,
  namespace?: string,
): Promise<{ value: readonly LiveObject[] } | { missing: string }> {
  const resource: Resource | undefined = discovery.find(apiVersion, kind);
  const filter = namespace === undefined ? {} : { namespace };
  return orReason(signal, async () => (resource === undefined ? [] : api.list(resource, filter, signal)));
}

/** Returns an object as it may be shown by what is known of the Secrets of its namespace. */
function asKnown(object: LiveObject, { known: { unread } }: Base): unknown {
  const isKnown = object.metadata.namespace === undefined || !unread.has(object.metadata.namespace);
  return isKnown ? hiddenSecret(object) : withoutRepeating(hiddenSecret(object));
}
