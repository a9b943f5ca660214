import { Command } from 'commander';
import { rollback } from '../../lib/index.ts';
import { type ClusterOptions, clusterOf, generationCount, generationNumber, kubeconfigOption } from '../generations.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type RegistryFlags, registryEnvironment, registryFlags, registryOptions } from '../registry.ts';
import { type ReturnTrustOptions, returnTrust, returnTrustFlags } from '../return-trust.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { rollbackView } from '../view/rollback.ts';

interface Options extends ClusterOptions, CommonOptions, RegistryFlags, ReturnTrustOptions {
  readonly name?: string;
  readonly keepGenerations: string;
  readonly allowMissingImages?: boolean;
  readonly leaveMigrated?: boolean;
}

/** Makes the command `solpack rollback`. */
export function rollbackCommand(io: Io): Command {
  const command = new Command('rollback')
    .summary('apply again what an earlier install applied')
    .description(
      'Applies an earlier generation of a configuration again, as a new one: its objects as they were applied ' +
        'then; what newer generations added is removed by the rules of an upgrade. CustomResourceDefinitions are ' +
        'never narrowed below what is stored. First it checks that the policy, if one is given, still trusts the ' +
        'generation, and that the registries of its images still have them.',
    )
    .argument('[generation]', 'its number (default: the newest earlier one that became ready)')
    .addOption(kubeconfigOption(io))
    .option('--name <configuration>', 'the configuration (default: the only one that the cluster has)')
    .option('--timeout <duration>', 'how long a removed object may take to be gone', '5m')
    .option('--force-conflicts', 'take over fields that others have set')
    .option('--allow-missing-images', 'continue even if images can no longer be pulled')
    .option(
      '--leave-migrated',
      'continue even if custom resources stay as the plugin of a newer version has migrated them',
    )
    .option('--keep-generations <count>', 'how many generations the cluster remembers', '10');
  return registryFlags(returnTrustFlags(command, 'passes'), false)
    .addHelpText('after', help)
    .action(async (generation: string | undefined, options: Options) => {
      const session = commandSession(io, options);
      const number = generation === undefined ? undefined : generationNumber(generation);
      const keepGenerations = generationCount(options.keepGenerations);
      const request = {
        cluster: await clusterOf(io, options),
        configuration: options.name,
        generation: number,
        trust: await returnTrust(io, options),
        registries: await registryOptions(io, options, session.flow),
        allowMissingImages: options.allowMissingImages ?? false,
        leaveMigrated: options.leaveMigrated ?? false,
        keepGenerations,
      };
      const result = await rollback(request, session.flow);
      printResult(session, options, 'rollback', result, rollbackView);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack rollback --kubeconfig admin.conf --policy trust.toml
  $ solpack rollback 3 --kubeconfig admin.conf --name edge`;
