import type { Body } from '../http/body.ts';
import { backOff, isTransient, persist } from '../http/retry.ts';
import { type Answer, BodyError, createTransport, type Request, type Timing, usualTiming } from '../http/transport.ts';
import { type Actions, type Authorizer, createAuthorizer } from './auth.ts';
import type { FindCredentials } from './credentials.ts';
import { answerFailure, networkFailure, type Tried } from './failure.ts';
import { hostOf, type RepositoryTarget } from './target.ts';

/** How a registry is talked to. */
export interface RegistryOptions {
  /** Where user and password come from; asked once, when the registry wants them. */
  readonly credentials?: FindCredentials;
  /** PEM text of certificate authorities to trust beside those of the system. */
  readonly ca?: string;
  /** Ends whatever is under way. */
  readonly signal?: AbortSignal;
  /** Receives what the registry says in `Warning` headers (distribution-spec "Warnings"), each text once. */
  readonly onWarning?: (message: string) => void;
  /** Waiting times other than the usual ones (idle 60 s, answer 300 s, pause 0.5 s). */
  readonly timing?: Partial<Timing>;
}

/** What is asked of a repository. */
export interface Call {
  readonly method: Request['method'];
  /** Below `/v2/<repository>/`, or an absolute URL that an upload was given. */
  readonly to: string | URL;
  readonly actions: Actions;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly signal?: AbortSignal | undefined;
}

/** Talks to one repository: authenticates, repeats, follows redirects, and says in words what failed. */
export interface Client {
  /** Host and repository, for messages. */
  readonly name: string;
  /** Sends a call, and returns its answer whatever its status. Throws `registry-unreachable`, `registry-denied`, `registry-error`. */
  send(call: Call): Promise<Answer>;
  /** The error that an answer of no use is; reads its body. */
  failure(call: Call, answer: Answer): Promise<Error>;
  /** Runs `work`, which reads an answer of `call`, so that a broken connection ends in `registry-unreachable`. */
  reading<T>(call: Call, work: () => Promise<T>): Promise<T>;
  /** Whether a broken transfer may be taken up again, after having waited; false for the attempt that is one too many. */
  recover(error: unknown, attempt: number, signal?: AbortSignal): Promise<boolean>;
  close(): void;
}

/** How often a broken download is taken up again without any byte of progress. */
const RESUMES = 3;

/** Makes the client of a repository. Nothing is sent yet. */
export function createClient(target: RepositoryTarget, options: RegistryOptions): Client {
  const timing: Timing = { ...usualTiming, ...options.timing };
  const transport = createTransport(timing, options.ca);
  const base = new URL(`${target.scheme}://${hostOf(target.registry)}/v2/${target.repository}/`);
  const name = `${target.registry}/${target.repository}`;
  const signalOf = (own: AbortSignal | undefined): AbortSignal | undefined =>
    own && options.signal ? AbortSignal.any([own, options.signal]) : (own ?? options.signal);
  const authorizer = createAuthorizer(
    target,
    (request) => persist(transport, { ...request, signal: options.signal }, timing),
    options.credentials,
  );
  const warn = warnings(options.onWarning);
  const tried = (call: Call): Tried => ({
    method: call.method,
    url: new URL(call.to, base),
    subject: name,
    blank: authorizer.blank,
  });

  const attempt = async (call: Call, authorization: string | undefined): Promise<Answer> => {
    const headers = { 'user-agent': 'solpack', ...call.headers, ...(authorization ? { authorization } : {}) };
    const url = new URL(call.to, base);
    const body = call.body ? { body: call.body } : {};
    const answer = await persist(transport, { ...call, ...body, url, headers, signal: signalOf(call.signal) }, timing);
    warn(answer.headers['warning']);
    return answer;
  };

  const reading = async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      signalOf(call.signal)?.throwIfAborted();
      throw error instanceof BodyError ? error.cause : networkFailure(error, tried(call));
    }
  };

  return {
    name,
    send: (call) => reading(call, () => authorized(call, base, authorizer, attempt)),
    failure: (call, answer) => answerFailure(answer, tried(call)),
    reading,
    recover: async (error, count, signal) => {
      if (!isTransient(error) || count > RESUMES) return false;
      await backOff(count, timing, signalOf(signal));
      return true;
    },
    close: () => transport.close(),
  };
}

/** Sends a call with what the authorizer knows, and once more if a 401 taught it more. */
async function authorized(
  call: Call,
  base: URL,
  authorizer: Authorizer,
  attempt: (call: Call, authorization: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  // Where an upload is sent elsewhere, that place gets no credentials.
  const own = new URL(call.to, base).origin === base.origin;
  const authorization = own ? await authorizer.header(call.actions) : undefined;
  const answer = await attempt(call, authorization);
  if (answer.status !== 401 || answer.url.origin !== base.origin) return answer;
  if (call.body?.fresh() === false) return answer;
  const again = await authorizer.challenged(answer.headers['www-authenticate'], call.actions, authorization);
  if (!again) return answer;
  answer.discard();
  return attempt(call, await authorizer.header(call.actions));
}

/** Hands on the texts of `Warning: 299 - "…"`, each once. */
function warnings(onWarning: RegistryOptions['onWarning']): (header: string | string[] | undefined) => void {
  const seen = new Set<string>();
  return (header) => {
    for (const [, quoted] of [header ?? '']
      .flat()
      .join(', ')
      .matchAll(/\b299 - "((?:[^"\\]|\\.)*)"/g)) {
      const text = quoted!.replace(/\\(.)/g, '$1');
      // A registry that words each warning anew is not allowed to fill the memory.
      if (seen.has(text) || seen.size >= 100) continue;
      seen.add(text);
      onWarning?.(text);
    }
  };
}
