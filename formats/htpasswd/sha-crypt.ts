import { createHash, timingSafeEqual } from 'node:crypto';

/** The 64 digits of crypt(5)'s base 64, in the order of their values. */
const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const rounds = { usual: 5000, fewest: 1000, most: 999_999_999 } as const;

/** A password as SHA-crypt hashed it (crypt(5), `$5$` and `$6$`). */
export interface ShaCrypt {
  readonly algorithm: 'sha256' | 'sha512';
  readonly rounds: number;
  readonly salt: string;
  /** The hash, in crypt(5)'s base 64. */
  readonly hash: string;
}

/** Parses `$5$[rounds=N$]SALT$HASH` or `$6$…`. Returns undefined for everything else. */
export function parseShaCrypt(text: string): ShaCrypt | undefined {
  const match = /^\$([56])\$(?:rounds=([0-9]{1,9})\$)?([^$:\n]{0,16})\$([./0-9A-Za-z]+)$/.exec(text);
  const [, id, count, salt, hash] = match ?? [];
  if (salt === undefined || hash === undefined || hash.length !== (id === '5' ? 43 : 86)) return undefined;
  const wanted = count === undefined ? rounds.usual : Number(count);
  return {
    algorithm: id === '5' ? 'sha256' : 'sha512',
    rounds: Math.min(Math.max(wanted, rounds.fewest), rounds.most),
    salt,
    hash,
  };
}

/**
 * Hashes a password with SHA-512, as `openssl passwd -6` does; `salt` has at most sixteen digits of crypt(5)'s base 64.
 */
export function sha512Crypt(password: string, salt: string): string {
  return `$6$${salt}$${hashOf(password, { algorithm: 'sha512', rounds: rounds.usual, salt, hash: '' })}`;
}

/** Returns whether `password` is the one that was hashed. The time it takes grows with the number of rounds. */
export function matchesShaCrypt(password: string, crypt: ShaCrypt): boolean {
  return timingSafeEqual(Buffer.from(hashOf(password, crypt)), Buffer.from(crypt.hash));
}

/** Hashes a password, in crypt(5)'s base 64 (U. Drepper, "Unix crypt using SHA-256 and SHA-512", 0.6). */
function hashOf(password: string, { algorithm, rounds: count, salt }: ShaCrypt): string {
  const key = Buffer.from(password);
  const salted = Buffer.from(salt);
  const digest = (...parts: Uint8Array[]): Buffer => createHash(algorithm).update(Buffer.concat(parts)).digest();
  const b = digest(key, salted, key);
  const bits: Uint8Array[] = [];
  for (let length = key.length; length > 0; length >>= 1) bits.push(length & 1 ? b : key);
  const a = digest(key, salted, repeated(b, key.length), ...bits);
  const p = repeated(digest(...Array.from({ length: key.length }, () => key)), key.length);
  const s = repeated(digest(...Array.from({ length: 16 + a[0]! }, () => salted)), salted.length);
  let c: Uint8Array = a;
  for (let round = 0; round < count; round += 1) {
    const parts: Uint8Array[] = [round % 2 ? p : c];
    if (round % 3) parts.push(s);
    if (round % 7) parts.push(p);
    parts.push(round % 2 ? c : p);
    c = digest(...parts);
  }
  return encoded(c);
}

/** Repeats `bytes` up to `length` bytes. */
function repeated(bytes: Uint8Array, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => bytes[at % bytes.length]!);
}

/** Encodes bytes in the order of SHA-crypt, four digits for each three bytes. */
function encoded(bytes: Uint8Array): string {
  const third = Math.floor(bytes.length / 3);
  const turn = bytes.length === 64 ? 1 : 2;
  let text = '';
  for (let group = 0; group < third; group += 1) {
    const from = (group * turn) % 3;
    const [one, two, three] = [0, 1, 2].map((part) => bytes[group + third * ((from + part) % 3)]!);
    text += digits((one! << 16) | (two! << 8) | three!, 4);
  }
  const rest = bytes.length % 3;
  return text + (rest === 1 ? digits(bytes.at(-1)!, 2) : digits((bytes.at(-1)! << 8) | bytes.at(-2)!, 3));
}

function digits(value: number, count: number): string {
  return Array.from({ length: count }, (_, at) => DIGITS[(value >> (6 * at)) & 63]).join('');
}
