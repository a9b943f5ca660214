import { type Challenge, parseChallenges } from '../../formats/oci/challenge.ts';
import { fromFormat } from '../errors.ts';
import { basic, type Credentials, type FindCredentials } from './credentials.ts';
import type { RepositoryTarget } from './target.ts';
import { fetchToken, mergeScopes, type SendToken, type Token } from './token.ts';

/** What a request wants to do in the repository. */
export type Actions = 'pull' | 'pull,push';

/** Knows what to put into `Authorization` for one repository. */
export interface Authorizer {
  /** The header for a request of these actions; undefined as long as no answer asked for one. */
  header(actions: Actions): Promise<string | undefined>;
  /** Learns from the `WWW-Authenticate` of a 401; whether another attempt makes sense. `sent` is what was refused. */
  challenged(value: string | undefined, actions: Actions, sent: string | undefined): Promise<boolean>;
  /** Blanks every secret it holds in `text`. */
  blank(text: string): string;
}

type Method = { kind: 'none' } | { kind: 'basic' } | { kind: 'bearer'; challenge: Challenge };

/** Makes the authorizer of `target`: Basic (RFC 7617), or Bearer as in distribution's token specification. */
export function createAuthorizer(target: RepositoryTarget, send: SendToken, find?: FindCredentials): Authorizer {
  let method: Method = { kind: 'none' };
  const secrets = new Set<string>();
  const blank = (text: string): string => [...secrets].reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  const user = findOnce(target, secrets, find);
  const tokens = keepTokens(async (challenge, scopes) => {
    const token = await fetchToken(target, { challenge, scopes, credentials: await user() }, send, blank);
    secrets.add(token.value);
    return token;
  });
  return {
    blank,
    header: async (actions) => {
      if (method.kind === 'none') return undefined;
      if (method.kind === 'bearer') {
        return `Bearer ${await tokens.get(method.challenge, scopesOf(target, method.challenge, actions))}`;
      }
      const found = await user();
      return found && basic(found);
    },
    challenged: async (value, actions, sent) => {
      const offered = readChallenges(target, value);
      const challenge = offered.find(({ scheme, params }) => scheme === 'bearer' && params.has('realm'));
      if (challenge) {
        // A token that was refused has expired, or lacks a scope that the new challenge names.
        if (sent?.startsWith('Bearer ')) tokens.forget(scopesOf(target, challenge, actions));
        method = { kind: 'bearer', challenge };
        return true;
      }
      if (sent !== undefined || !offered.some(({ scheme }) => scheme === 'basic')) return false;
      method = { kind: 'basic' };
      return (await user()) !== undefined;
    },
  };
}

/** Looks credentials up once, and notes what must not be shown. */
function findOnce(
  target: RepositoryTarget,
  secrets: Set<string>,
  find: FindCredentials | undefined,
): () => Promise<Credentials | undefined> {
  let pending: Promise<Credentials | undefined> | undefined;
  const look = async (): Promise<Credentials | undefined> => {
    const found = await find?.(target.registry, target.repository);
    if (!found) return undefined;
    for (const secret of [found.password, found.identityToken, basic(found).slice('Basic '.length)]) {
      if (secret) secrets.add(secret);
    }
    return found;
  };
  return () => {
    pending ??= look();
    return pending;
  };
}

/** Keeps tokens by their scopes for as long as they live. */
function keepTokens(fetch: (challenge: Challenge, scopes: readonly string[]) => Promise<Token>): {
  get(challenge: Challenge, scopes: readonly string[]): Promise<string>;
  forget(scopes: readonly string[]): void;
} {
  const tokens = new Map<string, Promise<Token>>();
  return {
    get: async (challenge, scopes) => {
      const key = scopes.join(' ');
      const kept = await tokens.get(key);
      if (kept && kept.until > performance.now()) return kept.value;
      // Kept as a promise, so that requests that come together share one token; a failure is not kept.
      const pending = fetch(challenge, scopes);
      tokens.set(key, pending);
      pending.catch(() => tokens.delete(key));
      return (await pending).value;
    },
    forget: (scopes) => void tokens.delete(scopes.join(' ')),
  };
}

/** What the challenge asks for and what the request is about to do, so that one token serves a whole transfer. */
function scopesOf(target: RepositoryTarget, challenge: Challenge, actions: Actions): string[] {
  const asked = challenge.params.get('scope')?.split(' ').filter(Boolean) ?? [];
  return mergeScopes([...asked, `repository:${target.repository}:${actions}`]);
}

function readChallenges(target: RepositoryTarget, value: string | undefined): Challenge[] {
  try {
    return parseChallenges(value ?? '');
  } catch (error) {
    throw fromFormat('registry-error', target.registry, error, 'check the proxy before the registry');
  }
}
