import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { sha256 } from '../../../../../../formats/digest.ts';
import { HOME } from '../../desired/index.ts';
import { type ApplySession, type LiveObject, nameOf, wordsOf } from '../../server/index.ts';
import { requireHome } from '../inventories.ts';
import {
  aboutOf,
  contentIn,
  headName,
  headOf,
  ownerLabel,
  ownerOfRecord,
  RECORD,
  RECORD_KIND,
  type RecordName,
  type RecordOwner,
  recordLabel,
  secretsOf,
} from './secrets.ts';

/** Most bytes of a record, so that one that somebody made does not fill the memory. */
const LIMIT = 256 * 1024 * 1024;

const gzip = promisify(zlib.gzip);
const gunzip = promisify(zlib.gunzip);

/**
 * Reads what was remembered under a name; undefined where nothing was. A record that is damaged counts as none, and a
 * notice reports it.
 */
export async function readRecord(record: RecordName, session: ApplySession): Promise<Uint8Array | undefined> {
  const { api, flow } = session;
  const name = headName(record);
  const live = await api.read(name, flow.signal);
  if (live === undefined) return undefined;
  const bytes = await bytesOf(live, session);
  if (bytes !== undefined) return bytes;
  const message = 'the record of solpack there is damaged, and is created again';
  flow.onEvent({ type: 'notice', subject: wordsOf(name), message });
  return undefined;
}

/** A record of a Solution, or of a configuration, as it was found. */
export interface FoundRecord<Owner extends RecordOwner> {
  readonly owner: Owner;
  readonly about: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads all records of a kind, which is the first part of what they are about; those that are damaged are left out.
 * Where `of` is given, only those of that owner.
 */
export async function listRecords(
  kind: string,
  session: ApplySession,
  of?: RecordOwner,
): Promise<readonly FoundRecord<RecordOwner>[]> {
  const { api, flow } = session;
  const secrets = (await api.discover(flow.signal)).find('v1', 'Secret');
  if (secrets === undefined) return [];
  const labels = selector({ [RECORD_KIND]: kind, ...(of && ownerLabel(of)) });
  const found = await api.list(secrets, { namespace: HOME, labels }, flow.signal);
  const records: FoundRecord<RecordOwner>[] = [];
  for (const live of found) {
    const bytes = await bytesOf(live, session);
    const owner = ownerOfRecord(live);
    if (bytes !== undefined && owner !== undefined) records.push({ owner, about: aboutOf(live), bytes });
  }
  return records;
}

/**
 * Remembers bytes under a name, in Secrets of the namespace of the inventories, instead of what was remembered before.
 * A run that ends at any point leaves the earlier record or the new one: new pieces come first, then the Secret that
 * names them, then old pieces go. The same bytes again change nothing. Call it while the Lease is held.
 */
export async function storeRecord(record: RecordName, bytes: Uint8Array, session: ApplySession): Promise<void> {
  const { api, flow } = session;
  const digest = sha256(bytes);
  const before = await api.read(headName(record), flow.signal);
  const isThere = before !== undefined && headOf(before)?.digest === digest && (await bytesOf(before, session));
  if (!isThere) {
    if (before === undefined) await requireHome(session);
    const { pieces, head } = secretsOf(record, await gzip(bytes), digest);
    // Nobody else may change a record: manual changes are overwritten.
    for (const secret of [...pieces, head]) await api.apply(secret, { force: true }, flow.signal);
  }
  await removeOthers(selector({ [RECORD]: recordLabel(record) }), session, () => true);
}

/** Reads all records of a kind that Solutions have; those that are damaged are left out. */
export async function listSolutionRecords(
  kind: string,
  session: ApplySession,
): Promise<readonly { readonly solution: string; readonly about: string; readonly bytes: Uint8Array }[]> {
  const found = await listRecords(kind, session);
  return found.flatMap(({ owner, ...one }) => ('solution' in owner ? [{ ...one, solution: owner.solution }] : []));
}

/** Forgets what is remembered of an owner: all of it, or what is about something that is not to be kept. */
export async function removeRecords(
  owner: RecordOwner,
  session: ApplySession,
  isKept: (about: string) => boolean = () => false,
): Promise<void> {
  await removeOthers(selector(ownerLabel(owner)), session, isKept);
}

/** Returns the bytes of the record with this head; undefined where they are not all there. */
async function bytesOf(live: LiveObject, { api, flow }: ApplySession): Promise<Uint8Array | undefined> {
  const head = headOf(live);
  if (head === undefined) return undefined;
  const parts: Buffer[] = [];
  for (const name of head.pieces) {
    const piece = await api.read({ apiVersion: 'v1', kind: 'Secret', name, namespace: HOME }, flow.signal);
    const content = piece && contentIn(piece);
    if (content === undefined) return undefined;
    parts.push(content);
  }
  const compressed = head.pieces.length === 0 ? contentIn(live) : Buffer.concat(parts);
  if (compressed === undefined) return undefined;
  const bytes = await gunzip(compressed, { maxOutputLength: LIMIT }).catch(() => undefined);
  return bytes !== undefined && sha256(bytes) === head.digest ? bytes : undefined;
}

/** Removes the Secrets of records that are not kept, and pieces that no head names: a run that ended has left them. */
async function removeOthers(
  labels: string,
  { api, flow: { signal } }: ApplySession,
  isKept: (about: string) => boolean,
): Promise<void> {
  const secrets = (await api.discover(signal)).find('v1', 'Secret');
  if (secrets === undefined) return;
  const found = await api.list(secrets, { namespace: HOME, labels }, signal);
  const heads = found.filter((one) => headOf(one) !== undefined && isKept(aboutOf(one)));
  const kept = new Set(heads.flatMap((one) => [one.metadata.name, ...headOf(one)!.pieces]));
  for (const secret of found) {
    const { name, uid } = secret.metadata;
    if (!kept.has(name)) await api.remove(nameOf(secret), { uid, propagation: 'Background' }, signal);
  }
}

function selector(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
