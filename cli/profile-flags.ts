import type { Command } from 'commander';
import { duration, imageWays, profileFields } from '../lib/command.ts';
import type { ProfileKey } from '../lib/index.ts';
import { absolute, registryUrl, repeated, usage } from './arguments.ts';
import { generationCount } from './generations.ts';
import { kubeconfigFrom } from './in-cluster.ts';
import type { Io } from './io.ts';

/** The value that a flag gives a setting, and the flag. */
interface FlagValue {
  readonly flag: string;
  readonly value: string | number | boolean | readonly string[];
}

const flags: Readonly<Record<ProfileKey, string>> = {
  configuration: '-f, --configuration <file>',
  kubeconfig: '--kubeconfig <file>',
  policy: '--policy <file>',
  keys: '--key <pub>',
  'images.serve': '--served-at <url>',
  'images.registry': '--registry <url>',
  'images.containerd': '--containerd <socket>',
  'images.image-folder': '--image-folder <kind[:dir]>',
  'images.image-store': '--image-store <dir>',
  'images.hosts-dir': '--hosts-dir <dir>',
  'registry.authfile': '--authfile <file>',
  'registry.certs-dir': '--certs-dir <dir>',
  'install.timeout': '--timeout <duration>',
  'install.rollback-on-failure': '--rollback-on-failure',
  'install.keep-generations': '--keep-generations <count>',
  'boot.image': '--image <reference>',
  'boot.parameters': '--parameter <file>',
  'boot.archives': '--archives-from <place>',
  'boot.server': '--server <host:port>',
  'boot.schedule': '--schedule <cron>',
};

/** Settings of which a command takes one at most: a flag for one leaves the others out. */
const alternatives: readonly (readonly ProfileKey[])[] = [imageWays, ['policy', 'keys']];

const keys = Object.keys(flags) as ProfileKey[];

/** Adds the flags of other commands that replace a setting, so that a person sees what they change. */
export function addProfileFlags(command: Command): void {
  command.optionsGroup('Flags of other commands, which replace a setting:');
  for (const key of keys) {
    const { title } = profileFields[key];
    if (profileFields[key].type === 'paths') command.option(flags[key], title, repeated);
    else command.option(flags[key], title);
  }
}

/**
 * Returns what the flags of a command line say for settings. Throws `usage-invalid` for a value that the flag refuses.
 */
export function settingFlags(io: Io, command: Command): ReadonlyMap<ProfileKey, FlagValue> {
  const found = new Map<ProfileKey, FlagValue>();
  for (const key of keys) {
    const option = command.options.find((one) => one.flags === flags[key])!;
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') continue;
    const value = flagValue(io, key, command.getOptionValue(name) as string | true | string[]);
    found.set(key, { flag: option.long!, value });
  }
  return found;
}

/**
 * Returns the flag in whose presence a command takes nothing from the profile for a setting; undefined where there is
 * none.
 */
export function flagInstead(key: ProfileKey, given: ReadonlyMap<ProfileKey, FlagValue>): string | undefined {
  const other = alternatives.find((one) => one.includes(key))?.find((one) => one !== key && given.has(one));
  return other === undefined ? undefined : given.get(other)!.flag;
}

function flagValue(io: Io, key: ProfileKey, said: string | true | readonly string[]): FlagValue['value'] {
  if (said === true) return true;
  if (typeof said !== 'string') return said.map((one) => absolute(io, one));
  switch (profileFields[key].type) {
    case 'path':
      if (said === '') throw usage(key, 'is empty', 'name a file');
      return kubeconfigFrom(io.cwd, said);
    case 'address':
      return registryUrl(said);
    case 'duration':
      duration(said, '--timeout');
      return said;
    case 'count':
      return generationCount(said);
    default:
      return said;
  }
}
