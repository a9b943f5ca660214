import { algorithmOf, isDigest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { type Answer, memoryBody, streamBody } from '../../kernel/http/index.ts';
import type { Feed } from './byte-feed.ts';
import type { Call, Client } from './client-kind.ts';
import { closingOf, rangeEnd, type Session, sessionOf } from './upload-session.ts';

/** How a blob is sent. */
export interface Plan {
  /** The size of its pieces in bytes; undefined for one piece. */
  readonly chunk: number | undefined;
  /** How often a registry is believed that took a piece and says that it did not. */
  readonly patience: number;
}

/** Where an upload stands. */
export interface Standing {
  readonly session: Session;
  readonly plan: Plan;
  /** What the registry has, in bytes. */
  readonly at: number;
}

interface Attempt {
  readonly call: Call;
  /** Whether it was the request that closes the upload. */
  readonly closing: boolean;
  /** Whether the upload is of no more use, and another one has to be opened. */
  anew: boolean;
}

/** What became of a piece. */
export type Sent =
  | { readonly kind: 'stored' }
  | ({ readonly kind: 'on' } & Standing)
  | ({ readonly kind: 'broken'; readonly error: unknown } & Attempt)
  | ({ readonly kind: 'answered'; readonly answer: Answer } & Attempt);

/** Sends the next piece of a blob, or closes its upload (distribution-spec "Pushing a blob in chunks"). */
export async function sendPiece(
  client: Client,
  descriptor: Descriptor,
  feed: Feed,
  standing: Standing,
  signal?: AbortSignal,
): Promise<Sent> {
  const { session, plan, at } = standing;
  const { digest, size } = descriptor;
  const closing = plan.chunk === undefined || at === size;
  const length = Math.min(size - at, closing ? size : Math.max(plan.chunk!, session.least));
  const range = length > 0 && (at > 0 || !closing) ? { 'content-range': `${at}-${at + length - 1}` } : {};
  const call: Call = {
    method: closing ? 'PUT' : 'PATCH',
    to: closing ? closingOf(session, digest) : session.url,
    ...session.named,
    actions: 'pull,push',
    headers: { 'content-type': 'application/octet-stream', ...range },
    body: length > 0 || at === 0 ? streamBody(feed.take(length), length) : memoryBody(new Uint8Array()),
    signal,
  };
  const attempt = { call, closing, anew: false };
  let answer: Answer;
  try {
    answer = await client.send(call);
  } catch (error) {
    return { kind: 'broken', error, ...attempt };
  }
  if (![200, 201, 202, 204].includes(answer.status)) {
    return { kind: 'answered', answer, ...attempt, anew: answer.status === 404 };
  }
  if (!closing) return goneOn(client, call, answer, { ...standing, at: at + length });
  if (answer.status === 202) return { kind: 'answered', answer, ...attempt };
  answer.discard();
  requireDigest(client, descriptor, answer);
  return { kind: 'stored' };
}

/**
 * Returns where the upload stands after a piece that was taken: at `reached`, if the registry does not say otherwise.
 */
async function goneOn(client: Client, call: Call, answer: Answer, reached: Standing): Promise<Sent> {
  const session = (await sessionOf(client, call, answer)) ?? reached.session;
  const received = rangeEnd(answer) ?? reached.at;
  if (received === reached.at) {
    answer.discard();
    return { ...reached, kind: 'on', session };
  }
  // Some registries tell a range that stands still, and have the bytes all the same.
  const patience = reached.plan.patience - 1;
  if (patience < 0) return { kind: 'answered', answer, call, closing: false, anew: true };
  answer.discard();
  return { ...reached, kind: 'on', session, plan: { ...reached.plan, patience } };
}

function requireDigest(client: Client, { digest }: Descriptor, { headers }: Answer): void {
  const stored = headers['docker-content-digest'];
  // Some registries know SHA-256 alone, and name what they stored by it.
  if (!isDigest(stored) || algorithmOf(stored) !== algorithmOf(digest) || stored === digest) return;
  throw new SolpackError('registry-error', client.name, `${digest} was stored, but as ${stored}`, {
    hint: 'this registry changes contents; use another one',
  });
}
