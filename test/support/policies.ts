import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKey } from '../../lib/parts/trust/index.ts';

/** A key of a test: its files are `<name>.key` and `<name>.pub`. */
export interface TestKey {
  readonly name: string;
  readonly id: string;
  readonly pem: string;
}

/** Makes a key pair in `folder`. */
export function makeKey(folder: string, name: string): TestKey {
  const { privatePem, publicPem, keyId } = generateKey('ecdsa-p256-sha256');
  writeFileSync(join(folder, `${name}.key`), privatePem, { mode: 0o600 });
  writeFileSync(join(folder, `${name}.pub`), publicPem);
  return { name, id: keyId, pem: publicPem };
}

/** Writes a policy in JSON that any of `keys` may sign by, changed by `more`; returns its path. */
export function writePolicy(
  path: string,
  keys: readonly TestKey[],
  more: Readonly<Record<string, unknown>> = {},
): string {
  const policies = [{ match: '*', keys: keys.map(({ id }) => id) }];
  const known = keys.map(({ id, pem }) => ({ id, pem }));
  writeFileSync(path, JSON.stringify({ version: 1, keys: known, policies, ...more }, null, 2));
  return path;
}
