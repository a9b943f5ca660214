import { createHmac, randomBytes } from 'node:crypto';
import { type PasswordFile, passwordMatches } from '../../../formats/htpasswd/check.ts';
import { Refusal } from './reply.ts';

/** Lets requests in that have the name and the password of a user, and throws `Refusal` for others. */
export type Admit = (authorization: string | undefined) => void;

/** How many passwords are remembered as right, so that their slow hashes are computed once. */
const REMEMBERED = 1000;

/** Asks for Basic authentication (RFC 7617) by the users of an htpasswd file. */
export function admitUsers(users: PasswordFile): Admit {
  const secret = randomBytes(32);
  const right = new Set<string>();
  return (authorization) => {
    const given = credentialsOf(authorization);
    if (!given) throw denied('this registry asks for a user and a password');
    const key = createHmac('sha256', secret).update(authorization!).digest('hex');
    if (right.has(key)) return;
    if (!passwordMatches(users, given.user, given.password)) throw denied('user or password is wrong');
    if (right.size >= REMEMBERED) right.clear();
    right.add(key);
  };
}

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
