import type { Digest } from '../../../formats/digest.ts';
import { type Answer, hop, memoryBody, type NamedBy, namedBy } from '../../kernel/http/index.ts';
import type { Call, Client } from './client-kind.ts';

/** An upload that a registry has opened. */
export interface Session {
  /** Where it continues; the registry may name another place with each answer. */
  readonly url: URL;
  /** How far in that place may lie. */
  readonly named: NamedBy;
  /** The smallest piece that the registry takes, in bytes (distribution-spec "Pushing a blob in chunks"). */
  readonly least: number;
}

const nothing = new Uint8Array();

/** Opens an upload (distribution-spec "Pushing blobs"). */
export async function openSession(client: Client, signal?: AbortSignal): Promise<Session> {
  const call: Call = {
    method: 'POST',
    to: 'blobs/uploads/',
    actions: 'pull,push',
    body: memoryBody(nothing),
    signal,
  };
  const answer = await client.send(call);
  const session = await sessionOf(client, call, answer);
  if (answer.status !== 202 || !session) throw await client.failure(call, answer);
  answer.discard();
  return session;
}

/** Returns the upload that an answer reports; undefined where it names no place. */
export async function sessionOf(client: Client, call: Call, answer: Answer): Promise<Session | undefined> {
  const { location } = answer.headers;
  if (location === undefined) return undefined;
  const url = await client.reading(call, async () => hop(answer.url, location, 'sends an upload', true));
  const least = Number(answer.headers['oci-chunk-min-length']);
  return { url, named: namedBy(answer, true, call), least: Number.isSafeInteger(least) && least > 0 ? least : 0 };
}

/** What a registry says it has of an upload. */
export interface Progress {
  readonly session: Session;
  /** Bytes. */
  readonly at: number;
}

/**
 * Asks what a registry has of an upload (distribution-spec "Pushing a blob in chunks"). Undefined where it does not
 * tell: then it is gone, or this registry does not know how to continue.
 */
export async function askSession(
  client: Client,
  session: Session,
  signal?: AbortSignal,
): Promise<Progress | undefined> {
  const call: Call = { method: 'GET', to: session.url, ...session.named, actions: 'pull,push', signal };
  const answer = await client.send(call);
  const at = rangeEnd(answer);
  // "0-0" is one byte, and what some registries say for none.
  const known = answer.status >= 200 && answer.status <= 204 && at !== undefined && at > 1;
  const next = known ? ((await sessionOf(client, call, answer)) ?? session) : session;
  answer.discard();
  return known ? { session: next, at } : undefined;
}

/**
 * Returns how many bytes a registry has by the `Range` of its answer, which has no unit here; undefined where it has
 * none.
 */
export function rangeEnd({ headers }: Answer): number | undefined {
  const last = /^(?:bytes=)?0-(\d{1,15})$/.exec(headers['range'] ?? '')?.[1];
  return last === undefined ? undefined : Number(last) + 1;
}

/** Returns where an upload is closed. The query is the registry's, and goes back as it came. */
export function closingOf({ url }: Session, digest: Digest): URL {
  const to = new URL(url);
  to.search += `${to.search === '' ? '?' : '&'}digest=${encodeURIComponent(digest)}`;
  return to;
}

/**
 * Tells the registry that an upload will not continue, so that it need not keep what it has; whatever it answers. The
 * distribution-spec says nothing of this; it is "Canceling an Upload" of Docker's Registry HTTP API V2, which many
 * registries have. Distribution 2 keeps the states of the hash that it has written meanwhile, until it purges uploads.
 */
export async function cancelSession(client: Client, { url, named }: Session, signal?: AbortSignal): Promise<void> {
  const call: Call = { method: 'DELETE', to: url, ...named, actions: 'pull,push', signal };
  await client.send(call).then(
    (answer) => answer.discard(),
    () => undefined,
  );
}
