import { z } from '../../../../../../formats/schema.ts';
import { type OnEvent, pool } from '../../../../../kernel/events/index.ts';
import type { HttpTiming } from '../../../../../kernel/http/index.ts';
import { ApiError, type Discovery, type ObjectName, type Resource } from '../api.ts';
import type { ApiCall, ApiSession } from './api-session.ts';
import { apiGroupsOf, DISCOVERY, type Group, type GroupVersion, resourcesOf } from './discovery-documents.ts';
import { groupPath } from './resource-path.ts';

/** What a server serves, kept. */
export interface Discoverer {
  /** Reads it once, and again where `fresh` asks for it. */
  discover(signal: AbortSignal, fresh?: boolean): Promise<Discovery>;
  /** Returns the resource of an object's kind; looks again where it is not known, because it may be new. */
  resource(name: ObjectName, signal: AbortSignal): Promise<Resource | undefined>;
}

/** How many documents of an old server are read at once. */
const PARALLEL = 8;

/** Asks a server for its version. */
export async function readVersion(session: ApiSession, signal: AbortSignal, timing: HttpTiming): Promise<string> {
  const call: ApiCall = { method: 'GET', path: '/version', verb: 'read', subject: '/version', timing, signal };
  const found = z.looseObject({ gitVersion: z.string().min(1) }).safeParse((await session.send(call)).json());
  if (found.success) return found.data.gitVersion;
  throw new ApiError(call, { status: 200 }, 'the answer names no version of Kubernetes, so this is not an API server');
}

/**
 * Discovers what the server of `session` serves. Groups whose server does not answer are left out, and reported once.
 */
export function createDiscoverer(
  session: ApiSession,
  { version, timing, onEvent }: { readonly version: string; readonly timing: HttpTiming; readonly onEvent: OnEvent },
): Discoverer {
  const documents = new Map<string, { etag: string | undefined; groups: readonly Group[] }>();
  const missed = new Set<string>();
  let known: Discovery | undefined;

  const read = async (path: string, signal: AbortSignal): Promise<readonly Group[]> => {
    const kept = documents.get(path);
    const headers = { accept: DISCOVERY, ...(kept?.etag === undefined ? {} : { 'if-none-match': kept.etag }) };
    const call: ApiCall = { method: 'GET', path, headers, verb: 'discover', subject: path, also: [304], signal };
    const reply = await session.send(call);
    if (reply.status === 304 && kept) return kept.groups;
    const groups = apiGroupsOf(reply.json());
    if (!groups) throw new ApiError(call, { status: reply.status }, `the answer to ${path} lists no API groups`);
    // The documents of an old server only name others, which may change while it stays the same.
    const whole = groups.every(({ versions }) => versions.every(({ resources }) => resources !== undefined));
    documents.set(path, { etag: whole ? reply.etag : undefined, groups });
    return groups;
  };

  const discover = async (signal: AbortSignal, fresh = false): Promise<Discovery> => {
    if (known && !fresh) return known;
    const listed = [...(await read('/api', signal)), ...(await read('/apis', signal))];
    const groups = await completed(session, listed, timing, signal);
    for (const { name, versions } of groups) {
      for (const { version, stale } of versions) {
        const subject = `${name}/${version}`;
        if (!stale || missed.has(subject)) continue;
        missed.add(subject);
        onEvent({ type: 'notice', message: 'this API is registered, but its server does not answer', subject });
      }
    }
    known = discoveryOf(version, groups);
    return known;
  };

  return {
    discover,
    resource: async ({ apiVersion, kind }, signal) =>
      (await discover(signal)).find(apiVersion, kind) ?? (await discover(signal, true)).find(apiVersion, kind),
  };
}

/** Reads, one by one, the resources that a list of groups only names. */
async function completed(
  session: ApiSession,
  groups: readonly Group[],
  timing: HttpTiming,
  signal: AbortSignal,
): Promise<readonly Group[]> {
  const found = new Map<GroupVersion, GroupVersion>();
  const missing = groups.flatMap(({ name, versions }) =>
    versions.filter(({ resources, stale }) => !resources && !stale).map((entry) => ({ name, entry })),
  );
  await pool(missing, { limit: PARALLEL, signal }, async ({ name, entry }, own) => {
    const path = groupPath({ group: name, version: entry.version });
    const resources = await session
      .send({ method: 'GET', path, verb: 'discover', subject: path, timing, signal: own })
      .then((reply) => resourcesOf(reply.json(), name, entry.version))
      .catch((error) => {
        // One group whose server is down must not hide the others.
        if (error instanceof ApiError && error.status !== 401 && error.status !== 0) return undefined;
        throw error;
      });
    found.set(entry, { ...entry, resources, stale: resources === undefined });
  });
  return groups.map((group) => ({ ...group, versions: group.versions.map((entry) => found.get(entry) ?? entry) }));
}

function discoveryOf(version: string, groups: readonly Group[]): Discovery {
  const resources = groups.flatMap((group) =>
    group.versions.flatMap((entry) => (entry.stale ? [] : (entry.resources ?? []))),
  );
  const exact = new Map<string, Resource>();
  const best = new Map<string, Resource>();
  for (const resource of resources) {
    const { group, kind } = resource;
    const key = `${group === '' ? '' : `${group}/`}${resource.version} ${kind}`;
    const before = exact.get(key);
    // Where two resources have one kind, the one that holds objects is meant.
    if (!before || (!before.verbs.includes('patch') && resource.verbs.includes('patch'))) exact.set(key, resource);
    const chosen = best.get(`${group} ${kind}`);
    if (!chosen || chosen === before) best.set(`${group} ${kind}`, exact.get(key)!);
  }
  return {
    version,
    resources,
    find: (apiVersion, kind) => exact.get(`${apiVersion} ${kind}`),
    preferred: (group, kind) => best.get(`${group} ${kind}`),
  };
}
