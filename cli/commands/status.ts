import { Command } from 'commander';
import { isAllReady, nodeMirrors, overallState } from '../../lib/command.ts';
import { history, type StatusReport, type StatusRequest, status, watchStatus } from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { type ClusterOptions, clusterOf } from '../generations.ts';
import { IN_PROFILE } from '../habits.ts';
import { type HtmlOptions, htmlOption, requireOneOutput, writePage } from '../html-file.ts';
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
import { type CommandSession, commandSession } from '../session.ts';
import type { ShownStatus } from '../view/html/status-page.ts';
import { nodeMirrorsView } from '../view/mirrors.ts';
import { printedStatus, statusView } from '../view/status.ts';

interface Options extends Partial<ClusterOptions>, HtmlOptions, RegistryFlags {
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
    .summary('show whether all objects exist, are ready and unchanged')
    .description(
      'Compares what the newest generation of a configuration applied with what the cluster has: which objects ' +
        'are not ready and why, which fields somebody has changed since, who and when, and whether the images can ' +
        'still be pulled. It changes nothing, and ends with 1 if something is not ready or not as it was applied.',
    )
    .argument('[name]', 'a configuration, or a Solution (default: all that the cluster has)')
    .option('--kubeconfig <file>', 'the cluster of this kubeconfig; required, except with --hosts-dir alone')
    .option(
      '--hosts-dir <dir>',
      "also check this node's mirrors, below containerd's config_path, and ask their servers",
    )
    .option('-f, --configuration <file>', 'also list the archives of this SolutionsConfiguration')
    .option('--watch', 'print it again whenever something has changed, until Ctrl-C')
    .option('--no-images', 'do not ask registries for the images')
    .addOption(htmlOption())
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: Options) => {
      const session = commandSession(io, options);
      requireOneOutput(options);
      const { configuration, kubeconfig } = options;
      const hostsDir = options.hostsDir === undefined ? undefined : absolute(io, options.hostsDir);
      if (kubeconfig === undefined) return await nodeAlone(session, options, name, hostsDir, exit);
      if (options.html !== undefined && options.watch) {
        throw usage('--html', 'contradicts --watch', 'leave one of them out');
      }
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
      const access = { ...options, kubeconfig };
      await run(session, access, { ...request, hostsDir }, exit).finally(registries.close);
    });
}

async function run(
  session: CommandSession,
  options: Options & ClusterOptions,
  request: StatusRequest,
  exit: (code: number) => void,
): Promise<void> {
  const show = (report: StatusReport): void =>
    printResult(session, options, 'status', printedStatus(report, overallState(report)), statusView);
  if (options.watch) await watchStatus(request, POLL, session.flow, show);
  const reports = await status(request, session.flow);
  const prints = options.html === undefined || (await writeStatusPage(session, options, reports));
  if (prints) for (const report of reports) show(report);
  if (!reports.every(isAllReady)) exit(1);
}

/** Writes a page of reports, with what the cluster remembers. Returns whether the reports are still to be printed. */
async function writeStatusPage(
  session: CommandSession,
  options: Options & ClusterOptions,
  reports: readonly StatusReport[],
): Promise<boolean> {
  const shown: ShownStatus[] = [];
  for (const report of reports) {
    const cluster = await clusterOf(session.io, options);
    const { generations } = await history({ cluster, configuration: report.configuration }, session.flow);
    shown.push({ status: printedStatus(report, overallState(report)), generations });
  }
  const { statusPage } = await import('../view/html/status-page.ts');
  return writePage(session, options, statusPage(shown));
}

/** Reports the mirrors of this node, which needs no cluster. */
async function nodeAlone(
  session: CommandSession,
  options: Options,
  name: string | undefined,
  hostsDir: string | undefined,
  exit: (code: number) => void,
): Promise<void> {
  const { configuration, watch, html } = options;
  if (hostsDir === undefined || name !== undefined || configuration !== undefined || watch || html !== undefined) {
    throw usage(
      '--kubeconfig',
      'is not given',
      `name the kubeconfig of the cluster; ${IN_PROFILE}; without a cluster, give --hosts-dir DIR alone`,
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
  $ solpack status --kubeconfig admin.conf --html status.html
  $ solpack status --hosts-dir /etc/containerd/certs.d
  $ solpack status --kubeconfig admin.conf --json | jq '.solutions[].objects[] | select(.state != "ready")'`;
