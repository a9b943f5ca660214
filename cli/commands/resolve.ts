import { Command } from 'commander';
import { exits, resolveSet } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import { type ClusterOptions, clusterOf } from '../generations.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { caFileOption, mediaContext, type PlaceOptions } from '../place.ts';
import {
  plainHttpOption,
  type RegistryFlags,
  registryConnections,
  registryEnvironment,
  registryFlags,
} from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { resolveView } from '../view/resolve.ts';

interface Options extends CommonOptions, PlaceOptions, RegistryFlags, Partial<ClusterOptions> {
  readonly configuration: string;
  readonly kubeVersion?: string;
}

/** Makes the command `solpack resolve`. */
export function resolveCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('resolve')
    .summary('find which Solutions fit together, and why')
    .description(
      'Finds the set of Solutions that an install of a SolutionsConfiguration would bring: those that it wants, ' +
        'in the highest versions that fit together, with all that these require, beside what other configurations ' +
        'have installed in the cluster. Prints why each is in the set, and the order of the install. If there is ' +
        'no such set, it explains what prevents one and what would help, and ends with 2. It changes nothing.',
    )
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .option('--kubeconfig <file>', 'the cluster to install into (default: an empty one)')
    .option('--kube-version <version>', 'the Kubernetes version, such as 1.33.0, if no cluster is asked')
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const session = commandSession(io, options);
      const { kubeconfig, kubeVersion } = options;
      const registries = registryConnections(io, options, session.flow);
      const request = {
        configuration: absolute(io, options.configuration),
        media: mediaContext(io, options.caFile, registries.connect),
        cluster: kubeconfig === undefined ? undefined : await clusterOf(io, { ...options, kubeconfig }),
        kubernetes: kubeVersion,
      };
      const result = await resolveSet(request, session.flow).finally(registries.close);
      printResult(session, options, 'resolve', result, resolveView);
      if (!result.resolved) exit(exits.usage);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack resolve -f solutions.yaml
  $ solpack resolve -f solutions.yaml --kubeconfig admin.conf --json | jq '.solutions[] | {name, version, reason}'`;
