import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { z } from '../../../../../../formats/schema.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import {
  ApiError,
  type ApplyOptions,
  type Discovery,
  type KubernetesApi,
  type LiveObject,
  MANAGER,
  nameOf,
  type ObjectName,
  type Resource,
  wordsOf,
} from '../api.ts';
import type { ApiCall, ApiReply, ApiSession } from './api-session.ts';
import type { Discoverer } from './discovery.ts';
import { resourcePath } from './resource-path.ts';
import { blankValues } from './secret-values.ts';

const live = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** What a dry run that would create an object leaves out. */
const absent: { uid?: string; resourceVersion?: string } = { uid: '', resourceVersion: '' };

/** Reads, applies and deletes single objects. */
export function objectCalls(
  session: ApiSession,
  discoverer: Discoverer,
): Pick<KubernetesApi, 'read' | 'apply' | 'replace' | 'reassign' | 'remove'> {
  const pathOf = (resource: Resource, { name, namespace }: ObjectName): string =>
    resourcePath(resource, { name, namespace: namespace ?? 'default' });
  return {
    read: async (name, signal) => {
      const resource = await discoverer.resource(name, signal);
      if (!resource) return undefined;
      const path = pathOf(resource, name);
      const call: ApiCall = { method: 'GET', path, also: [404], verb: 'read', subject: wordsOf(name), signal };
      const reply = await session.send(call);
      return reply.status === 404 ? undefined : liveObject(reply, call);
    },
    apply: async (object, options, signal) => {
      const name = nameOf(object);
      const resource = await discoverer.resource(name, signal);
      if (!resource) throw unknownKind(name, await discoverer.discover(signal));
      const path = `${pathOf(resource, name)}${options.status ? '/status' : ''}`;
      const call = applyCall(object, path, options, signal);
      return liveObject(await session.send(call), call, options.metadata ? name : undefined);
    },
    replace: async (object, signal) => {
      const name = nameOf(object);
      const resource = await discoverer.resource(name, signal);
      if (!resource) throw unknownKind(name, await discoverer.discover(signal));
      const call: ApiCall = {
        method: 'PUT',
        path: pathOf(resource, name),
        query: { fieldManager: MANAGER },
        body: { type: 'application/json', value: object },
        verb: 'migrate',
        subject: wordsOf(name),
        blank: blankValues(object),
        signal,
      };
      return liveObject(await session.send(call), call);
    },
    reassign: async (live, managedFields, signal) => {
      const name = nameOf(live);
      const resource = await discoverer.resource(name, signal);
      if (!resource) throw unknownKind(name, await discoverer.discover(signal));
      // Of another version the server refuses it as a conflict.
      const value = [
        { op: 'replace', path: '/metadata/managedFields', value: managedFields },
        { op: 'replace', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion },
      ];
      const call: ApiCall = {
        method: 'PATCH',
        path: pathOf(resource, name),
        body: { type: 'application/json-patch+json', value },
        verb: 'apply',
        subject: wordsOf(name),
        blank: blankValues(live),
        signal,
      };
      return liveObject(await session.send(call), call);
    },
    remove: async (name, { propagation, ...expected }, signal) => {
      const resource = await discoverer.resource(name, signal);
      if (!resource) return false;
      const { uid } = expected;
      const preconditions = uid === undefined ? {} : { preconditions: expected };
      const value = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: propagation, ...preconditions };
      const path = pathOf(resource, name);
      const body = { type: 'application/json', value };
      // 409: another object has the name now, so the one that was meant is gone.
      const also = uid === undefined ? [404] : [404, 409];
      const call: ApiCall = { method: 'DELETE', path, body, also, verb: 'delete', subject: wordsOf(name), signal };
      const { status, repeated } = await session.send(call);
      return status === 404 || status === 409 ? repeated : true;
    },
  };
}

/**
 * Makes the call of server-side apply (Kubernetes, "Server-Side Apply"). JSON is YAML. Fields that no schema declares
 * are refused, however `fieldValidation` is set. What else that looks for are repeated keys, and the server reads the
 * whole object a second time to find them: JSON made of an object has none.
 */
function applyCall(object: KubernetesObject, path: string, options: ApplyOptions, signal: AbortSignal): ApiCall {
  return {
    method: 'PATCH',
    path,
    query: {
      fieldManager: options.manager ?? MANAGER,
      fieldValidation: 'Ignore',
      force: options.force ? 'true' : undefined,
      dryRun: options.dryRun ? 'All' : undefined,
    },
    ...(options.metadata ? { headers: { accept: metadataAlone('PartialObjectMetadata') } } : {}),
    body: { type: 'application/apply-patch+yaml', value: object },
    verb: 'apply',
    subject: wordsOf(nameOf(object)),
    blank: blankValues(object),
    signal,
  };
}

/**
 * Reads the object in an answer, whose type is said where the answer has that of metadata. Throws `ApiError` where it
 * holds none.
 */
function liveObject(reply: ApiReply, call: ApiCall, type?: Pick<LiveObject, 'apiVersion' | 'kind'>): LiveObject {
  const found = live.safeParse(reply.json()).data;
  if (!found) throw new ApiError(call, { status: reply.status }, 'the answer holds no object');
  return complete(found, type ?? found);
}

/**
 * Returns the media type of metadata of objects, or of lists of them, without the rest (Kubernetes API concepts,
 * "Metadata-only fetches").
 */
export function metadataAlone(kind: 'PartialObjectMetadata' | 'PartialObjectMetadataList'): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1`;
}

/** Gives an object its type, which a list says only once for all that it holds. */
export function complete(
  object: Record<string, unknown>,
  { apiVersion, kind }: Pick<LiveObject, 'apiVersion' | 'kind'>,
): LiveObject {
  const metadata = { ...absent, ...(object['metadata'] as LiveObject['metadata']) };
  return { ...object, apiVersion, kind, metadata };
}

function unknownKind(name: ObjectName, discovery: Discovery): SolpackError {
  const { apiVersion, kind } = name;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const version = discovery.preferred(group, kind)?.version;
  const served = `it serves ${group === '' ? '' : `${group}/`}${version}: use that, or a cluster of another version`;
  const hint = 'first install the CustomResourceDefinition of the kind';
  return new SolpackError('kind-unknown', wordsOf(name), `the API server does not serve ${apiVersion} ${kind}`, {
    hint: version === undefined ? hint : served,
  });
}
