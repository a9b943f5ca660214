import type { Bytes } from '../../../../../../formats/bytes.ts';
import { FormatError } from '../../../../../../formats/error.ts';
import { exactJson, parseExactJson } from '../../../../../../formats/exact-json.ts';
import { sizeWords } from '../../../../../../formats/size-words.ts';
import { codeOf, reasonOf, SolpackError } from '../../../../../kernel/events/index.ts';
import {
  basicAuthorization,
  type HttpTiming,
  memoryBody,
  type Persisted,
  persist,
  type Request,
  type RetryPolicy,
} from '../../../../../kernel/http/index.ts';
import { ApiError } from '../api.ts';
import type { ClusterAccess, ClusterCredentials } from './credentials.ts';
import { apiErrorOf, isDefinite, type TriedCall, type WholeAnswer } from './status.ts';

/** What is asked of an API server. Everything may be sent twice: what is posted is a question, and stores nothing. */
export interface ApiCall extends TriedCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash; segments are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Request['headers'];
  /** Sent as JSON. */
  readonly body?: { readonly type: string; readonly value: unknown };
  /** Statuses that are answers of use, too. */
  readonly also?: readonly number[];
  /** Waiting times other than those of the session. */
  readonly timing?: HttpTiming;
  readonly signal: AbortSignal;
}

/** An answer of use: status 2xx, or one that the call expects. */
export interface ApiReply {
  readonly status: number;
  readonly etag: string | undefined;
  /** Whether an earlier attempt may have done what was asked. */
  readonly repeated: boolean;
  /** Gives the body as text. */
  text(): string;
  /** Gives the value that it holds in JSON. Throws `ApiError` where it is none. */
  json(): unknown;
}

/** Sends calls to one API server with fresh credentials. */
export interface ApiSession {
  readonly server: string;
  /**
   * Sends a call, and again where it may help. Throws `ApiError`, also where nobody answers (status 0; `cause` is why),
   * and `kubeconfig-invalid`.
   */
  send(call: ApiCall): Promise<ApiReply>;
  /**
   * Sends a call once, and streams its answer for as long as the server sends. Throws as `send`, and where the answer
   * breaks off.
   */
  stream(call: ApiCall): Bytes;
  close(): void;
}

/** Bytes of one answer that are accepted: many times an object, and what a page of a list may need. */
export const ANSWER_LIMIT: number = 32 * 1024 * 1024;

/**
 * What an API server does that restarts, is busy, or waits for a webhook that is about to come up. How long it is
 * waited for is said by `HttpTiming`.
 */
const retries: RetryPolicy<WholeAnswer> = {
  statuses: new Set([429, 500, 502, 503, 504]),
  isFinal: isDefinite,
  awaitsServer: true,
  attempts: Number.POSITIVE_INFINITY,
  longestAsked: Number.POSITIVE_INFINITY,
};

/** An answer of more bytes than are accepted. */
class TooLargeError extends Error {}

/** Opens a session. Nothing is sent yet. `onWarning` receives each `Warning` header. */
export function openApiSession(
  credentials: ClusterCredentials,
  usual: HttpTiming,
  onWarning: (header: string | undefined, subject: string) => void,
): ApiSession {
  const attempts = (call: ApiCall, access: ClusterAccess): Promise<Persisted<WholeAnswer>> => {
    // A log may come a line at a time: whatever comes is a sign of life.
    const timing = { least: 1, ...(call.timing ?? usual) };
    const { signal } = call;
    const request = requestOf(credentials.server, call, access);
    const attempt = async (): Promise<WholeAnswer> => {
      const { status, headers, gather } = await access.transport.send(request, timing);
      return { status, headers, body: await gather(ANSWER_LIMIT).catch(tooLarge) };
    };
    return persist(attempt, { policy: retries, timing, signal });
  };
  const authorized = async (call: ApiCall): Promise<Persisted<WholeAnswer> & { access: ClusterAccess }> => {
    const access = await credentials.access();
    const outcome = await attempts(call, access);
    if (outcome.answer.status !== 401) return { ...outcome, access };
    // A token or certificate that was renewed on disk while solpack runs is taken up.
    const renewed = await credentials.renew(access);
    return renewed ? { ...(await attempts(call, renewed)), access: renewed } : { ...outcome, access };
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
    stream: (call) => streamed(credentials, call, call.timing ?? usual),
    close: () => credentials.close(),
  };
}

async function* streamed(credentials: ClusterCredentials, call: ApiCall, usual: HttpTiming): Bytes {
  const timing = { least: 1, ...usual };
  try {
    let access = await credentials.access();
    let answer = await access.transport.send(requestOf(credentials.server, call, access), timing);
    const renewed = answer.status === 401 ? await credentials.renew(access) : undefined;
    if (renewed !== undefined) {
      answer.discard();
      access = renewed;
      answer = await access.transport.send(requestOf(credentials.server, call, access), timing);
    }
    const { status, headers } = answer;
    if (status < 200 || status > 299) {
      const body = await answer.gather(ANSWER_LIMIT);
      throw apiErrorOf({ status, headers, body }, call, ...(status === 401 ? [access.refusal] : []));
    }
    yield* answer.read();
  } catch (error) {
    call.signal.throwIfAborted();
    throw networkError(error, call);
  }
}

function requestOf(server: string, call: ApiCall, { headers, auth }: ClusterAccess): Request {
  const { method, body, signal } = call;
  return {
    method,
    url: urlOf(server, call),
    headers: {
      'user-agent': 'solpack',
      accept: 'application/json',
      ...(body ? { 'content-type': body.type } : {}),
      ...call.headers,
      ...(auth === undefined ? {} : { authorization: basicAuthorization(auth) }),
      ...headers,
    },
    ...(body ? { body: memoryBody(Buffer.from(exactJson(body.value))) } : {}),
    signal,
  };
}

function tooLarge(error: unknown): never {
  if (!(error instanceof FormatError)) throw error;
  throw new TooLargeError(`the answer has more than ${sizeWords(ANSWER_LIMIT)}`);
}

function urlOf(server: string, { path, query }: ApiCall): URL {
  const url = new URL(server + path);
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

function replyOf(answer: WholeAnswer, repeated: boolean, call: ApiCall): ApiReply {
  const text = (): string => new TextDecoder().decode(answer.body);
  return {
    status: answer.status,
    etag: answer.headers.etag,
    repeated,
    text,
    json: () => {
      try {
        return parseExactJson(text());
      } catch {
        throw apiErrorOf(answer, call, 'the answer is not JSON, so this is not the API server of a cluster');
      }
    },
  };
}

/**
 * Makes an `ApiError` of status 0 of a failure of the network; returns errors that are reported already, and bugs, as
 * they are.
 */
function networkError(error: unknown, tried: TriedCall): unknown {
  if (error instanceof SolpackError || error instanceof ApiError || !(error instanceof Error)) return error;
  if (error instanceof TypeError && codeOf(error) === undefined) return error;
  const tooLarge = error instanceof TooLargeError ? { status: 0, reason: 'TooLarge' } : { status: 0 };
  return new ApiError(tried, tooLarge, reasonOf(error), { cause: error });
}
