import { text } from '../../../formats/bytes.ts';
import type { Challenge } from '../../../formats/oci/challenge.ts';
import { z } from '../../../formats/schema.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { type Answer, hop, memoryBody, type NamedBy, type Request } from '../../kernel/http/index.ts';
import { basic, type Credentials } from './credentials.ts';
import { answerFailure, registryNetworkFailure, type Tried } from './failure.ts';
import type { RepositoryTarget } from './repository-target.ts';

/** The largest answer of a token server that is read, in bytes. */
const LIMIT = 128 * 1024;
/** How long a token lives where the server does not say, in seconds. */
const LIFE = 60;

/** What a token is asked for with. */
export interface Grant {
  readonly challenge: Challenge;
  readonly scopes: readonly string[];
  readonly credentials: Credentials | undefined;
  /** How far in the realm may lead. */
  readonly named: NamedBy;
}

/** A bearer token, and until when it is used, on the clock of `performance.now`. */
export interface Token {
  readonly value: string;
  readonly until: number;
}

/** Sends a request to the token server, with redirects and repetitions. */
export type SendToken = (request: Request) => Promise<Answer>;

const schema = z.looseObject({
  token: z.string().optional(),
  access_token: z.string().optional(),
  expires_in: z.number().positive().optional(),
});

/**
 * Fetches a token from the realm that a challenge names: GET with Basic, or OAuth2 with a refresh token
 * (distribution's "Token Authentication Specification" and "OAuth2 Token Authentication").
 * Throws `registry-denied`, `registry-error`, `registry-unreachable`.
 */
export async function fetchToken(
  target: RepositoryTarget,
  grant: Grant,
  send: SendToken,
  blank: (text: string) => string,
): Promise<Token> {
  const realm = realmOf(target, grant.challenge, blank);
  const request = { ...requestFor(realm, grant), ...grant.named };
  const tried: Tried = { method: request.method, ...at(realm), subject: target.registry, blank };
  const start = performance.now();
  try {
    const answer = await send(request);
    if (answer.status !== 200) throw await answerFailure(answer, tried);
    const value = read(await answer.gather(LIMIT));
    const token = value?.token || value?.access_token;
    // Whatever else it is made of, it has to fit into a header.
    if (!token || !/^[\x21-\x7e]+$/.test(token)) throw unusable(target, realm);
    return { value: token, until: start + (value.expires_in ?? LIFE) * 800 };
  } catch (error) {
    throw registryNetworkFailure(error, tried);
  }
}

/** A token serves either direction; the registry says so to whoever lacks the right for one. */
function at(url: URL): Pick<Tried, 'url' | 'origin' | 'direction'> {
  return { url, origin: url.origin, direction: 'pull' };
}

function realmOf(target: RepositoryTarget, challenge: Challenge, blank: (text: string) => string): URL {
  const from = new URL(`${target.scheme}://${target.registry}/`);
  try {
    return hop(from, challenge.params.get('realm') ?? '', 'redirects for a token', true);
  } catch (error) {
    throw registryNetworkFailure(error, { method: 'GET', ...at(from), subject: target.registry, blank });
  }
}

function requestFor(realm: URL, { challenge, scopes, credentials }: Grant): Request {
  const service = challenge.params.get('service');
  if (credentials?.identityToken !== undefined) {
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: credentials.identityToken,
      client_id: 'solpack',
      scope: scopes.join(' '),
      ...(service === undefined ? {} : { service }),
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { method: 'POST', url: realm, headers, body: memoryBody(Buffer.from(form.toString())) };
  }
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.append('service', service);
  for (const scope of scopes) url.searchParams.append('scope', scope);
  return { method: 'GET', url, headers: credentials ? { authorization: basic(credentials) } : {} };
}

function read(bytes: Uint8Array): z.infer<typeof schema> | undefined {
  try {
    return schema.parse(JSON.parse(text(bytes, 'json-invalid')));
  } catch {
    return undefined;
  }
}

function unusable(target: RepositoryTarget, realm: URL): SolpackError {
  return new SolpackError('registry-error', target.registry, `${realm.origin} answered without a usable token`, {
    hint: 'read the log of the token server',
  });
}

/**
 * Joins scopes of one resource (`repository:app/web:pull` and `…:push`), sorted, so that equal wishes are equal text.
 */
export function mergeScopes(scopes: readonly string[]): string[] {
  const byResource = new Map<string, Set<string>>();
  for (const scope of scopes) {
    // Some registries have scopes that are one word.
    const [, resource, wanted] = /^(.*):([^:]*)$/s.exec(scope) ?? [undefined, scope, ''];
    const actions = byResource.get(resource!) ?? new Set();
    byResource.set(resource!, actions);
    for (const action of wanted!.split(',').filter(Boolean)) actions.add(action);
  }
  const written = [...byResource].map(([resource, actions]) => [resource, [...actions].sort().join(',')]);
  return written.map(([resource, actions]) => (actions ? `${resource}:${actions}` : resource!)).sort();
}
