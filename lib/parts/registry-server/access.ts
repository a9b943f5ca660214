import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { PasswordFile } from '../../../formats/htpasswd/password-file.ts';
import { type PasswordThread, startPasswordThread } from './password-thread.ts';
import { Refusal } from './reply.ts';

/** Decides whether a request may be answered. Throws `Refusal` where it may not. */
export type Admit = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Promise<void>;

/** Checks the user and the password of each request. */
export interface Authenticator extends AsyncDisposable {
  readonly admit: Admit;
  /** Replaces the users. Passwords that were remembered for the old ones no longer count. */
  renew(users: PasswordFile): void;
}

/** How many right passwords are remembered, so that each slow hash is computed once. */
const REMEMBERED = 1000;
/** Most bytes of a password: a longer one takes longer to hash. */
const LONGEST = 256;
/** Most passwords that may wait to be hashed: in all, and from one address. */
const WAITING = 64;
const WAITING_BY_ADDRESS = 8;

/**
 * Asks for Basic authentication (RFC 7617) and lets in the users of an htpasswd file. A thread of its own hashes the
 * passwords.
 */
export function admitUsers(first: PasswordFile): Authenticator {
  const secret = randomBytes(32);
  let users = first;
  let right = new Set<string>();
  let thread: PasswordThread | undefined;
  /** Checks that are under way, by key: several requests with the same password share one. */
  const waiting = new Map<string, { readonly address: string; readonly matches: Promise<boolean> }>();

  const check = async (key: string, address: string, user: string, password: string): Promise<boolean> => {
    const known = waiting.get(key);
    if (known) return known.matches;
    const own = [...waiting.values()].filter((other) => other.address === address);
    if (waiting.size >= WAITING || own.length >= WAITING_BY_ADDRESS) {
      throw new Refusal(429, 'TOOMANYREQUESTS', 'too many passwords at once', { 'retry-after': '1' });
    }
    const [asked, remembered] = [users, right];
    thread ??= startPasswordThread();
    const pending = { address, matches: thread.matches(asked, user, password) };
    waiting.set(key, pending);
    try {
      if (!(await pending.matches)) return false;
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.add(key);
      return asked === users;
    } finally {
      if (waiting.get(key) === pending) waiting.delete(key);
    }
  };

  return {
    admit: async ({ headers: { authorization }, socket }) => {
      const given = credentialsOf(authorization);
      if (!given) throw denied('this registry asks for a user and a password');
      const wrong = denied('user or password is wrong');
      if (Buffer.byteLength(given.password) > LONGEST) throw wrong;
      const key = createHmac('sha256', secret).update(authorization!).digest('hex');
      if (right.has(key)) return;
      if (!(await check(key, socket.remoteAddress ?? '', given.user, given.password))) throw wrong;
    },
    renew: (next) => {
      users = next;
      right = new Set();
      waiting.clear();
    },
    [Symbol.asyncDispose]: async () => thread?.[Symbol.asyncDispose](),
  };
}

/** Refuses every push. */
export const admitNobody: Admit = async () => {
  throw denied('pushes are not allowed here: the registry was started without --htpasswd and without --open-push');
};

function credentialsOf(authorization: string | undefined): { user: string; password: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function denied(message: string): Refusal {
  return new Refusal(401, 'UNAUTHORIZED', message, { 'www-authenticate': 'Basic realm="solpack", charset="UTF-8"' });
}
