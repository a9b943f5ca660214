import { dirname, join } from 'node:path';
import type { Command, Option } from 'commander';
import {
  isThere,
  type Profile,
  type ProfileKey,
  type ProfileValue,
  profileFields,
  readProfile,
  SolpackError,
} from '../lib/index.ts';
import { absolute, beforeArguments, usage } from './arguments.ts';
import { homeFolder } from './home.ts';
import { kubeconfigFrom } from './in-cluster.ts';
import { type Io, plain } from './io.ts';

/** The profile of the machine. */
const SYSTEM = '/etc/solpack/profile.toml';
/** The SolutionsConfiguration where a profile names none: that of MetalK8s on its nodes. */
const CONFIGURATION = profileFields.configuration.default;
const METALK8S = '/etc/metalk8s/solutions.yaml';

/** An option that takes its value from a profile. */
interface Taken {
  readonly key: ProfileKey;
  /** The attribute of the option, as Commander calls it. */
  readonly option: string;
  /** The commands that take it, where not all do that have an option of that name; it may mean another thing there. */
  readonly commands?: readonly string[];
  /** Options that say something else in its place: where one of them is given, the profile says nothing. */
  readonly unless?: readonly string[];
}

const trusts = ['render', 'verify', 'serve', 'install', 'seed', 'load', 'rollback', 'repair', 'uninstall'] as const;
const trust = ['policy', 'key', 'fingerprint', 'insecureSkipVerify'] as const;
const ways = ['servedAt', 'registry', 'listen', 'hold', 'containerd', 'imageFolder', 'imageStore'] as const;
const moves = ['install', 'load'] as const;

const taken: readonly Taken[] = [
  {
    key: 'configuration',
    option: 'configuration',
    commands: ['import', 'unimport', 'activate', 'deactivate', 'resolve', 'install'],
  },
  { key: 'kubeconfig', option: 'kubeconfig', unless: ['render', 'imagesOnly'] },
  { key: 'policy', option: 'policy', commands: trusts, unless: trust },
  { key: 'keys', option: 'key', commands: trusts, unless: trust },
  { key: 'images.serve', option: 'servedAt', commands: moves, unless: ways },
  { key: 'images.registry', option: 'registry', commands: moves, unless: ways },
  { key: 'images.containerd', option: 'containerd', commands: ['install'], unless: ways },
  { key: 'images.image-folder', option: 'imageFolder', commands: ['install'], unless: ways },
  { key: 'images.image-store', option: 'imageStore', commands: ['install'], unless: ways },
  { key: 'images.hosts-dir', option: 'hostsDir' },
  { key: 'registry.authfile', option: 'authfile' },
  { key: 'registry.certs-dir', option: 'certsDir' },
  { key: 'install.timeout', option: 'timeout' },
  { key: 'install.rollback-on-failure', option: 'rollbackOnFailure' },
  { key: 'install.keep-generations', option: 'keepGenerations' },
];

/** The agent runs in Pods, a support bundle tells of what is there, and setup makes a profile: none goes by that of a machine. */
const without = ['agent', 'support-bundle', 'join-mirror', 'leave-mirror', 'setup'];

/** Lists the options of a command that a profile may set. */
function takenBy(command: Command): readonly (Taken & { readonly of: Option })[] {
  if (without.includes(command.name())) return [];
  return taken.flatMap((one) => {
    const of = command.options.find((option) => option.attributeName() === one.option);
    const fits = one.commands === undefined || one.commands.includes(command.name());
    return of !== undefined && fits ? [{ ...one, of }] : [];
  });
}

/** Tells whether a profile may set an option of a command. */
export function takesProfile(command: Command): boolean {
  return takenBy(command).length > 0;
}

/**
 * Finds the profile that a command goes by: the one that is named, else that of the user, else that of the machine. Undefined where
 * there is none, or none is wanted. Throws `file-missing` for one that is named and is not there, and as `readProfile`.
 */
export async function findProfile(io: Io): Promise<Profile | undefined> {
  const { named, path } = await profilePath(io);
  if (path === undefined) return undefined;
  // Most machines have none, and need not load what reads one.
  const profile = (await isThere(path)) ? await readProfile(path) : undefined;
  if (profile !== undefined || !named) return profile;
  throw new SolpackError('file-missing', path, 'there is no such profile', {
    hint: 'check the path, or give --no-profile',
  });
}

/** Returns the path of the profile, and whether somebody has named it; no path where none is wanted. */
export async function profilePath(io: Io): Promise<{ readonly named: boolean; readonly path: string | undefined }> {
  const asked = askedFor(io.argv) ?? (io.env['SOLPACK_PROFILE'] || undefined);
  if (asked === false) return { named: true, path: undefined };
  if (asked !== undefined) return { named: true, path: absolute(io, asked) };
  const home = homeFolder(io);
  const config = io.env['XDG_CONFIG_HOME'] || (home === undefined ? undefined : join(home, '.config'));
  const own = config === undefined ? undefined : join(config, 'solpack/profile.toml');
  return { named: false, path: own !== undefined && (await isThere(own)) ? own : SYSTEM };
}

/** What the command line says of the profile, which is wanted before the options of a command are read. */
function askedFor(argv: readonly string[]): string | false | undefined {
  const words = beforeArguments(argv);
  const at = words.findLastIndex((word) => /^--(?:no-)?profile(?:=|$)/.test(word));
  const word = words[at];
  if (word === undefined) return undefined;
  if (word === '--no-profile') return false;
  const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : words[at + 1];
  if (!value) throw usage('--profile', 'names no file', 'write --profile FILE');
  return value;
}

/** Gives required options what the profile has for them, before Commander looks whether they are there. */
export async function useProfileFirst(io: Io, command: Command): Promise<void> {
  const wanted = takenBy(command).filter(({ of }) => of.mandatory);
  if (wanted.length === 0) return;
  const profile = await findProfile(io);
  if (profile === undefined) return;
  for (const one of wanted) {
    const said = profile.settings.get(one.key);
    const value = said === undefined ? await usual(one.key) : settingFor(one.of, one.key, said, profile);
    if (value !== undefined) command.setOptionValueWithSource(one.option, value, 'config');
  }
}

/** Gives the other options what the profile has for them, unless the command line says something in their place. */
export async function useProfile(io: Io, command: Command): Promise<void> {
  const possible = takenBy(command);
  const profile = possible.length === 0 ? undefined : await findProfile(io);
  if (profile === undefined) return;
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  for (const { key, option, of, unless = [] } of possible) {
    const said = profile.settings.get(key);
    if (said === undefined || isGiven(option) || unless.some(isGiven)) continue;
    command.setOptionValueWithSource(option, settingFor(of, key, said, profile), 'config');
  }
  tellCluster(io, command, profile);
}

/** Commands that change the cluster, so that a person has to see which one that is. */
const changing = ['install', 'seed', 'load', 'rollback', 'repair', 'uninstall', 'settle'];

function tellCluster(io: Io, command: Command, { path, settings }: Profile): void {
  const { quiet } = command.opts<{ quiet?: boolean }>();
  if (quiet === true || !changing.includes(command.name())) return;
  if (command.getOptionValueSource('kubeconfig') !== 'config') return;
  const { line } = settings.get('kubeconfig')!.position;
  const cluster = command.getOptionValue('kubeconfig');
  io.stderr.write(`note: the cluster is that of ${plain(String(cluster))}, as ${plain(path)}:${line} says\n`);
}

async function usual(key: ProfileKey): Promise<string | undefined> {
  return key === 'configuration' ? configurationHere() : undefined;
}

/** Returns the SolutionsConfiguration of this machine where a profile names none. */
export async function configurationHere(): Promise<string> {
  return (await isThere(METALK8S)) ? METALK8S : CONFIGURATION;
}

/** Returns the path that a setting of a profile says, which is relative to the folder of that; undefined where it says none. */
export function pathIn(profile: Profile | undefined, key: 'kubeconfig' | 'configuration'): string | undefined {
  const said = profile?.settings.get(key)?.value;
  return profile !== undefined && typeof said === 'string' ? kubeconfigFrom(dirname(profile.path), said) : undefined;
}

/** The value of a setting as its option has it. Throws `profile-invalid` at its position for one that the option refuses. */
function settingFor(option: Option, key: ProfileKey, { value, position }: ProfileValue, { path }: Profile): unknown {
  const file = (one: string): string => kubeconfigFrom(dirname(path), one);
  const isPath = profileFields[key].type === 'path' || profileFields[key].type === 'paths';
  const words = (typeof value === 'object' ? value : [String(value)]).map((one) => (isPath ? file(one) : one));
  if (typeof value === 'boolean') return value;
  const parse = option.parseArg as ((word: string, before: unknown) => unknown) | undefined;
  if (parse === undefined) return words[0];
  try {
    return words.reduce<unknown>((before, word) => parse(word, before), undefined);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { line, column } = position;
    throw new SolpackError('profile-invalid', `${path}:${line}:${column}`, `${key}: ${error.message}`, {
      hint: '"solpack profile" lists what it may say',
      cause: error,
    });
  }
}
