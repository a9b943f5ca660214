import type { Command } from 'commander';
import { readGrants } from '../lib/command.ts';
import type { Grants } from '../lib/index.ts';
import { absolute, repeated } from './arguments.ts';
import { IN_CLUSTER } from './in-cluster.ts';
import type { Io } from './io.ts';

/** The options that say what a configuration may name that comes from a cluster. */
export interface GrantOptions {
  readonly allowFiles?: string[];
  readonly allowVariable?: string[];
  readonly allowAddress?: string[];
  readonly allowRegistry?: string[];
}

/** The options by which the command itself is informed where its own credentials are. */
interface OwnSecrets {
  readonly authfile?: string;
  readonly certsDir?: string;
  readonly kubeconfig?: string;
}

/** Adds the options of `GrantOptions`, which bound what a configuration may name. */
export function grantFlags(command: Command): void {
  command
    .optionsGroup('Bounds:')
    .option(
      '--allow-files <dir>',
      'let a configuration from the cluster name files below this folder; may be repeated',
      repeated,
    )
    .option('--allow-variable <name>', 'let it name this variable, or all of PREFIX*; may be repeated', repeated)
    .option('--allow-address <url>', 'let it name archives at this address, and below it; may be repeated', repeated)
    .option(
      '--allow-registry <host>',
      'let it name Solutions in this registry, or below HOST/REPOSITORY; may be repeated',
      repeated,
    );
}

/**
 * Returns what a configuration may name. It may name anything (undefined) where it is a file of the person who runs the
 * command: none of the options is given, and the account of no Pod is used. `isFollowed` says that it is read from the
 * cluster itself. Throws `usage-invalid`.
 */
export async function grantsOf(
  io: Io,
  options: GrantOptions & OwnSecrets,
  isFollowed: boolean,
): Promise<Grants | undefined> {
  const { allowFiles, allowVariable, allowAddress, allowRegistry, kubeconfig } = options;
  const isGiven = [allowFiles, allowVariable, allowAddress, allowRegistry].some((one) => one !== undefined);
  if (!isFollowed && kubeconfig !== IN_CLUSTER && !isGiven) return undefined;
  return readGrants({
    folders: (allowFiles ?? []).map((folder) => absolute(io, folder)),
    variables: allowVariable ?? [],
    addresses: allowAddress ?? [],
    registries: allowRegistry ?? [],
    withheld: ownSecrets(io, options),
  });
}

/** Lists the files and folders that the command itself has credentials in. */
function ownSecrets(io: Io, { authfile, certsDir, kubeconfig }: OwnSecrets): string[] {
  const { REGISTRY_AUTH_FILE: auths, DOCKER_CONFIG: docker } = io.env;
  const paths = [authfile ?? auths, certsDir, kubeconfig === IN_CLUSTER ? undefined : kubeconfig, docker];
  return paths.flatMap((path) => (path ? [absolute(io, path)] : []));
}
