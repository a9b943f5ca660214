import { Command } from 'commander';
import { settleProgress } from '../../lib/command.ts';
import { kubeconfigOption } from '../generations.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { progressPlace } from '../reporting.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { progressView } from '../view/progress.ts';

interface Options extends CommonOptions {
  readonly kubeconfig: string;
  readonly pod: string;
  readonly container: string;
}

/** Makes the command `solpack settle`. */
export function settleCommand(io: Io): Command {
  return new Command('settle')
    .summary('report how an install in a Pod ended, if it could not report that itself')
    .description(
      'Waits until the container of a Pod that runs an install with --progress-to has ended, and writes into ' +
        'that ConfigMap how it ended if the install did not: because it was killed, or ended before it could ' +
        'report. It runs beside the install, as the last container of its Pod to end ("solpack docs in-cluster"). ' +
        'SIGTERM means that the Pod is ending.',
    )
    .argument('<configmap>', 'NAMESPACE/NAME of the ConfigMap')
    .addOption(kubeconfigOption(io))
    .requiredOption(
      '--pod <name>',
      'the Pod, in the namespace of the ConfigMap; the name that --progress-as gives the install',
    )
    .option('--container <name>', 'the container of the install', 'loader')
    .addHelpText('after', help)
    .action(async (configmap: string, options: Options) => {
      const session = commandSession(io, options);
      const place = progressPlace(io, configmap, options.kubeconfig, 'configmap');
      const { pod, container } = options;
      const { progress, wasSilent } = await settleProgress({ ...place, pod, container }, session.flow);
      printResult(session, options, 'settle', { wasSilent, progress }, progressView);
    });
}

const help = `
Examples:
  $ solpack settle solpack-loader/edge --kubeconfig /etc/solpack/kubeconfig --pod "$POD"`;
