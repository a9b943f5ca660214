import type { Command } from 'commander';
import { manifestParts, manifestsOf } from '../lib/command.ts';
import type { FollowedSource, KubernetesObject, ManifestPartName, ManifestSettings } from '../lib/index.ts';
import { listenAddress, usage } from './arguments.ts';
import { filesFrom } from './files-from.ts';
import type { Io } from './io.ts';
import type { ReturnTrustOptions } from './return-trust.ts';

/** Options of `solpack agent` that say what is printed instead of running it. */
export interface ManifestOptions extends ReturnTrustOptions {
  readonly manifests?: boolean;
  readonly part: string;
  readonly image?: string;
  readonly namespace?: string;
  readonly replicas: string;
  readonly server?: string;
  readonly schedule: string;
  readonly archivesFrom?: string;
  readonly stateFrom?: string;
  readonly configuration?: string;
  readonly insecureSkipVerify?: boolean;
  readonly approve: 'auto' | 'manual';
}

/** Where the printed Pods find what they need, if the command line does not say otherwise. */
const inPod = { '--archives': '/archives', '--trust-state': '/state', '--policy': '/etc/solpack/trust.toml' };

/** Adds the options of `ManifestOptions`. */
export function manifestFlags(command: Command): void {
  command
    .optionsGroup('Manifests:')
    .option('--manifests', 'print the objects with which this command line runs in the cluster, and do nothing')
    .option('--part <name>', 'the part of solpack to print manifests for', 'agent')
    .option('--image <reference>', 'the image of solpack, as nodes pull it (default: solpack:VERSION)')
    .option('--namespace <name>', 'the namespace that it runs in (default: solpack-PART)')
    .option('--replicas <count>', 'the number of replicas, of which one works', '2')
    .option(
      '--server <host:port>',
      'where the loader reaches the API server before Services work (default: the Service)',
    )
    .option('--schedule <cron>', 'when a repair begins', '*/10 * * * *')
    .option('--archives-from <where>', 'a folder of nodes, or claim:NAME, with the archives (default: registries)')
    .option('--state-from <where>', 'the same, for the remembered releases (default: as long as the Pod exists)')
    .option(
      '-f, --configuration <file>',
      'grant only the rights that the Solutions of this SolutionsConfiguration need',
    );
}

/** Flags, and whether a value follows, that are not for the Pod. */
const notForPods: ReadonlyMap<string, boolean> = new Map([
  ...['--manifests', '--json', '--no-progress', '--quiet', '-q'].map((flag) => [flag, false] as const),
  ...[
    '--part',
    '--image',
    '--namespace',
    '--replicas',
    '--server',
    '--schedule',
    '--archives-from',
    '--state-from',
    '-f',
    '--configuration',
  ].map((flag) => [flag, true] as const),
  ...['--kubeconfig', '--probes', '--progress', '--log-file'].map((flag) => [flag, true] as const),
]);

/** What the Solutions of a configuration are, where one is given. */
export interface BroughtBy {
  readonly objects: readonly KubernetesObject[];
  readonly probes: ManifestSettings['probes'];
  /** The servers that it names: what is printed lets it name these. */
  readonly servers: { readonly addresses: readonly string[]; readonly registries: readonly string[] };
}

/** Returns what the cluster needs for this command line, by what its Solutions are. Throws `usage-invalid`. */
export function printedManifests(
  io: Io,
  options: ManifestOptions,
  source: FollowedSource,
  version: string,
  brought: BroughtBy | undefined,
  name: string | undefined,
): readonly KubernetesObject[] {
  const part = partOf(options.part);
  if (!/^[1-9]\d?$/.test(options.replicas)) {
    throw usage('--replicas', `${options.replicas} is not a number from 1 to 99`, 'give the number of replicas');
  }
  const namespace = options.namespace ?? `solpack-${part}`;
  const settings: ManifestSettings = {
    namespace,
    image: options.image ?? `solpack:${version}`,
    args: argsFor(io, part, { ...options, namespace, name, brought }),
    replicas: Number(options.replicas),
    server: options.server === undefined ? undefined : listenAddress(options.server),
    schedule: options.schedule,
    archives: filesFrom('--archives-from', options.archivesFrom),
    state: filesFrom('--state-from', options.stateFrom),
    follows:
      source.kind === 'custom-resource'
        ? { customResource: source.name }
        : { configMap: { namespace: source.namespace, name: source.name } },
    approves: options.approve === 'manual',
    objects: brought?.objects,
    probes: brought?.probes ?? [],
  };
  return manifestsOf(part, settings);
}

function partOf(value: string): ManifestPartName {
  const names = manifestParts().map(({ name }) => name);
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  throw usage('--part', `${JSON.stringify(value)} is not a part`, `name one of ${names.join(', ')}`);
}

/** Flags of an agent, with a value each, that no install has. */
const notForInstalls = ['--config-map', '--archives', '--every', '--lease', '--approve'];

/**
 * What the configuration of a part may name in its Pod: what is mounted there for it, and no other variable than those
 * that are made for it.
 */
const grants = {
  agent: [['--allow-files', '/etc/solpack-site']],
  // The parameters of a loader lie beside its configuration.
  loader: [
    ['--allow-files', '/etc/solpack'],
    ['--allow-variable', 'SITE_*'],
  ],
} as const satisfies Partial<Record<ManifestPartName, readonly (readonly [string, string])[]>>;

/** What a Pod of each part runs, and where it finds what it needs, if the command line does not say otherwise. */
const commands: Readonly<Record<ManifestPartName, (namespace: string) => PartCommand>> = {
  agent: (namespace) => ({
    words: ['agent'],
    places: { ...inPod, '--lease': `${namespace}/solpack-agent` },
    grants: grants.agent,
    without: [],
  }),
  loader: () => {
    const { '--archives': _, ...places } = inPod;
    return {
      words: ['install', '-f', '/etc/solpack/solutions.yaml'],
      places,
      grants: grants.loader,
      without: notForInstalls,
    };
  },
  // Nothing is asked of it but the name of a configuration, and whom to trust.
  repair: () => ({ words: ['repair'], places: { '--policy': inPod['--policy'] }, grants: [], without: 'all' }),
};

interface PartCommand {
  readonly words: readonly string[];
  readonly places: Readonly<Record<string, string>>;
  readonly grants: readonly (readonly [string, string])[];
  /** Flags of the command line that are not for it; `all` but those that say whom to trust with what is there. */
  readonly without: readonly string[] | 'all';
}

/** Returns the command line of the Pod: this one, without what is for printing, and with where a Pod has its files. */
function argsFor(
  { argv }: Io,
  part: ManifestPartName,
  {
    namespace,
    name,
    key,
    policy,
    allowUnsigned,
    insecureSkipVerify,
    archivesFrom,
    brought,
  }: ManifestOptions & { namespace: string; name: string | undefined; brought: BroughtBy | undefined },
): string[] {
  const { words, places, grants: own, without } = commands[part](namespace);
  if (part === 'loader' && name !== undefined) {
    throw usage(
      name,
      'cannot name a loader',
      'leave it out: it installs solutions.yaml of the ConfigMap solpack-settings',
    );
  }
  const kept =
    without === 'all'
      ? [...(name === undefined ? [] : [name]), ...trustWords(policy, key, allowUnsigned)]
      : wordsForPods(argv, without);
  const isGiven = (flag: string): boolean => kept.some((word) => word === flag || word.startsWith(`${flag}=`));
  const trusted = key !== undefined || policy !== undefined || insecureSkipVerify === true;
  const added = Object.entries(places).flatMap(([flag, value]) =>
    isGiven(flag) || (flag === '--policy' && trusted) ? [] : [flag, value],
  );
  if (without === 'all') return [...words, ...kept, ...added];
  const { addresses = [], registries = [] } = brought?.servers ?? {};
  const named = [
    ...(archivesFrom === undefined ? [] : [['--allow-files', '/archives']]),
    ...own,
    ...addresses.map((address) => ['--allow-address', address]),
    ...registries.map((registry) => ['--allow-registry', registry]),
  ];
  return [...words, ...kept, ...added, ...named.flat()];
}

/** Returns the words of a command line, without its command and without flags that are not for a Pod, nor `without`. */
function wordsForPods(argv: Io['argv'], without: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at]!;
    const [flag = ''] = word.split('=');
    const hasValue = notForPods.get(flag) ?? (without.includes(flag) || undefined);
    if (hasValue === undefined) kept.push(word);
    else if (hasValue && !word.includes('=')) at += 1;
  }
  return kept;
}

/** Returns the options that say whom to trust, as words. */
function trustWords(
  policy: string | undefined,
  key: readonly string[] = [],
  allowUnsigned: readonly string[] = [],
): string[] {
  return [
    ...key.flatMap((one) => ['--key', one]),
    ...(policy === undefined ? [] : ['--policy', policy]),
    ...allowUnsigned.flatMap((root) => ['--allow-unsigned', root]),
  ];
}
