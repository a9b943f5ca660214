import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { ReadContent } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { isPassingStatus, isTransient } from '../../kernel/http/index.ts';
import { type Feed, feedOf } from './byte-feed.ts';
import type { Client } from './client-kind.ts';
import { has } from './content-presence.ts';
import { usualUpload } from './options.ts';
import { type Plan, type Sent, sendPiece } from './upload-piece.ts';
import { askSession, cancelSession, openSession, type Session } from './upload-session.ts';

/** The smallest piece that is tried where a registry finds pieces too large, in bytes. */
const LEAST = 64 * 1024;

/** A blob on its way. */
export interface Blob {
  readonly descriptor: Descriptor;
  readonly read: ReadContent;
}

/** What became of a piece that did not get through. */
type Failed = Exclude<Sent, { kind: 'stored' | 'on' }>;

/**
 * Stores a blob: POST opens an upload, one PUT carries all of it (distribution-spec "POST then PUT"); a large one is
 * sent in pieces by PATCH, and so is one that the registry finds too large. Where the way breaks, the blob is read
 * again, and the upload continues from what the registry has of it, or from its start where it does not tell. `session`
 * is an upload that was opened already.
 */
export async function pushBlob(client: Client, blob: Blob, session?: Session, signal?: AbortSignal): Promise<void> {
  const upload = new Upload(client, blob, signal);
  try {
    await upload.run(session ?? (await openSession(client, signal)));
  } finally {
    await upload.close();
  }
}

class Upload {
  readonly client: Client;
  readonly blob: Blob;
  readonly signal: AbortSignal | undefined;
  plan: Plan;
  feed: Feed;
  /** What the registry is known to have, in bytes, and the most that it ever had. */
  at = 0;
  best = 0;
  failures = 0;
  refusals = 0;
  /** Why the blob itself cannot be read, once it cannot. */
  unreadable = false;

  constructor(client: Client, blob: Blob, signal: AbortSignal | undefined) {
    this.client = client;
    this.blob = blob;
    this.signal = signal;
    const sizes = { ...usualUpload, ...client.shared.options.upload };
    this.plan = { chunk: blob.descriptor.size > sizes.whole ? sizes.chunk : undefined, patience: 1 };
    this.feed = this.fed(0);
  }

  async run(opened: Session): Promise<void> {
    let session = opened;
    for (;;) {
      const { descriptor } = this.blob;
      const sent = await sendPiece(this.client, descriptor, this.feed, { ...this, session }, this.signal);
      if (sent.kind === 'stored') return;
      if (sent.kind === 'on') {
        ({ session, at: this.at, plan: this.plan } = sent);
        this.advance();
        continue;
      }
      const next = await this.recover(sent, session);
      if (!next) return;
      session = next;
    }
  }

  close(): Promise<void> {
    return this.feed.close();
  }

  /**
   * Where to continue after a failure; undefined where the registry has all of it. Throws where there is no running.
   */
  async recover(failed: Failed, session: Session): Promise<Session | undefined> {
    const { client, signal, blob } = this;
    this.failures += 1;
    if (this.unreadable || !(await this.mayRepeat(failed))) {
      if (failed.kind === 'answered') await cancelSession(client, session, signal);
      throw await this.errorOf(failed);
    }
    if (failed.kind === 'answered') failed.answer.discard();
    // The answer to the last piece may be what was lost.
    if (failed.closing && (await this.isStored())) return undefined;
    const progress = failed.anew ? undefined : await askSession(client, session, signal);
    // The registry may have been at work on that piece until it was asked.
    if (failed.closing && !failed.anew && !progress && (await this.isStored())) return undefined;
    const known = progress && progress.at <= blob.descriptor.size ? progress : undefined;
    this.at = known?.at ?? 0;
    this.advance();
    const next = known?.session ?? (await openSession(client, signal));
    await this.feed.close();
    this.feed = this.fed(this.at);
    return next;
  }

  /**
   * Whether the registry has the blob. One that fails to tell, as docker-registry 2 may once its disk is full, is sent
   * it again.
   */
  async isStored(): Promise<boolean> {
    try {
      return await has(this.client, this.blob.descriptor, this.signal);
    } catch (error) {
      if (error instanceof SolpackError && error.code === 'registry-error') return false;
      throw error;
    }
  }

  async mayRepeat(failed: Failed): Promise<boolean> {
    if (failed.kind === 'broken') return this.client.recover(causeOf(failed.error), this.failures, this.signal);
    const { status } = failed.answer;
    // The client has learnt what the registry wants to see.
    if (status === 401) return this.refusals++ === 0;
    if (this.otherPlan(status, failed)) return true;
    const lost = failed.anew || status === 416;
    return (lost || isPassingStatus(status)) && this.client.patience(failed.answer, this.failures, this.signal);
  }

  /** Returns whether a registry that does not take pieces of this size, or no pieces at all, may take others. */
  otherPlan(status: number, failed: Failed): boolean {
    const { chunk } = this.plan;
    const { size } = this.blob.descriptor;
    if (status === 413) {
      const less = Math.ceil(Math.min(chunk ?? size, size) / 4);
      if (less < LEAST) return false;
      this.plan = { ...this.plan, chunk: less };
      failed.anew = true;
      return true;
    }
    if (chunk === undefined || this.best > 0 || failed.closing || ![400, 404, 405, 501].includes(status)) return false;
    this.plan = { ...this.plan, chunk: undefined };
    failed.anew = true;
    return true;
  }

  advance(): void {
    if (this.at <= this.best) return;
    this.best = this.at;
    this.failures = 0;
    this.refusals = 0;
  }

  /** The blob from byte `offset` on, which is handed on in pieces. */
  fed(offset: number): Feed {
    const bytes = this.blob.read({ offset, reuse: true });
    const note = (): void => {
      this.unreadable = true;
    };
    return feedOf(
      (async function* () {
        try {
          yield* bytes;
        } catch (error) {
          note();
          throw error;
        }
      })(),
    );
  }

  async errorOf(failed: Failed): Promise<unknown> {
    return failed.kind === 'broken' ? failed.error : this.client.failure(failed.call, failed.answer);
  }
}

/** Returns what broke a call, below what a user reads of it. */
function causeOf(error: unknown): unknown {
  return error instanceof SolpackError && isTransient(error.cause) ? error.cause : error;
}
