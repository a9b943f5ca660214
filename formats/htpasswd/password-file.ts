import { FormatError, PositionedError } from '../error.ts';
import { TextLines } from '../text-lines.ts';
import { matchesShaCrypt, parseShaCrypt, type ShaCrypt } from './sha-crypt.ts';

/** The users of an htpasswd file, with their hashed passwords. */
export type PasswordFile = ReadonlyMap<string, ShaCrypt>;

/** The hash to compare with if there is no such user: the answer takes as long as for any user. */
const nobody: ShaCrypt = { algorithm: 'sha512', rounds: 5000, salt: 'nobody', hash: '.'.repeat(86) };

/** The most rounds that a hash may take. passlib uses 656,000, which take about three seconds. */
const ROUNDS = 1_000_000;

/**
 * Parses an htpasswd file: `USER:HASH` on each line. Blank lines and lines that begin with `#` are skipped. Hashes are
 * those of SHA-crypt, which `openssl passwd -6` makes. Throws `FormatError` `htpasswd-invalid`, with the position.
 */
export function parsePasswordFile(text: string): PasswordFile {
  const users = new Map<string, ShaCrypt>();
  const lines = new TextLines(text);
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const invalid = (why: string): FormatError =>
      // The line has a hash of a password.
      new PositionedError('htpasswd-invalid', [
        { ...lines.problem(why, lines.offset(index + 1, 1)), lineText: undefined },
      ]);
    const colon = line.indexOf(':');
    if (colon < 1) throw invalid('has to be USER:HASH');
    const user = line.slice(0, colon);
    const crypt = parseShaCrypt(line.slice(colon + 1).trim());
    if (!crypt) throw invalid(`has no SHA-crypt hash ($6$ or $5$) for ${user}`);
    if (crypt.rounds > ROUNDS) throw invalid(`asks for ${crypt.rounds} rounds, more than ${ROUNDS}`);
    if (users.has(user)) throw invalid(`names ${user} twice`);
    users.set(user, crypt);
  }
  if (users.size === 0) throw new FormatError('htpasswd-invalid', 'it has no user');
  return users;
}

/** Returns whether `user` exists and has this password. */
export function passwordMatches(users: PasswordFile, user: string, password: string): boolean {
  const crypt = users.get(user);
  return matchesShaCrypt(password, crypt ?? nobody) && crypt !== undefined;
}
