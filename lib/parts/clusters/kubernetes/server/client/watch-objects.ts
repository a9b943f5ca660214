import type { Bytes } from '../../../../../../formats/bytes.ts';
import { parseExactJson } from '../../../../../../formats/exact-json.ts';
import { z } from '../../../../../../formats/schema.ts';
import { ApiError, type Resource, type WatchingApi } from '../api.ts';
import type { ApiCall, ApiSession } from './api-session.ts';
import { complete, metadataAlone } from './object-calls.ts';
import { resourcePath } from './resource-path.ts';

/** Seconds after which the server ends a watch, so that what got lost on the way is found all the same. */
const LIFE = 300;
/** Milliseconds without a byte after which the server counts as gone: it sends a bookmark each minute. */
const SILENCE = 100_000;
/** Bytes of one change that are accepted; an object has at most 3 MiB. */
const LIMIT = 16 * 1024 * 1024;

const event = z.looseObject({ type: z.string(), object: z.looseObject({}) });
const changed = z.looseObject({ metadata: z.looseObject({ name: z.string() }) });
const listed = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string().min(1) }) });
const refusal = z.looseObject({ code: z.number(), reason: z.string().optional(), message: z.string().optional() });

/** What is watched, and who gets the events. */
interface Watch {
  readonly filter: Parameters<WatchingApi['watch']>[1];
  readonly on: Parameters<WatchingApi['watch']>[2];
}

/**
 * Watches objects as `WatchingApi.watch`. Throws `ApiError` where the server refuses, does not answer, or breaks off.
 */
export async function watchObjects(
  session: Pick<ApiSession, 'send' | 'stream'>,
  resource: Resource,
  { filter: { namespace, labels, fields, metadata }, on }: Watch,
  signal: AbortSignal,
): Promise<void> {
  const { group, version, kind, plural } = resource;
  const what = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
  const path = resourcePath(resource, { namespace });
  const selected = { labelSelector: labels, fieldSelector: fields };
  const subject = namespace === undefined ? plural : `${plural} of ${namespace}`;
  // Without a version to begin with, servers want an etcd that says how far it is, which older ones do not.
  const resourceVersion = await versionNow(session, { path, query: selected, subject, signal });
  await on.begin();
  const call: ApiCall = {
    method: 'GET',
    path,
    query: { ...selected, resourceVersion, watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(LIFE) },
    ...(metadata ? { headers: { accept: metadataAlone('PartialObjectMetadata') } } : {}),
    timing: { connect: 10_000, idle: SILENCE, answer: 30_000, pause: 250 },
    verb: 'watch',
    subject,
    signal,
  };
  for await (const line of linesOf(session.stream(call), call)) {
    const { type, object } = event.safeParse(parsed(line, call)).data ?? {};
    if (type === 'ERROR') throw refused(object, call);
    if (type === 'BOOKMARK') continue;
    const found = changed.safeParse(object).data;
    if (!found) throw new ApiError(call, { status: 200 }, 'the answer holds something other than changes');
    on.change({ isGone: type === 'DELETED', object: complete(found, what) });
  }
}

/** Returns the version that a list of the objects has by now. */
async function versionNow(
  session: Pick<ApiSession, 'send'>,
  { path, query, subject, signal }: Pick<ApiCall, 'path' | 'subject' | 'signal'> & { readonly query: ApiCall['query'] },
): Promise<string> {
  const call: ApiCall = {
    method: 'GET',
    path,
    query: { ...query, limit: '1' },
    headers: { accept: metadataAlone('PartialObjectMetadataList') },
    verb: 'list',
    subject,
    signal,
  };
  const found = listed.safeParse((await session.send(call)).json()).data;
  if (!found) throw new ApiError(call, { status: 200 }, 'the answer has no resourceVersion');
  return found.metadata.resourceVersion;
}

function refused(object: unknown, call: ApiCall): ApiError {
  const { code = 0, reason = '', message = 'the watch ended' } = refusal.safeParse(object).data ?? {};
  return new ApiError(call, { status: code, reason }, message);
}

function parsed(line: Uint8Array, call: ApiCall): unknown {
  try {
    return parseExactJson(new TextDecoder().decode(line));
  } catch {
    throw new ApiError(call, { status: 200 }, 'the answer is not JSON');
  }
}

/** Splits a stream into its lines, without what ends them. */
async function* linesOf(stream: Bytes, call: ApiCall): Bytes {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]);
      parts = [];
      size = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    size += chunk.length - from;
    if (size > LIMIT) throw new ApiError(call, { status: 0, reason: 'TooLarge' }, 'a change is larger than any object');
    parts.push(Buffer.from(chunk.subarray(from)));
  }
}
