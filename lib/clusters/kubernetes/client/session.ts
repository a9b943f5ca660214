import type { OutgoingHttpHeaders } from 'node:http';
import { SolpackError } from '../../../errors.ts';
import { codeOf, reasonOf } from '../../../system-errors.ts';
import { ApiError } from '../api.ts';
import type { Access, Credentials } from './credentials.ts';
import { type Answer, exchange, type Request, type Timing, TooLargeError } from './http.ts';
import { persist } from './retry.ts';
import { apiErrorOf, type Tried } from './status.ts';

/** What is asked of an API server. Every method is one that may be sent twice. */
export interface Call extends Tried {
  readonly method: Request['method'];
  /** Begins with a slash; segments are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON. */
  readonly body?: { readonly type: string; readonly value: unknown };
  /** Statuses that are answers of use, too. */
  readonly also?: readonly number[];
  readonly timing?: Timing;
  readonly signal: AbortSignal;
}

/** An answer of use: status 2xx, or one that the call expects. */
export interface Reply {
  readonly status: number;
  readonly etag: string | undefined;
  /** Whether an earlier attempt may have done what was asked. */
  readonly repeated: boolean;
  text(): string;
  /** Throws `ApiError` where it is not JSON. */
  json(): unknown;
}

/** Sends calls to one API server with fresh credentials. */
export interface Session {
  readonly server: string;
  /** Throws `ApiError`, also where nobody answers (status 0; `cause` is why), and `kubeconfig-invalid`. */
  send(call: Call): Promise<Reply>;
  close(): void;
}

/** Bytes of one answer that are accepted: many times an object, and what a page of a list may need. */
export const ANSWER_LIMIT: number = 32 * 1024 * 1024;

/** Opens a session. Nothing is sent yet. `onWarning` receives each `Warning` header. */
export function openSession(
  credentials: Credentials,
  timing: Timing,
  onWarning: (header: string | undefined, subject: string) => void,
): Session {
  const attempt = (call: Call, access: Access): Promise<{ answer: Answer; repeated: boolean }> => {
    const waits = call.timing ?? timing;
    const { method, signal, body } = call;
    const request = {
      method,
      url: urlOf(credentials.server, call),
      headers: headersOf(call),
      body: body && Buffer.from(JSON.stringify(body.value)),
      limit: ANSWER_LIMIT,
      signal,
    };
    return persist(() => exchange(request, access, waits), waits, signal);
  };
  const authorized = async (call: Call): Promise<{ answer: Answer; repeated: boolean; access: Access }> => {
    const access = await credentials.access();
    const outcome = await attempt(call, access);
    if (outcome.answer.status !== 401) return { ...outcome, access };
    // A token or certificate that was renewed on disk while solpack runs is taken up.
    const renewed = await credentials.renew(access);
    return renewed ? { ...(await attempt(call, renewed)), access: renewed } : { ...outcome, access };
  };
  return {
    server: credentials.server,
    send: async (call) => {
      const { answer, repeated, access } = await authorized(call).catch((error) => {
        call.signal.throwIfAborted();
        throw networkError(error, call);
      });
      onWarning(answer.headers.warning, call.subject);
      const { status } = answer;
      if (status === 401) throw apiErrorOf(answer, call, access.refusal);
      if ((status < 200 || status > 299) && !call.also?.includes(status)) throw apiErrorOf(answer, call);
      return replyOf(answer, repeated, call);
    },
    close: () => credentials.close(),
  };
}

function headersOf({ headers, body }: Call): OutgoingHttpHeaders {
  const type = body ? { 'content-type': body.type } : {};
  return { 'user-agent': 'solpack', accept: 'application/json', ...type, ...headers };
}

function urlOf(server: string, { path, query }: Call): URL {
  const url = new URL(server + path);
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

function replyOf(answer: Answer, repeated: boolean, call: Call): Reply {
  const text = (): string => new TextDecoder().decode(answer.body);
  return {
    status: answer.status,
    etag: answer.headers.etag,
    repeated,
    text,
    json: () => {
      try {
        return JSON.parse(text());
      } catch {
        throw apiErrorOf(answer, call, 'the answer is not JSON, so this is not the API server of a cluster');
      }
    },
  };
}

/** A failure of the network as an `ApiError` of status 0; errors that are told already, and bugs, as they are. */
function networkError(error: unknown, tried: Tried): unknown {
  if (error instanceof SolpackError || error instanceof ApiError || !(error instanceof Error)) return error;
  if (error instanceof TypeError && codeOf(error) === undefined) return error;
  const tooLarge = error instanceof TooLargeError ? { status: 0, reason: 'TooLarge' } : { status: 0 };
  return new ApiError(tried, tooLarge, reasonOf(error), { cause: error });
}
