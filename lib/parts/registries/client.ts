import {
  type Answer,
  BodyError,
  backOff,
  isTransient,
  namedBy,
  sendRequest,
  waitFor,
} from '../../kernel/http/index.ts';
import { type Authorizer, createAuthorizer } from './authorizer.ts';
import type { Call, Client, Shared } from './client-kind.ts';
import { answerFailure, registryNetworkFailure, type Tried } from './failure.ts';
import type { RegistryOptions } from './options.ts';
import { hostOf, type RepositoryTarget } from './repository-target.ts';

/** How often a broken transfer is taken up again without any byte of progress. */
const RESUMES = 3;
/** Answers whose words say what is wrong with a request, or with whoever sent it. */
const REASONED: readonly number[] = [400, 401, 403, 412];
/** What stores answer to a signed link that has run out, or that they cannot check: S3 and Azure 403, Google 400. */
const REFUSED_LINK: readonly number[] = [400, 401, 403, 410];

/** Makes the client of a repository. Nothing is sent yet. */
export function createClient(target: RepositoryTarget, shared: Shared): Client {
  const { options, timing, transport } = shared;
  const base = new URL(`${target.scheme}://${hostOf(target.registry)}/v2/${target.repository}/`);
  const name = `${target.registry}/${target.repository}`;
  const signalOf = (own: AbortSignal | undefined): AbortSignal | undefined =>
    own && options.signal ? AbortSignal.any([own, options.signal]) : (own ?? options.signal);
  const authorizer = createAuthorizer(
    target,
    shared.tokens,
    (request) => sendRequest(transport, { ...request, signal: options.signal }, timing),
    options.credentials,
  );
  const warn = warnings(options.onWarning, authorizer.blank);
  const tried = (call: Call): Tried => triedFor(call, { base, subject: name, blank: authorizer.blank });

  const attempt = async (call: Call, authorization: string | undefined): Promise<Answer> => {
    const headers = { 'user-agent': 'solpack', ...call.headers, ...(authorization ? { authorization } : {}) };
    const url = new URL(call.to, base);
    const body = call.body ? { body: call.body } : {};
    const answer = await sendRequest(
      transport,
      { ...call, ...body, sentBy: call.sentBy ?? target.sentBy, url, headers, signal: signalOf(call.signal) },
      timing,
    );
    warn(answer.headers['warning']);
    return answer;
  };

  const reading = async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      signalOf(call.signal)?.throwIfAborted();
      throw error instanceof BodyError ? error.cause : registryNetworkFailure(error, tried(call));
    }
  };

  const send: Client['send'] = (call) =>
    reading(call, async () => {
      const answer = await authorized(call, base, authorizer, attempt);
      if (!isRefusedLink(call, answer, base)) return answer;
      // A signed link may have run out on the way. The registry makes another one.
      answer.discard();
      return authorized(call, base, authorizer, attempt);
    });

  /**
   * Whether somebody who was refused by an answer without words may ask again for the reason. No password is tried
   * twice.
   */
  const mayAskAgain = async (call: Call, { status }: Answer): Promise<boolean> =>
    REASONED.includes(status) && (status !== 401 || Boolean((await authorizer.header(call))?.startsWith('Bearer ')));

  return {
    name,
    target,
    shared,
    send,
    failure: async (call, answer) => {
      if (call.method !== 'HEAD' || !(await mayAskAgain(call, answer))) return answerFailure(answer, tried(call));
      const again: Call = { ...call, method: 'GET' };
      const repeated = await send(again);
      if (REASONED.includes(repeated.status)) return answerFailure(repeated, tried(again));
      repeated.discard();
      return answerFailure(answer, tried(call));
    },
    reading,
    recover: async (error, count, signal) => {
      if (!isTransient(error) || count > RESUMES) return false;
      await backOff(count, timing, signalOf(signal));
      return true;
    },
    patience: async (answer, count, signal) =>
      count <= RESUMES && (await waitFor(answer, count, timing, signalOf(signal))),
  };
}

/** Returns what a call was, for the message about its failure. */
function triedFor(
  { method, to, actions, algorithm }: Call,
  { base, ...rest }: Pick<Tried, 'subject' | 'blank'> & { readonly base: URL },
): Tried {
  const direction = actions === 'pull' ? 'pull' : 'push';
  const url = new URL(to, base);
  return { method, url, origin: base.origin, direction, algorithm: algorithm ?? algorithmIn(to), ...rest };
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
  for (let tries = 1; ; tries += 1) {
    const authorization = own ? await authorizer.header(call) : undefined;
    const answer = await attempt(call, authorization);
    const refused = refuses(answer) && answer.url.origin === base.origin;
    // A new token may still lack a scope; the registry names it then.
    if (!refused || (tries > 1 && (tries > 2 || !lacksScope(answer)))) return answer;
    const again = await authorizer.challenged(
      answer.headers['www-authenticate'],
      call,
      authorization,
      namedBy(answer, true, call),
    );
    // A body that was begun is its sender's to repeat, now that more is known.
    if (!again || call.body?.fresh() === false) return answer;
    answer.discard();
  }
}

/** Returns whether an answer asks for credentials, or for a token of wider scope. */
function refuses(answer: Answer): boolean {
  return answer.status === 401 || (answer.status === 403 && lacksScope(answer));
}

/** Returns whether an answer asks for a token of wider scope (RFC 6750, 3.1). */
function lacksScope({ headers }: Answer): boolean {
  return /\binsufficient_scope\b/.test(headers['www-authenticate'] ?? '');
}

/** Returns whether a place that the registry sent a reader to refuses the link that the registry made. */
function isRefusedLink({ method }: Call, { status, url }: Answer, base: URL): boolean {
  return (method === 'GET' || method === 'HEAD') && url.origin !== base.origin && REFUSED_LINK.includes(status);
}

/** Returns the algorithm of the digest that an address names. */
function algorithmIn(to: string | URL): string | undefined {
  return /\b(sha512|sha256)(?::|%3A)/.exec(to.toString())?.[1];
}

/** Hands on the texts of `Warning: 299 - "…"`, each once. */
function warnings(
  onWarning: RegistryOptions['onWarning'],
  blank: (text: string) => string,
): (header: string | string[] | undefined) => void {
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
      onWarning?.(blank(text));
    }
  };
}
