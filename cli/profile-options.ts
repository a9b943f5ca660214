import type { Command, Option } from 'commander';
import type { ProfileKey } from '../lib/index.ts';

/** An option that takes its value from a profile. */
export interface TakenOption {
  readonly key: ProfileKey;
  /** The attribute of the option, as Commander calls it. */
  readonly option: string;
  /** The commands that take it, where not all do that have an option of that name; it may mean another thing there. */
  readonly commands?: readonly string[];
  /** Options that say something else in its place: where one of them is given, the profile says nothing. */
  readonly unless?: readonly string[];
  /** Whether arguments, where there are any, say something else in its place as well. */
  readonly alone?: true;
  /** Actions, the first argument of the command, of which one has to be there. */
  readonly actions?: readonly string[];
}

const bring = ['install', 'agent', 'support-bundle'] as const;
const trusts = [
  ...['render', 'verify', 'serve', 'install', 'seed', 'load', 'rollback', 'repair', 'uninstall', 'agent', 'boot'],
] as const;
const trust = ['policy', 'key', 'fingerprint', 'insecureSkipVerify'] as const;
const ways = ['servedAt', 'registry', 'listen', 'hold', 'containerd', 'imageFolder', 'imageStore'] as const;
const besides = ['pin', 'containerd', 'imageFolder', 'imageStore'] as const;
const moves = [...bring, 'load', 'boot'] as const;

const taken: readonly TakenOption[] = [
  {
    key: 'configuration',
    option: 'configuration',
    commands: ['import', 'unimport', 'activate', 'deactivate', 'resolve', 'install', 'seed', 'support-bundle', 'boot'],
  },
  { key: 'configuration', option: 'configuration', commands: ['serve'], unless: ['store'], alone: true },
  { key: 'configuration', option: 'configuration', commands: ['repair'], alone: true },
  { key: 'kubeconfig', option: 'kubeconfig', unless: ['render', 'imagesOnly'] },
  { key: 'policy', option: 'policy', commands: trusts, unless: trust },
  { key: 'policy', option: 'policy', commands: ['trust'], actions: ['show', 'mend'] },
  { key: 'keys', option: 'key', commands: trusts, unless: trust },
  { key: 'images.serve', option: 'servedAt', commands: moves, unless: ways },
  { key: 'images.serve', option: 'servedAt', commands: ['join-mirror'] },
  { key: 'images.registry', option: 'registry', commands: moves, unless: ways },
  { key: 'images.containerd', option: 'containerd', commands: bring, unless: ways },
  { key: 'images.containerd', option: 'containerd', commands: ['seed'], unless: besides },
  { key: 'images.image-folder', option: 'imageFolder', commands: bring, unless: ways },
  { key: 'images.image-folder', option: 'imageFolder', commands: ['seed'], unless: besides },
  { key: 'images.image-store', option: 'imageStore', commands: bring, unless: ways },
  { key: 'images.image-store', option: 'imageStore', commands: ['seed'], unless: besides },
  { key: 'images.hosts-dir', option: 'hostsDir' },
  { key: 'registry.authfile', option: 'authfile' },
  { key: 'registry.certs-dir', option: 'certsDir' },
  { key: 'install.timeout', option: 'timeout' },
  { key: 'install.rollback-on-failure', option: 'rollbackOnFailure' },
  { key: 'install.keep-generations', option: 'keepGenerations' },
  { key: 'boot.image', option: 'image', commands: ['boot'] },
  { key: 'boot.parameters', option: 'parameter', commands: ['boot'] },
  { key: 'boot.archives', option: 'archivesFrom', commands: ['boot'] },
  { key: 'boot.server', option: 'server', commands: ['boot'] },
  { key: 'boot.schedule', option: 'schedule', commands: ['boot'] },
];

const PRIVATE = 'is the former name of --private-key, and a profile cannot name a private key';
const PRINTED = 'is printed by whoever prints manifests, for machines that have other profiles';
const PUBLIC = 'is the public half of the key that signs the verdict';
const HOST = 'is a registry whose images are pulled, not one to push them to';

/**
 * Options that have the name of a setting, and do not take it, with the reason, by command; of `*`, none of the command
 * does.
 */
export const notTaken: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  profile: { '*': 'prints the profile, and takes such an option only to show what it replaces' },
  setup: { '*': 'makes the profile, and detects the rest itself' },
  status: {
    configuration: 'limits the report to one configuration; without it, the report covers everything in the cluster',
  },
  agent: {
    configuration: 'is a file of the person who prints manifests; the agent follows what is in the cluster',
    archives: 'is the folder in which paths of the followed configuration begin',
    ...Object.fromEntries(['image', 'server', 'schedule', 'archivesFrom'].map((name) => [name, PRINTED])),
  },
  export: { image: 'names the images of the archive that are exported' },
  'join-mirror': {
    configuration: 'names registries; without it, the servers report them',
    registry: HOST,
    server: 'is a "solpack serve" that images are pulled from',
  },
  'leave-mirror': { registry: HOST },
  seed: { registry: 'is the registry in the cluster, from which no image has come so far' },
  scan: { key: PUBLIC },
  sign: { key: PRIVATE },
  trust: { key: PRIVATE },
  unsign: { key: 'is the key whose signature is removed' },
};

/** Lists the options of a command that a profile may set. */
export function profileOptions(command: Command): readonly (TakenOption & { readonly of: Option })[] {
  if (notTaken[command.name()]?.['*'] !== undefined) return [];
  return taken.flatMap((one) => {
    const of = command.options.find((option) => option.attributeName() === one.option);
    const isLeftOut = notTaken[command.name()]?.[one.option] !== undefined;
    const fits = one.commands === undefined ? !isLeftOut : one.commands.includes(command.name());
    return of !== undefined && fits ? [{ ...one, of }] : [];
  });
}

/** Returns whether a profile may set an option of a command. */
export function takesProfile(command: Command): boolean {
  return profileOptions(command).length > 0;
}

/**
 * Returns whether what a command was given leaves a setting to the profile. What `agent --manifests` prints is for
 * Pods, where the profile is not.
 */
export function leavesToProfile(command: Command, { option, unless = [], alone, actions }: TakenOption): boolean {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  if ([option, ...unless, 'manifests'].some(isGiven)) return false;
  if (alone && command.args.length > 0) return false;
  return actions === undefined || actions.includes(command.args[0] ?? '');
}
