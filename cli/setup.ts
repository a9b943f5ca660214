import { basename, dirname, join } from 'node:path';
import {
  joinWords,
  kubernetesTarget,
  lookAtMachine,
  pathFolders,
  readProfile,
  sharedSecrets,
  withMediumPrograms,
} from '../lib/command.ts';
import { type ChosenWay, lend, type Machine, type Profile, type SetupRequest, SolpackError } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import type { CommandSession, CommonOptions } from './command-session.ts';
import { xdgFolder } from './home.ts';
import { type Io, ownEnvironment } from './io.ts';
import { archivePlace } from './place.ts';
import { configurationHere, isRoot, pathIn, profilePath } from './profile.ts';
import { type SetupTrustOptions, setupTrust } from './setup-trust.ts';
import { type SetupWayOptions, setupWay } from './setup-way.ts';

/** The options of `solpack setup`. */
export interface SetupOptions extends CommonOptions, SetupTrustOptions, SetupWayOptions {
  readonly plan?: boolean;
  readonly undo?: boolean;
  readonly configuration?: string;
  readonly kubeconfig?: string;
}

/** What was found, and what the machine is to be like. */
export interface FoundSetup {
  readonly machine: Machine;
  readonly nodes?: number;
  readonly kubeconfig?: string;
  readonly images?: ChosenWay;
  /** The command that lets another node pull from here. */
  readonly join?: string;
  readonly request: SetupRequest;
}

/**
 * Returns the profile that is written: the one that is named, otherwise that of the machine for root, and for others
 * their own.
 */
export async function setupProfile(io: Io): Promise<string> {
  const { named, path } = await profilePath(io);
  if (path === undefined) throw usage('--no-profile', 'leaves nothing to write', 'leave it out');
  if (named || isRoot()) return path;
  return join(userFolder(io, 'XDG_CONFIG_HOME'), 'solpack/profile.toml');
}

/** Returns the file in which it is noted what was done on this machine. */
export function setupRecord(io: Io): string {
  if (isRoot()) return '/var/lib/solpack/setup.json';
  return join(userFolder(io, 'XDG_STATE_HOME'), 'solpack/setup.json');
}

/**
 * Looks at the machine, and decides what it is to be like. Throws `usage-invalid`, `trust-required`, and what reading
 * files throws.
 */
export async function findOut(
  session: CommandSession,
  medium: string | undefined,
  options: SetupOptions,
): Promise<FoundSetup> {
  const { io, flow } = session;
  const isArchive = medium !== undefined && !medium.endsWith('.pub');
  const named = isArchive ? await archivePlace(io, medium, {}) : undefined;
  const machine = await withMediumPrograms(await lookAtMachine(flow), { named, folder: io.cwd }, flow);
  const path = await setupProfile(io);
  const profile = await readProfile(path);
  const kubeconfig = kubeconfigFor(io, options, profile, machine);
  const isNode = kubeconfig !== undefined || machine.kubernetes.distribution !== 'none';
  if (isNode && !isRoot() && options.plan !== true) {
    throw usage(
      'setup',
      'changes /etc and services of this node, which only root may',
      'run it as root, or add --plan',
    );
  }
  const listed = kubeconfig === undefined ? undefined : await nodesOf(session, kubeconfig);
  const nodes = listed?.length;
  const addresses = listed?.flatMap((node) => node.addresses ?? []) ?? [];
  const images = isNode ? await setupWay(io, options, profile, machine, { count: nodes, addresses }) : undefined;
  const { program, copies } = programHere(io, machine);
  const shared = await sharing(dirname(path), images, addresses);
  const request = {
    profile: path,
    configuration: isNode ? await configurationFor(io, options, profile) : undefined,
    kubeconfig,
    ...(await setupTrust(session, medium, options, profile, isNode)),
    images: images?.chosen,
    ...shared,
    machine,
    program,
    copies,
  };
  return {
    machine,
    ...(nodes === undefined ? {} : { nodes }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(images === undefined ? {} : { images }),
    ...(images?.chosen.way === 'shared'
      ? { join: await joinWords(dirname(path), images.chosen.address, images.chosen.hostsDir, shared.shared?.servers) }
      : {}),
    request,
  };
}

async function sharing(
  folder: string,
  images: ChosenWay | undefined,
  addresses: readonly string[],
): Promise<Pick<SetupRequest, 'shared'>> {
  if (images?.chosen.way !== 'shared') return {};
  const own = new URL(images.chosen.address).hostname.replace(/^\[|\]$/g, '');
  return { shared: await sharedSecrets(folder, own, addresses, Math.floor(Date.now() / 1000)) };
}

/** Throws `usage-invalid` where a person has to answer, and nobody can be asked. */
export function requireAnswers(io: Io, { yes, plan }: SetupOptions): void {
  if (yes || plan || io.ask !== undefined) return;
  throw usage('setup', 'would ask, and there is no terminal', 'give --yes, or look with --plan first');
}

function kubeconfigFor(
  io: Io,
  options: SetupOptions,
  profile: Profile | undefined,
  machine: Machine,
): string | undefined {
  if (options.kubeconfig !== undefined) return absolute(io, options.kubeconfig);
  return pathIn(profile, 'kubeconfig') ?? machine.kubernetes.kubeconfig;
}

async function configurationFor(io: Io, options: SetupOptions, profile: Profile | undefined): Promise<string> {
  if (options.configuration !== undefined) return absolute(io, options.configuration);
  return pathIn(profile, 'configuration') ?? (await configurationHere(io));
}

/** The words that run solpack in a service, and what is copied for that from a medium, which may be pulled out. */
function programHere(io: Io, { programs }: Machine): Pick<SetupRequest, 'program' | 'copies'> {
  const { executable } = io;
  if (executable === undefined) return { program: [process.execPath, io.script!], copies: [] };
  const folder = dirname(executable);
  const stays = /^\/(?:usr|opt)\//.test(executable) || pathFolders(io.env['PATH']).includes(folder);
  if (stays || !isRoot()) return { program: [executable], copies: [] };
  const beside = programs.flatMap(({ path }) => (path !== undefined && dirname(path) === folder ? [path] : []));
  const copies = [executable, ...beside].map((from) => {
    return { from, path: join(PROGRAMS, from === executable ? 'solpack' : basename(from)) };
  });
  return { program: [join(PROGRAMS, 'solpack')], copies };
}

const PROGRAMS = '/usr/local/bin';

function userFolder(io: Io, name: Parameters<typeof xdgFolder>[1]): string {
  const folder = xdgFolder(io, name);
  if (folder !== undefined) return folder;
  throw usage('setup', 'finds no folder of this user', 'set HOME, or give --profile FILE');
}

/** Lists the nodes of a cluster; undefined where its API server does not answer, or does not tell. */
async function nodesOf(
  { io, flow }: CommandSession,
  kubeconfig: string,
): Promise<readonly { readonly addresses?: readonly string[] }[] | undefined> {
  try {
    const cluster = await kubernetesTarget({ kubeconfig, env: ownEnvironment(io), forceConflicts: false });
    return await lend(cluster, async () => cluster.nodes(flow));
  } catch (error) {
    if (error instanceof SolpackError && error.code.startsWith('cluster-')) return undefined;
    throw error;
  }
}
