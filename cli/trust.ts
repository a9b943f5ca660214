import { join } from 'node:path';
import {
  type Digest,
  loadPolicy,
  readMemory,
  SolpackError,
  type Trust,
  trustInKeys,
  trustInNobody,
} from '../lib/index.ts';
import { absolute, publicKeys, usage } from './arguments.ts';
import { homeFolder } from './home.ts';
import type { Io } from './io.ts';

/** Options that say whom to trust. */
export interface TrustOptions {
  readonly key?: string[];
  readonly policy?: string;
  readonly trustState?: string;
}

/**
 * Returns what `--key`, `--policy` and the memory in `state` say; undefined where neither option is given. Throws
 * `usage-invalid`.
 */
export async function trustOf(
  io: Io,
  { key, policy }: TrustOptions,
  state: string | undefined,
): Promise<Trust | undefined> {
  if (key !== undefined && policy !== undefined) throw usage('--policy', 'contradicts --key', 'give one of them');
  if (key === undefined && policy === undefined) return undefined;
  const memory = await readMemory(state);
  const clock = secondsNow();
  if (policy === undefined) return trustInKeys(await publicKeys(io, key ?? []), clock, memory);
  return { policy: await loadPolicy(absolute(io, policy)), clock, memory };
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
export function rememberedFor(io: Io, { key, policy, trustState: folder }: TrustOptions): string | undefined {
  if (folder === undefined) return undefined;
  if (key ?? policy) return absolute(io, folder);
  throw usage('--trust-state', 'says nothing without whom to trust', 'add --policy FILE or --key PUB');
}

/**
 * Returns the folder in which installs remember what they have seen: that of `--trust-state`, or the default. Throws `usage-invalid`
 * where nobody knows which folder the user has.
 */
export function trustState(io: Io, { trustState: given }: Pick<TrustOptions, 'trustState'>): string {
  if (given !== undefined) return absolute(io, given);
  if (process.getuid?.() === 0) return '/var/lib/solpack/trust';
  const home = homeFolder(io);
  const states = io.env['XDG_STATE_HOME'] || (home && join(home, '.local/state'));
  if (states) return join(states, 'solpack/trust');
  throw usage('--trust-state', 'is needed: this user has no folder to remember installs in', 'give it, or set HOME');
}

/** Makes the error about an install without a statement of whom to trust. */
export function trustRequired(): SolpackError {
  return new SolpackError('trust-required', 'install', 'was not told whose signatures to trust', {
    hint: 'give --policy trust.toml or --key release.pub; --allow-unsigned sha256:… takes one archive by its root, and --insecure-skip-verify installs whatever the archives hold',
  });
}

/** Returns the digest of a root that an option names. Throws `usage-invalid`. */
export function rootNamed(value: string): Digest {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(value)?.[1];
  if (hex !== undefined) return `sha256:${hex}`;
  throw usage('--allow-unsigned', `${value} is no digest`, 'give the root as "solpack inspect" prints it: sha256:…');
}
