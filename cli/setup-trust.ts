import { basename, dirname, resolve } from 'node:path';
import { keysOnMedium, loadPolicy, loadPublicKey, readFile } from '../lib/command.ts';
import { type Profile, type SetupRequest, SolpackError } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import { askFirst } from './ask-first.ts';
import type { CommandSession } from './command-session.ts';
import { grouped, type Io, plain } from './io.ts';
import { archivePlace } from './place.ts';

/** The options of `solpack setup` that say whom to trust. */
export interface SetupTrustOptions {
  readonly key?: string[];
  readonly policy?: string;
  /** Nobody is asked. */
  readonly yes?: boolean;
  readonly plan?: boolean;
}

type Trusts = Pick<SetupRequest, 'trust' | 'trusted'>;

/**
 * Finds out whom a machine is to trust: as the command line says, otherwise as its profile says, otherwise a key on a
 * medium that somebody has compared with paper. A machine that only packs needs none. Throws `trust-required`,
 * `key-invalid`, `usage-invalid`.
 */
export async function setupTrust(
  session: CommandSession,
  medium: string | undefined,
  options: SetupTrustOptions,
  profile: Profile | undefined,
  isNode: boolean,
): Promise<Trusts> {
  const { io } = session;
  const { key, policy } = options;
  if (key !== undefined && policy !== undefined) throw usage('--policy', 'contradicts --key', 'give one of them');
  if (policy !== undefined) {
    const path = absolute(io, policy);
    await loadPolicy(path);
    return { trust: { kind: 'policy', path } };
  }
  if (key !== undefined) return { trust: { kind: 'keys', files: await keyFiles(io, key) } };
  const trusted = trustedBy(profile);
  if (trusted.length > 0 || (!isNode && medium === undefined)) return { trusted };
  if (options.plan === true && (options.yes === true || io.ask === undefined)) {
    // Whoever only looks learns what was found, and what is still asked for.
    const message =
      'names no key and no policy yet: setup will need --key FILE, --policy FILE, or an archive with its key';
    session.flow.onEvent({ type: 'notice', subject: 'setup', message });
    return { trusted };
  }
  if (options.yes === true || io.ask === undefined) throw noKey();
  return { trust: { kind: 'keys', files: [await comparedKey(session, medium)] } };
}

async function keyFiles(io: Io, paths: readonly string[]): Promise<{ name: string; text: string }[]> {
  const full = paths.map((path) => absolute(io, path));
  for (const path of full) await loadPublicKey(path);
  const files = new Map<string, { name: string; text: string }>();
  for (const file of await Promise.all(full.map(fileAt))) {
    const other = files.get(file.name)?.text ?? file.text;
    if (other !== file.text) {
      throw usage(
        '--key',
        `names two keys that are called ${file.name}`,
        'they are copied into one folder, so rename one',
      );
    }
    files.set(file.name, file);
  }
  return [...files.values()];
}

async function fileAt(path: string): Promise<{ name: string; text: string }> {
  return { name: basename(path), text: Buffer.from(await readFile(path)).toString() };
}

/** `--key` or `--policy` with their paths, as a profile has them. */
function trustedBy(profile: Profile | undefined): string[] {
  const said = profile?.settings.get('keys')?.value ?? profile?.settings.get('policy')?.value;
  if (profile === undefined || said === undefined) return [];
  const paths = typeof said === 'object' ? said : [String(said)];
  const flag = typeof said === 'object' ? '--key' : '--policy';
  return paths.flatMap((path) => [flag, resolve(dirname(profile.path), path)]);
}

/** Asks a person to compare the key on a medium, or in a file, with what they have on paper. */
async function comparedKey(
  session: CommandSession,
  medium: string | undefined,
): Promise<{ name: string; text: string }> {
  const { io } = session;
  session.progress.pause();
  const named =
    medium ??
    (await askFirst(io, 'Archive that includes the key of its maker, or the file of that key (.pub): ')).trim();
  if (named === '') throw noKey();
  const keys = named.endsWith('.pub')
    ? [await keyAt(io, named)]
    : await keysOnMedium(await archivePlace(io, named, {}), session.flow);
  const [key, other] = keys;
  if (key === undefined) {
    throw new SolpackError('trust-required', named, 'includes no public key', {
      hint: 'give --key release.pub, or --policy trust.toml',
    });
  }
  if (other !== undefined) {
    const names = keys.map(({ name }) => plain(name)).join(', ');
    throw usage(named, `includes several keys: ${names}`, 'extract bin/ and give one of them by --key');
  }
  io.stderr.write(`${plain(key.name)} has the fingerprint\n  ${grouped(key.keyId).slice(0, -9)} .... ....\n`);
  // Somebody can make a key with any last eight characters, so all of the others count.
  const question = 'If your paper has all of these, type the last eight characters from there: ';
  const typed = (await askFirst(io, question)).replaceAll(/\s/g, '');
  if (typed.toLowerCase() === key.keyId.slice(-8)) return { name: key.name, text: key.text };
  throw new SolpackError('not-trusted', key.name, 'has another fingerprint than what you typed', {
    hint: 'compare the whole fingerprint; if it differs from the paper, do not use this medium, and ask its maker',
  });
}

async function keyAt(io: Io, path: string): Promise<{ name: string; text: string; keyId: string }> {
  const full = absolute(io, path);
  const { keyId } = await loadPublicKey(full);
  return { ...(await fileAt(full)), keyId };
}

function noKey(): SolpackError {
  return new SolpackError(
    'trust-required',
    'setup',
    'has neither a key nor a policy that says whose releases to trust',
    {
      hint: 'give --key release.pub or --policy trust.toml; on a terminal, "solpack setup ARCHIVE" compares the key on it with paper',
    },
  );
}
