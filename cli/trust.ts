import { join } from 'node:path';
import { loadPolicy, readMemory, trustInFingerprints, trustInKeys, trustInNobody } from '../lib/command.ts';
import { type Digest, type PublicKey, SolpackError, type Trust } from '../lib/index.ts';
import { absolute, publicKeys, usage } from './arguments.ts';
import { xdgFolder } from './home.ts';
import { grouped, type Io } from './io.ts';

/** Options that say whom to trust. */
export interface TrustOptions {
  readonly key?: string[];
  readonly policy?: string;
  readonly fingerprint?: string[];
  readonly trustState?: string;
}

/**
 * Returns what `--key`, `--fingerprint`, `--policy` and the memory in `state` say; undefined where none of these
 * options is given. Throws `usage-invalid`, and `key-invalid` for a key that has none of the fingerprints.
 */
export async function trustOf(
  io: Io,
  { key, policy, fingerprint }: TrustOptions,
  state: string | undefined,
): Promise<Trust | undefined> {
  const other = key ? '--key' : fingerprint ? '--fingerprint' : undefined;
  if (policy !== undefined && other) throw usage('--policy', `contradicts ${other}`, 'give one of them');
  if (policy === undefined && !other) return undefined;
  const memory = await readMemory(state);
  const clock = secondsNow();
  if (policy !== undefined) return { policy: await loadPolicy(absolute(io, policy)), clock, memory };
  const fingerprints = fingerprint?.map(fingerprintIn);
  if (key === undefined) return trustInFingerprints(fingerprints ?? [], clock, memory);
  return trustInKeys(await keysWith(io, key, fingerprints), clock, memory);
}

/** Reads keys, each of which has to have one of the fingerprints, if these are given. */
async function keysWith(
  io: Io,
  paths: readonly string[],
  fingerprints: readonly string[] | undefined,
): Promise<PublicKey[]> {
  const keys = await publicKeys(io, paths);
  const odd = keys.findIndex(({ keyId }) => fingerprints !== undefined && !fingerprints.includes(keyId));
  if (odd < 0) return keys;
  throw new SolpackError('key-invalid', paths[odd]!, `has the fingerprint ${grouped(keys[odd]!.keyId)}`, {
    hint: 'that is not what --fingerprint says: do not use this key, and ask the person who gave it to you',
  });
}

/**
 * Returns a fingerprint as `keygen` prints it, or with other signs or none between its digits. Throws `usage-invalid`.
 */
function fingerprintIn(value: string): string {
  const digits = value
    .replace(/^sha256:/i, '')
    .replaceAll(/[\s:-]/g, '')
    .toLowerCase();
  if (/^[0-9a-f]{64}$/.test(digits)) return digits;
  throw usage('--fingerprint', 'is no fingerprint', 'give the 64 digits that "solpack keygen" printed, in quotes');
}

/** Returns what whoever names roots alone says: no signature counts. `state` is the memory. */
export async function trustNobody(state: string | undefined): Promise<Trust> {
  return trustInNobody(secondsNow(), await readMemory(state));
}

const secondsNow = (): number => Math.floor(Date.now() / 1000);

/**
 * Returns the folder of `--trust-state`, if given. There is no default: whoever verifies an archive at a desk is not
 * the node that has installed. Throws `usage-invalid`.
 */
export function rememberedFor(
  io: Io,
  { key, policy, fingerprint, trustState: folder }: TrustOptions,
): string | undefined {
  if (folder === undefined) return undefined;
  if (key ?? policy ?? fingerprint) return absolute(io, folder);
  throw usage('--trust-state', 'has no effect without whom to trust', 'add --policy FILE or --key PUB');
}

/**
 * Returns the folder in which installs remember what they have seen: that of `--trust-state`, or the default. Throws
 * `usage-invalid` if it is unknown which folder the user has.
 */
export function trustState(io: Io, { trustState: given }: Pick<TrustOptions, 'trustState'>): string {
  if (given !== undefined) return absolute(io, given);
  if (process.getuid?.() === 0) return '/var/lib/solpack/trust';
  const states = xdgFolder(io, 'XDG_STATE_HOME');
  if (states) return join(states, 'solpack/trust');
  throw usage(
    '--trust-state',
    'is needed, because this user has no folder for remembered installs',
    'give it, or set HOME',
  );
}

/** Makes the error about an install without a statement of whom to trust. */
export function trustRequired(): SolpackError {
  return new SolpackError(
    'trust-required',
    'install',
    'has neither a key nor a policy that says whose signatures to trust',
    {
      hint: 'give --policy trust.toml or --key release.pub; --allow-unsigned sha256:… accepts one archive by its root, and --insecure-skip-verify installs whatever the archives hold',
    },
  );
}

/** Returns the digest of a root that an option names. Throws `usage-invalid`. */
export function rootNamed(value: string): Digest {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(value)?.[1];
  if (hex !== undefined) return `sha256:${hex}`;
  throw usage('--allow-unsigned', `${value} is not a digest`, 'give the root as "solpack inspect" prints it: sha256:…');
}
