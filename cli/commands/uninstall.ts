import { Command } from 'commander';
import { exits, uninstall } from '../../lib/index.ts';
import { absolute, repeated } from '../arguments.ts';
import { type ClusterOptions, clusterOf, generationCount, kubeconfigOption } from '../generations.ts';
import { agreeToClaims, Declined } from '../install-agreement.ts';
import type { Io } from '../io.ts';
import { tellDeclined } from '../json-failure.ts';
import { printResult } from '../output.ts';
import { type ReturnTrustOptions, returnTrust, returnTrustFlags } from '../return-trust.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { uninstallView } from '../view/uninstall.ts';

interface Options extends ClusterOptions, CommonOptions, ReturnTrustOptions {
  readonly keepGenerations: string;
  readonly hostsDir?: string;
  readonly allowRemoval?: string[];
}

/** Makes the command `solpack uninstall`. */
export function uninstallCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('uninstall')
    .summary('remove a Solution from a cluster')
    .description(
      'Removes a Solution, or all Solutions of a configuration, as an install of a configuration without them ' +
        'would: runs their deletion hooks, removes their objects, and reports what stays and why. It needs no ' +
        'archive and no configuration. It also removes images that were put on this machine for them. The ' +
        'archives stay, and so do mirrors, except those in the folder of --hosts-dir. Before it removes volume ' +
        'claims together with their owners, it asks. The other Solutions of its configuration are applied once ' +
        'more, if the policy, where one is given, still trusts them.',
    )
    .argument('<name>', 'a Solution, or else a configuration')
    .addOption(kubeconfigOption(io))
    .option('--timeout <duration>', 'how long a removed object may take to be gone', '5m')
    .option('--force-conflicts', 'of objects that stay, take over fields that others have set')
    .option('--keep-generations <count>', 'how many generations the cluster remembers', '10')
    .option(
      '--allow-removal <name>',
      'remove volume claims that removed objects of this Solution own, with their data; may be repeated',
      repeated,
    )
    .option('--hosts-dir <dir>', 'the folder of mirrors that install wrote: remove those that nothing needs any more');
  return returnTrustFlags(command, 'stands')
    .addHelpText('after', help)
    .action(async (name: string, options: Options) => {
      const session = commandSession(io, options);
      const keepGenerations = generationCount(options.keepGenerations);
      const hostsDir = options.hostsDir === undefined ? undefined : absolute(io, options.hostsDir);
      const trust = await returnTrust(io, options);
      const cluster = await clusterOf(io, options);
      const agreement = agreeToClaims(session, options.allowRemoval);
      try {
        const request = { cluster, name, trust, agreement, keepGenerations, hostsDir };
        printResult(session, options, 'uninstall', await uninstall(request, session.flow), uninstallView);
      } catch (error) {
        if (!(error instanceof Declined)) throw error;
        tellDeclined(io);
        exit(exits.usage);
      }
    });
}

const help = `
Examples:
  $ solpack uninstall guestbook --kubeconfig admin.conf
  $ solpack uninstall edge --kubeconfig admin.conf --json | jq '.kept'`;
