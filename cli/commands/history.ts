import { Command } from 'commander';
import { history } from '../../lib/index.ts';
import { type ClusterOptions, clusterOf, kubeconfigOption } from '../generations.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { historyView } from '../view/history.ts';

/** Makes the command `solpack history`. */
export function historyCommand(io: Io): Command {
  return new Command('history')
    .summary('list the earlier installs that a cluster remembers')
    .description(
      'Lists the generations of a configuration: when each install began, who began it and where, what it ' +
        'installed, and how it ended. The cluster itself keeps them, so no file of the node that installed is ' +
        'needed.',
    )
    .argument('[name]', 'of the configuration (default: the only one that the cluster has)')
    .addOption(kubeconfigOption(io))
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: ClusterOptions & CommonOptions) => {
      const session = commandSession(io, options);
      const result = await history({ cluster: await clusterOf(io, options), configuration: name }, session.flow);
      const generations = result.generations.map(({ reason = null, ...one }) => ({ ...one, reason }));
      printResult(session, options, 'history', { ...result, generations }, historyView);
    });
}

const help = `
Examples:
  $ solpack history --kubeconfig admin.conf
  $ solpack history edge --kubeconfig admin.conf --json | jq '.generations[0]'`;
