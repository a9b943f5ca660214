import { Command } from 'commander';
import { duration } from '../../lib/command.ts';
import { keepRepairing, type RepairResult, type ReturnTrust, repair, SolpackError } from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { type ClusterOptions, clusterOf, kubeconfigOption } from '../generations.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type ReturnTrustOptions, returnTrust, returnTrustFlags } from '../return-trust.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { printedRepair, repairView } from '../view/repair.ts';

interface Options extends ClusterOptions, CommonOptions, ReturnTrustOptions {
  readonly configuration?: string;
  readonly every?: string;
}

/** Makes the command `solpack repair`. */
export function repairCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('repair')
    .summary('restore what somebody has changed or deleted')
    .description(
      'Restores objects that are gone, and fields that differ from what the newest generation of a ' +
        'configuration applied, and names the managers whose changes it overrides. It touches no other object, ' +
        'keeps what autoscalers decide, and runs no hook. If a policy is given, it does not restore what the ' +
        'policy no longer trusts. Ends with 1 if something still differs from what was applied.',
    )
    .argument('[name]', 'a configuration, or a Solution (default: the only configuration that the cluster has)')
    .addOption(kubeconfigOption(io))
    .option('-f, --configuration <file>', 'the SolutionsConfiguration, instead of its name')
    .option('--every <duration>', 'keep running, and repair again after each such time, until SIGTERM or Ctrl-C')
    .option('--timeout <duration>', 'how long a removed object may take to be gone', '5m');
  return returnTrustFlags(command, 'stands')
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: Options) => {
      const session = commandSession(io, options);
      const { configuration, every } = options;
      if (name !== undefined && configuration !== undefined) {
        throw usage('--configuration', `names a configuration, and so does ${name}`, 'give one of them');
      }
      const request = {
        cluster: await clusterOf(io, options),
        name,
        configuration: configuration === undefined ? undefined : absolute(io, configuration),
        trust: await trustNow(io, options),
      };
      const show = (result: RepairResult): void =>
        printResult(session, options, 'repair', printedRepair(result), repairView);
      if (every !== undefined) {
        const pause = 1000 * duration(every, '--every');
        session.progress.endure();
        await keepRepairing(request, pause, session.flow, show).catch((error) => {
          // To be ended is how it ends.
          if (!io.signal.aborted || io.signal.reason instanceof SolpackError) throw error;
        });
        session.progress.end();
        return;
      }
      const result = await repair(request, session.flow);
      show(result);
      if (result.left.length > 0) exit(1);
    });
}

/**
 * Tells whom to trust as the files say it each time; undefined where no option names any. Throws what reading them now
 * does.
 */
async function trustNow(io: Io, options: Options): Promise<(() => Promise<ReturnTrust>) | undefined> {
  if ((await returnTrust(io, options)) === undefined) return undefined;
  return async () => (await returnTrust(io, options))!;
}

const help = `
Examples:
  $ solpack repair --kubeconfig admin.conf
  $ solpack repair -f solutions.yaml --kubeconfig admin.conf --policy trust.toml --every 1m`;
