import { type Challenge, parseChallenges } from '../../../formats/oci/challenge.ts';
import { fromFormat } from '../../kernel/events/index.ts';
import type { NamedBy } from '../../kernel/http/index.ts';
import type { Wish } from './client-kind.ts';
import { basic, type Credentials, type FindCredentials } from './credentials.ts';
import { fetchToken, mergeScopes, type SendToken } from './fetch-token.ts';
import type { RepositoryTarget } from './repository-target.ts';
import type { Tokens } from './token-cache.ts';

/** Knows what to put into `Authorization` for one repository. */
export interface Authorizer {
  /** Returns the header for a request of that kind; undefined as long as no answer asked for one. */
  header(wish: Wish): Promise<string | undefined>;
  /**
   * Learns from the `WWW-Authenticate` of a 401; whether another attempt makes sense. `sent` is what was refused,
   * `named` how far in a realm may lead.
   */
  challenged(value: string | undefined, wish: Wish, sent: string | undefined, named: NamedBy): Promise<boolean>;
  /** Blanks every secret it holds in `text`. */
  blank(text: string): string;
}

type Method = { kind: 'none' } | { kind: 'basic' } | { kind: 'bearer'; challenge: Challenge; named: NamedBy };

/** Makes the authorizer of `target`: Basic (RFC 7617), or Bearer as in distribution's token specification. */
export function createAuthorizer(
  target: RepositoryTarget,
  tokens: Tokens,
  send: SendToken,
  find?: FindCredentials,
): Authorizer {
  let method: Method = { kind: 'none' };
  const secrets = new Set<string>();
  const blank = (text: string): string => [...secrets].reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  const user = findOnce(target, secrets, find);
  const keyOf = async ({ params }: Challenge, scopes: readonly string[]): Promise<string> => {
    const { username, password, identityToken } = (await user()) ?? {};
    const asked = [target.registry, params.get('realm'), params.get('service'), scopes];
    return JSON.stringify([...asked, username, password, identityToken]);
  };
  const tokenFor = async (challenge: Challenge, scopes: readonly string[], named: NamedBy): Promise<string> => {
    const fetch = async () => fetchToken(target, { challenge, scopes, named, credentials: await user() }, send, blank);
    const token = await tokens.get(await keyOf(challenge, scopes), fetch);
    secrets.add(token);
    return token;
  };
  return {
    blank,
    header: async (wish) => {
      if (method.kind === 'none') return undefined;
      if (method.kind === 'bearer') {
        const { challenge, named } = method;
        return `Bearer ${await tokenFor(challenge, scopesOf(target, challenge, wish), named)}`;
      }
      const found = await user();
      return found && basic(found);
    },
    challenged: async (value, wish, sent, named) => {
      const offered = readChallenges(target, value);
      const challenge = offered.find(({ scheme, params }) => scheme === 'bearer' && params.has('realm'));
      if (challenge) {
        // A token that was refused has expired, or lacks a scope that the new challenge names.
        const scopes = scopesOf(target, challenge, wish);
        const key = await keyOf(challenge, scopes);
        if (sent?.startsWith('Bearer ')) await tokens.forget(key, sent.slice('Bearer '.length));
        method = { kind: 'bearer', challenge, named };
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

/**
 * Returns what the challenge asks for and what the request is about to do, so that one token serves a whole transfer.
 */
function scopesOf(target: RepositoryTarget, challenge: Challenge, { actions, reads }: Wish): string[] {
  const asked = challenge.params.get('scope')?.split(' ').filter(Boolean) ?? [];
  const other = reads === undefined ? [] : [`repository:${reads}:pull`];
  return mergeScopes([...asked, `repository:${target.repository}:${actions}`, ...other]);
}

function readChallenges(target: RepositoryTarget, value: string | undefined): Challenge[] {
  try {
    return parseChallenges(value ?? '');
  } catch (error) {
    throw fromFormat('registry-error', target.registry, error, 'check the proxy in front of the registry');
  }
}
