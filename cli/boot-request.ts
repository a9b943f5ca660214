import { basename } from 'node:path';
import { readFile } from '../lib/command.ts';
import type { BootRequest, ManifestSettings } from '../lib/index.ts';
import { absolute, listenAddress, usage } from './arguments.ts';
import { filesFrom } from './files-from.ts';
import { clusterAccess } from './in-cluster.ts';
import { type Io, ownEnvironment } from './io.ts';

/** Options of `solpack boot` that say what is made in the cluster. */
export interface BootOptions {
  readonly configuration: string;
  readonly kubeconfig: string;
  readonly image: string;
  readonly parameter?: string[];
  readonly archivesFrom?: string;
  readonly server?: string;
  readonly servedAt?: string;
  readonly registry?: string;
  readonly key?: string[];
  readonly policy?: string;
  readonly insecureSkipVerify?: boolean;
  readonly schedule?: string;
  readonly timeout: string;
}

/** Where the Pod of a loader has its parameters. */
const FOLDER = '/etc/solpack';
/** The names that the configuration and the policy have there. */
const [CONFIGURATION, POLICY] = ['solutions.yaml', 'trust.toml'];

/** Bytes of all files: a ConfigMap has no more than a megabyte. */
const LIMIT = 1024 * 1024;

/** Returns what options ask of a boot, but its limits. Throws `usage-invalid`, `file-missing`, `file-unreadable`. */
export async function bootRequest(
  io: Io,
  flags: readonly string[],
  options: BootOptions,
): Promise<Omit<BootRequest, 'wait' | 'limit'>> {
  const { image, schedule, policy, key = [], parameter = [] } = options;
  const whom = [policy, options.key, options.insecureSkipVerify].filter((one) => one !== undefined);
  if (whom.length !== 1)
    throw usage('boot', 'needs one way to trust', 'give --key, --policy or --insecure-skip-verify');
  if (options.servedAt !== undefined && options.registry !== undefined) {
    throw usage('--registry', 'contradicts --served-at', 'give one of them');
  }
  const files: (readonly [string, string])[] = [
    [CONFIGURATION, options.configuration],
    ...(policy === undefined ? [] : [[POLICY, policy] as const]),
    ...[...key, ...parameter].map((path) => [basename(path), path] as const),
  ];
  const parameters = new Map<string, Uint8Array>();
  for (const [name, path] of files) {
    if (parameters.has(name)) throw usage(path, `has the name of another file, ${name}`, 'give it another name');
    parameters.set(name, await readFile(absolute(io, path), LIMIT));
  }
  const trust = [
    ...(policy === undefined ? [] : ['--policy', `${FOLDER}/${POLICY}`]),
    ...key.flatMap((path) => ['--key', `${FOLDER}/${basename(path)}`]),
    ...(options.insecureSkipVerify ? ['--insecure-skip-verify'] : []),
  ];
  const both = {
    image,
    replicas: 1,
    approves: false,
    objects: undefined,
    probes: [],
    state: undefined,
    follows: nothing,
  };
  const loader: ManifestSettings = {
    ...both,
    namespace: 'solpack-loader',
    args: [...installWords(options), ...trust, ...flags],
    server: options.server === undefined ? undefined : listenAddress(options.server),
    schedule: '',
    archives: filesFrom('--archives-from', options.archivesFrom),
  };
  const repair: ManifestSettings = {
    ...both,
    namespace: 'solpack-repair',
    args: ['repair', ...trust],
    server: undefined,
    schedule: schedule ?? '',
    archives: undefined,
  };
  const access = { kubeconfig: clusterAccess(io, options.kubeconfig), env: ownEnvironment(io), forceConflicts: false };
  return { access, loader, repair: schedule === undefined ? undefined : repair, parameters };
}

/** A loader follows nothing. */
const nothing = { customResource: '' };

function installWords({ servedAt, registry, archivesFrom, timeout }: BootOptions): string[] {
  return [
    ...['install', '-f', `${FOLDER}/${CONFIGURATION}`, '--trust-state', '/state', '--timeout', timeout],
    ...(servedAt === undefined ? [] : ['--served-at', servedAt]),
    ...(registry === undefined ? [] : ['--registry', registry]),
    // Its parameters lie beside its configuration, and no other variable is made for it.
    ...['--allow-files', FOLDER, '--allow-variable', 'SITE_*'],
    ...(archivesFrom === undefined ? [] : ['--allow-files', '/archives']),
  ];
}
