import { Command } from 'commander';
import { isAllReady, nodeMirrors, overallState } from '../../lib/command.ts';
import { type StatusReport, type StatusRequest, status, watchStatus } from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { type ClusterOptions, clusterOf } from '../generations.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { mediaContext } from '../place.ts';
import {
  plainHttpOption,
  type RegistryFlags,
  registryConnections,
  registryEnvironment,
  registryFlags,
  registryOptions,
} from '../registry.ts';
import { type CommandSession, type CommonOptions, commandSession } from '../session.ts';
import { nodeMirrorsView } from '../view/mirrors.ts';
import { printedStatus, statusView } from '../view/status.ts';

interface Options extends Partial<ClusterOptions>, CommonOptions, RegistryFlags {
  readonly hostsDir?: string;
  readonly configuration?: string;
  readonly watch?: boolean;
  readonly images: boolean;
}

/** How often what is watched is looked at, in milliseconds. */
const POLL = 2_000;

/** How long a registry may take to answer, in milliseconds: whoever asks how things are does not wait for long. */
const patience = { connect: 2_000, idle: 5_000, pause: 250, total: 2_000 };

/** Makes the command `solpack status`. */
export function statusCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('status')
    .summary('tell whether all is there, ready, and as it was applied')
    .description(
      'Compares what the newest generation of a configuration applied with what the cluster has: which objects are not\n' +
        'ready and why, which fields somebody has changed since, who and when, and whether the images can still be\n' +
        'pulled. It changes nothing, and ends with 1 if something is not ready or not as it was applied.',
    )
    .argument('[name]', 'a configuration, or a Solution (default: all that the cluster has)')
    .option('--kubeconfig <file>', 'the cluster of this kubeconfig; has to be given, but for --hosts-dir alone')
    .option(
      '--hosts-dir <dir>',
      "look at this node's mirrors as well, below containerd's config_path, and ask their servers",
    )
    .option('-f, --configuration <file>', 'list the archives of this SolutionsConfiguration as well')
    .option('--watch', 'print it again whenever something has changed, until Ctrl-C')
    .option('--no-images', 'do not ask registries for the images')
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: Options) => {
      const session = commandSession(io, options);
      const { configuration, kubeconfig } = options;
      const hostsDir = options.hostsDir === undefined ? undefined : absolute(io, options.hostsDir);
      if (kubeconfig === undefined) return await nodeAlone(session, options, name, hostsDir, exit);
      if (configuration === '') throw usage('--configuration', 'is empty', 'name the file');
      const registries = registryConnections(io, options, session.flow);
      const request = {
        cluster: await clusterOf(io, { ...options, kubeconfig }),
        name,
        configuration: configuration === undefined ? undefined : absolute(io, configuration),
        media: mediaContext(io, undefined, registries.connect),
        registries: options.images
          ? { ...(await registryOptions(io, options, session.flow)), timing: patience }
          : undefined,
      };
      await run(session, options, { ...request, hostsDir }, exit).finally(registries.close);
    });
}

async function run(
  session: CommandSession,
  options: Options,
  request: StatusRequest,
  exit: (code: number) => void,
): Promise<void> {
  const show = (report: StatusReport): void =>
    printResult(session, options, 'status', printedStatus(report, overallState(report)), statusView);
  if (options.watch) await watchStatus(request, POLL, session.flow, show);
  const reports = await status(request, session.flow);
  for (const report of reports) show(report);
  if (!reports.every(isAllReady)) exit(1);
}

/** Tells of the mirrors of this node, which needs no cluster. */
async function nodeAlone(
  session: CommandSession,
  options: Options,
  name: string | undefined,
  hostsDir: string | undefined,
  exit: (code: number) => void,
): Promise<void> {
  const { configuration, watch } = options;
  if (hostsDir === undefined || name !== undefined || configuration !== undefined || watch) {
    throw usage(
      '--kubeconfig',
      'is not given',
      'name the kubeconfig of the cluster; without it, give --hosts-dir DIR alone',
    );
  }
  const mirrors = await nodeMirrors(hostsDir, undefined, session.flow);
  const ready = mirrors.length > 0 && mirrors.every(({ state }) => state === 'ready');
  printResult(session, options, 'status-mirrors', { hostsDir, ready, mirrors: [...mirrors] }, nodeMirrorsView);
  if (!ready) exit(1);
}

const help = `
Environment:
${registryEnvironment}

Of several configurations, --json prints one line each.

Examples:
  $ solpack status --kubeconfig admin.conf
  $ solpack status guestbook --kubeconfig admin.conf --watch
  $ solpack status --hosts-dir /etc/containerd/certs.d
  $ solpack status --kubeconfig admin.conf --json | jq '.solutions[].objects[] | select(.state != "ready")'`;
