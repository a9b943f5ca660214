import { createPublicKey, type KeyObject } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { matchesName } from '../../../formats/trust/match.ts';
import { parsePolicy } from '../../../formats/trust/parse-policy.ts';
import {
  DAYS_AHEAD,
  type PolicyDocument,
  type PolicyKeyEntry,
  type PolicyRule,
} from '../../../formats/trust/policy.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import { invalidKey, loadPublicKey, type PublicKey, publicKeyOf } from './keys.ts';

/** Bytes that a policy may have. */
const LIMIT = 256 * 1024;

/** A key that a policy knows, and when its signatures count. Dates are seconds since 1970. */
export interface PolicyKey {
  readonly key: PublicKey;
  readonly status: PolicyKeyEntry['status'];
  readonly notBefore: number | undefined;
  readonly notAfter: number | undefined;
}

/** Whom to trust. */
export interface Policy {
  /** Of the file; undefined where keys alone were given. */
  readonly version: number | undefined;
  /** By id. */
  readonly keys: ReadonlyMap<string, PolicyKey>;
  /** The first one that matches a Solution's name decides. */
  readonly rules: readonly PolicyRule[];
  /** Digests of roots that are refused whoever signed them. */
  readonly deny: ReadonlySet<string>;
  /** Who may bring the next version of the file; undefined where only a person does. */
  readonly rotation: PolicyDocument['rotation'];
}

/** The policy that keys alone stand for: one of them has to have signed, whatever the Solution's name is. */
export function policyOfKeys(keys: readonly PublicKey[]): Policy {
  const entry = (key: PublicKey): [string, PolicyKey] => [
    key.keyId,
    { key, status: 'active', notBefore: undefined, notAfter: undefined },
  ];
  const known = new Map(keys.map(entry));
  const rule: PolicyRule = {
    match: '*',
    keys: [...known.keys()],
    threshold: 1,
    requirePredicates: [],
    maxDaysAhead: DAYS_AHEAD,
    movesTime: false,
  };
  return { version: undefined, keys: known, rules: [rule], deny: new Set(), rotation: undefined };
}

/** The rule that decides about Solutions of a name: the first one that matches; undefined where none does. */
export function ruleFor({ rules }: Policy, name: string): PolicyRule | undefined {
  return rules.find(({ match }) => matchesName(match, name));
}

/**
 * Reads a policy file, and the keys that it names beside it. Throws `file-missing`, `policy-invalid`, `key-invalid`.
 */
export async function loadPolicy(path: string): Promise<Policy> {
  return policyFrom(path, await readPolicy(path));
}

/** The bytes of a policy file. Throws `file-missing` or `file-unreadable`. */
export function readPolicy(path: string): Promise<Uint8Array> {
  return readFile(path, LIMIT);
}

/**
 * The policy in the bytes of the file `path`. Where `from` is `pem` it has to hold its keys, because it goes where the
 * files beside it do not. Throws `policy-invalid`, `key-invalid`, and `file-missing` for a key's file.
 */
export async function policyFrom(
  path: string,
  bytes: Uint8Array,
  from: 'pem' | 'anywhere' = 'anywhere',
): Promise<Policy & { readonly version: number }> {
  const hint = '"solpack docs trust" describes every field';
  const { version, keys, policies, deny, rotation } = await refused(
    'policy-invalid',
    path,
    () => parsePolicy(bytes),
    hint,
  );
  const known: { readonly entry: PolicyKeyEntry; readonly key: PublicKey }[] = [];
  for (const entry of keys) {
    if (from === 'pem' && entry.file !== undefined) {
      throw new SolpackError('policy-invalid', path, `its key ${shortKey(entry.id)} is in a separate file`, {
        hint: 'a signed policy includes its keys: write "pem" instead of "file"',
      });
    }
    known.push({ entry, key: await keyOf(path, entry) });
  }
  requireOwnIds(path, known);
  const entries = known.map(({ entry: { id, status, notBefore, notAfter }, key }): [string, PolicyKey] => [
    id,
    { key, status, notBefore, notAfter },
  ]);
  return { version, keys: new Map(entries), rules: policies, deny: new Set(deny), rotation };
}

/** Makes sure that each key has the id that its entry says, so that no two are one. Throws `policy-invalid`. */
function requireOwnIds(
  path: string,
  known: readonly { readonly entry: PolicyKeyEntry; readonly key: PublicKey }[],
): void {
  for (const { entry, key } of known) {
    if (key.keyId === entry.id) continue;
    const short = shortKey(entry.id);
    const twin = known.find((other) => other.entry !== entry && other.key.keyId === key.keyId);
    if (twin) {
      const message = `its keys ${short} and ${shortKey(twin.entry.id)} are the same key, whose id is ${key.keyId}`;
      throw new SolpackError('policy-invalid', path, message, { hint: 'name it once, by that id' });
    }
    throw new SolpackError('policy-invalid', path, `its key ${short} has the id ${key.keyId}`, {
      hint: 'write the id of the key, if it is the right key; the id does not depend on the form of the key',
    });
  }
}

async function keyOf(path: string, { id, pem, file }: PolicyKeyEntry): Promise<PublicKey> {
  if (file !== undefined) return loadPublicKey(resolve(dirname(path), file));
  const subject = `${path}: key ${shortKey(id)}`;
  // A private key would be taken as well, for its public half; a policy is not a place for one.
  if (pem === undefined || !pem.trimStart().startsWith('-----BEGIN PUBLIC KEY-----')) {
    throw invalidKey(subject, 'is not in PEM as a PUBLIC KEY', 'copy the .pub file that "solpack keygen" has made');
  }
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch (cause) {
    throw invalidKey(subject, 'is damaged: it is not a public key', 'copy it again from its owner', cause);
  }
  return publicKeyOf(key, subject);
}
