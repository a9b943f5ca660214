import { Argument, Command } from 'commander';
import { approvalCluster } from '../../lib/command.ts';
import { configurationReports, decidePlan, exits, type ProposedInstall, proposedInstall } from '../../lib/index.ts';
import { usage } from '../arguments.ts';
import { askFirst } from '../ask-first.ts';
import { kubeconfigOption } from '../generations.ts';
import { clusterAccess } from '../in-cluster.ts';
import { type Io, isYes, ownEnvironment } from '../io.ts';
import { printLines, readable } from '../lines.ts';
import { printResult } from '../output.ts';
import { type CommandSession, type CommonOptions, commandSession } from '../session.ts';
import { approvalStatusView, decisionView, proposedInstallView } from '../view/approval.ts';
import { styleFor } from '../view/style.ts';

interface Options extends CommonOptions {
  readonly kubeconfig: string;
  readonly seal?: string;
  readonly reason?: string;
}

const actions = ['plan', 'approve', 'deny', 'status'] as const;
type Action = (typeof actions)[number];

/** Makes the command `solpack approval`. */
export function approvalCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('approval')
    .summary('show what an agent would do, and approve or deny it')
    .description(
      'An agent with --approve manual puts each plan into the status of its SolutionsConfiguration, and waits. ' +
        '"plan" prints this plan, "approve" lets the agent carry out exactly this plan, "deny" refuses it, and ' +
        '"status" lists the configurations. If the configuration or the cluster changes meanwhile, the agent makes ' +
        'another plan, and waits again. Under the name kubectl-solpack, solpack is a plugin of kubectl: "kubectl ' +
        'solpack plan" is "solpack approval plan", with the kubeconfig that kubectl uses.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(actions))
    .argument('[name]', 'the SolutionsConfiguration (default: "default"; of "status": all)')
    .addOption(kubeconfigOption(io))
    .option('--seal <seal>', 'the seal of the plan that was read; required to approve without a terminal')
    .option('--reason <text>', 'why it is approved or denied, for people')
    .addHelpText('after', help)
    .action(async (action: Action, name: string | undefined, options: Options) => {
      const session = commandSession(io, options);
      requireDecision(action, options);
      const open = (): ReturnType<typeof approvalCluster> =>
        approvalCluster({ kubeconfig: clusterAccess(io, options.kubeconfig), env: ownEnvironment(io) });
      if (action === 'status') {
        const configurations = await configurationReports({ cluster: await open(), configuration: name }, session.flow);
        return printResult(session, options, 'approval-status', { configurations }, approvalStatusView);
      }
      const configuration = name ?? 'default';
      const read = async (): Promise<ProposedInstall> =>
        proposedInstall({ cluster: await open(), configuration }, session.flow);
      if (action === 'plan') return printResult(session, options, 'approval', await read(), proposedInstallView);
      const { seal = await sealRead(session, action, await read()), reason } = options;
      if (seal === undefined) {
        io.stderr.write('solpack: nothing was decided\n');
        return exit(exits.usage);
      }
      const decision = action === 'approve' ? 'Approved' : 'Denied';
      const request = { cluster: await open(), configuration, decision, seal, reason } as const;
      const decided = await decidePlan(request, session.flow);
      printResult(session, options, 'approval', decided, decisionView);
    });
}

function requireDecision(action: Action, { seal, reason }: Options): void {
  if (action === 'approve' || action === 'deny') return;
  const given = Object.entries({ '--seal': seal, '--reason': reason }).find(([, value]) => value !== undefined);
  if (given !== undefined) throw usage(given[0], `is not for "approval ${action}"`, 'leave it out');
}

/**
 * Returns the seal of the plan that is there, once a person has read the plan and agrees; undefined if they do not.
 * To deny needs no reader.
 */
async function sealRead(
  { io, progress }: CommandSession,
  action: Action,
  proposed: ProposedInstall,
): Promise<string | undefined> {
  const { plan } = proposed;
  if (action === 'deny') return plan.seal;
  if (io.ask === undefined) {
    const hint = 'read the plan with "solpack approval plan", which prints the seal';
    throw usage('--seal', 'is needed where there is no terminal to ask on', hint);
  }
  progress.pause();
  const style = styleFor(io.stderr, io.env);
  printLines(io.stderr, readable(proposedInstallView(proposed, style), io.stderr));
  return isYes(await askFirst(io, 'Approve? [y/N] ')) ? plan.seal : undefined;
}

const help = `
Examples:
  $ solpack approval status --kubeconfig admin.conf
  $ solpack approval plan edge --kubeconfig admin.conf
  $ solpack approval approve edge --kubeconfig admin.conf
  $ solpack approval deny edge --reason "not before the weekend" --kubeconfig admin.conf
  $ ln -s "$(command -v solpack)" /usr/local/bin/kubectl-solpack && kubectl solpack plan edge`;
