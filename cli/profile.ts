import type { EventEmitter } from 'node:events';
import { dirname, join } from 'node:path';
import type { Command, Option } from 'commander';
import { isThere, profileFields, readProfile } from '../lib/command.ts';
import { type Profile, type ProfileKey, type ProfileValue, SolpackError } from '../lib/index.ts';
import { absolute, beforeArguments, usage } from './arguments.ts';
import { xdgFolder } from './home.ts';
import { kubeconfigFrom } from './in-cluster.ts';
import { type Io, plain } from './io.ts';
import { leavesToProfile, profileOptions } from './profile-options.ts';

/** The profile of the machine. */
const SYSTEM = '/etc/solpack/profile.toml';
/** The SolutionsConfiguration where a profile names none: that of MetalK8s on its nodes, also before there is one. */
const CONFIGURATION = profileFields.configuration.default;
const METALK8S = '/etc/metalk8s';

/**
 * Finds the profile that a command goes by: the one that is named, otherwise that of the user, otherwise that of the
 * machine. Undefined where there is none, or none is wanted. Throws `file-missing` for one that is named and is not
 * there, and as `readProfile`.
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
  const config = xdgFolder(io, 'XDG_CONFIG_HOME');
  const own = config === undefined ? undefined : join(config, 'solpack/profile.toml');
  if (own === undefined || (await isThere(own))) return { named: false, path: own ?? SYSTEM };
  // What is made by whoever may not write to /etc has to be their own.
  return { named: false, path: isRoot() || (await isThere(SYSTEM)) ? SYSTEM : own };
}

/** Whether this process may write to the folders of the machine. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
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
  const wanted = profileOptions(command).filter(({ of }) => of.mandatory);
  if (wanted.length === 0) return;
  const profile = await findProfile(io);
  if (profile === undefined) return;
  for (const one of wanted) {
    const said = profile.settings.get(one.key);
    const value = said === undefined ? await usual(io, one.key) : settingFor(one.of, one.key, said, profile);
    if (value === undefined) continue;
    command.setOptionValueWithSource(one.option, value, 'config');
    if (said !== undefined) noteOrigins(io, value, said, profile);
    // Of an option that may be repeated, Commander adds to what is there.
    const emitter = command as unknown as EventEmitter;
    emitter.prependOnceListener(`option:${one.of.name()}`, () => command.setOptionValue(one.option, undefined));
  }
}

/** Gives the other options what the profile has for them, unless the command line says something in their place. */
export async function useProfile(io: Io, command: Command): Promise<void> {
  const possible = profileOptions(command);
  const profile = possible.length === 0 ? undefined : await findProfile(io);
  if (profile === undefined) return;
  for (const one of possible.filter((each) => leavesToProfile(command, each))) {
    const said = profile.settings.get(one.key);
    if (said === undefined) continue;
    const value = settingFor(one.of, one.key, said, profile);
    command.setOptionValueWithSource(one.option, value, 'config');
    noteOrigins(io, value, said, profile);
  }
  tellCluster(io, command, profile);
}

const origins = new WeakMap<Io, Map<string, string>>();

function noteOrigins(io: Io, value: unknown, { position: { line, column } }: ProfileValue, { path }: Profile): void {
  const known = origins.get(io) ?? new Map<string, string>();
  for (const one of [value].flat()) if (typeof one === 'string') known.set(one, `${path}:${line}:${column}`);
  origins.set(io, known);
}

/**
 * Returns the file, line and column of the profile that a value of an option of this run comes from; undefined for any
 * other text.
 */
export function originInProfile(io: Io, value: string): string | undefined {
  return origins.get(io)?.get(value);
}

/** Commands that change the cluster, so that a person has to see which one that is. */
const changing = ['install', 'seed', 'load', 'rollback', 'repair', 'uninstall', 'settle', 'agent', 'boot'];

function tellCluster(io: Io, command: Command, { path, settings }: Profile): void {
  const { quiet } = command.opts<{ quiet?: boolean }>();
  if (quiet === true || !changing.includes(command.name())) return;
  if (command.getOptionValueSource('kubeconfig') !== 'config') return;
  const { line } = settings.get('kubeconfig')!.position;
  const cluster = command.getOptionValue('kubeconfig');
  io.stderr.write(`note: the cluster is that of ${plain(String(cluster))}, as ${plain(path)}:${line} says\n`);
}

async function usual(io: Io, key: ProfileKey): Promise<string | undefined> {
  return key === 'configuration' ? configurationHere(io) : undefined;
}

/**
 * Returns the SolutionsConfiguration of this machine where a profile names none; of somebody who may not write to /etc,
 * their own, unless the machine has one.
 */
export async function configurationHere(io: Pick<Io, 'env'>): Promise<string> {
  if (await isThere(METALK8S)) return join(METALK8S, 'solutions.yaml');
  const config = isRoot() || (await isThere(CONFIGURATION)) ? undefined : xdgFolder(io, 'XDG_CONFIG_HOME');
  return config === undefined ? CONFIGURATION : join(config, 'solpack/solutions.yaml');
}

/**
 * Returns the path that a setting of a profile says, which is relative to the folder of that; undefined where it says
 * none.
 */
export function pathIn(profile: Profile | undefined, key: 'kubeconfig' | 'configuration'): string | undefined {
  const said = profile?.settings.get(key)?.value;
  return profile !== undefined && typeof said === 'string' ? kubeconfigFrom(dirname(profile.path), said) : undefined;
}

/**
 * The value of a setting as its option has it. Throws `profile-invalid` at its position for one that the option
 * refuses.
 */
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
      hint: '"solpack profile" lists the settings',
      cause: error,
    });
  }
}
