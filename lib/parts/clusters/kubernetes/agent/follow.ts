import { byteOrder } from '../../../../../formats/bytes.ts';
import { sha256 } from '../../../../../formats/digest.ts';
import { exactJson } from '../../../../../formats/exact-json.ts';
import type { Flow } from '../../../../kernel/events/index.ts';
import type { FollowedDocument, FollowedSource } from '../../agent-cluster.ts';
import {
  fieldAt,
  type LiveObject,
  type ObjectChange,
  type ObjectName,
  type Resource,
  textAt,
  type WatchingApi,
} from '../server/index.ts';
import { persistently } from './persistently.ts';
import { nameOfSource } from './source-name.ts';
import { parsedStatus, STATUS_KEY, statusMap } from './tell.ts';

/** The key of a ConfigMap that has several. */
const KEY = 'solutions.yaml';

/** Returns what is followed, and each change of what it says. */
export function followSource(
  source: FollowedSource,
  api: WatchingApi,
  flow: Flow,
  onDocument: (document: FollowedDocument | undefined) => void,
): Promise<never> {
  const name = nameOfSource(source);
  let before: string | undefined;
  const tell = (live: LiveObject | undefined, status: unknown): void => {
    const document = live && documentOf(source, live, status);
    const mark = document === undefined ? '' : `${document.uid} ${document.generation} ${document.digest}`;
    if (mark === before) return;
    before = mark;
    onDocument(document);
  };
  return persistently(api.server, flow, async () => {
    const resource =
      (await api.discover(flow.signal)).find(name.apiVersion, name.kind) ?? (await found(name, api, flow));
    if (resource === undefined) return tell(undefined, undefined);
    const filter = { namespace: name.namespace, fields: `metadata.name=${name.name}` };
    let read: { readonly uid: string; readonly status: unknown } | undefined;
    const begin = async (): Promise<void> => {
      const live = await api.read(name, flow.signal);
      read = live && { uid: live.metadata.uid, status: await statusOf(source, live, api, flow) };
      tell(live, read?.status);
    };
    // A change may come before anybody has looked at what was there at the beginning: its status is what was reported
    // so far.
    const change = ({ isGone, object }: ObjectChange): void => {
      const knownStatus = read?.uid === object.metadata.uid ? read.status : undefined;
      tell(isGone ? undefined : object, object['status'] ?? knownStatus);
    };
    await api.watch(resource, filter, { begin, change }, flow.signal);
  });
}

async function found({ apiVersion, kind }: ObjectName, api: WatchingApi, flow: Flow): Promise<Resource | undefined> {
  return (await api.discover(flow.signal, true)).find(apiVersion, kind);
}

async function statusOf(source: FollowedSource, live: LiveObject, api: WatchingApi, flow: Flow): Promise<unknown> {
  if (source.kind === 'custom-resource') return live['status'];
  const map = await api.read(statusMap(source), flow.signal);
  return parsedStatus(fieldAt(map, 'data', STATUS_KEY));
}

/** Returns the document that an object holds; one that says nothing where a ConfigMap has no such key. */
export function documentOf(source: FollowedSource, live: LiveObject, status: unknown): FollowedDocument {
  const { uid, generation } = live.metadata;
  const bytes = Buffer.from(source.kind === 'custom-resource' ? textOfResource(live) : textOfMap(live));
  return { bytes, digest: sha256(bytes), uid, generation, status };
}

/** Writes a resource as the file would say it, always in the same order: servers have one of their own. */
function textOfResource({ apiVersion, kind, metadata, status: _, ...fields }: LiveObject): string {
  return exactJson({ apiVersion, kind, metadata: { name: metadata.name }, ...sorted(fields) });
}

function sorted(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => byteOrder(a, b)));
}

function textOfMap({ data }: LiveObject): string {
  const keys = typeof data === 'object' && data !== null ? Object.keys(data) : [];
  return textAt(data, keys.length === 1 ? keys[0]! : KEY);
}
