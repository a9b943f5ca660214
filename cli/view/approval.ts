import type { ConfigurationReport, ProposedInstall } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { installPlanView } from './install-plan.ts';
import { type Style, table } from './style.ts';

/** Describes for a person the plan of an agent, and how to decide about it. */
export function proposedInstallView(proposed: ProposedInstall, style: Style): string[] {
  const { configuration, plan, state } = proposed;
  const decides = `solpack approval approve ${plain(configuration)} --seal ${plain(plan.seal)}`;
  return [
    ...installPlanView(plan, style),
    decisionLine(proposed, style),
    ...(state === 'Waiting' ? [`  to approve it: ${decides}`] : []),
  ];
}

/** Describes for a person what was decided about the plan of an agent. */
export function decisionView(proposed: ProposedInstall, style: Style): string[] {
  const { state } = proposed;
  const effect = state === 'Approved' ? 'the agent carries out this plan, and no other' : 'the agent does nothing';
  return [decisionLine(proposed, style), `  ${effect}`];
}

/** Lists for a person the configurations of a cluster, and the plans that wait. */
export function approvalStatusView(
  { configurations }: { readonly configurations: readonly ConfigurationReport[] },
  style: Style,
): string[] {
  if (configurations.length === 0) return ['the cluster has no SolutionsConfiguration'];
  return configurations.flatMap(({ configuration, ready, reason, message, generation, plan }) => [
    ...table([
      [
        style.bold(plain(configuration)),
        ready === 'True' ? style.good('ready') : style.bad('not ready'),
        plain(reason),
        generation === undefined ? 'nothing installed' : `generation ${generation}`,
      ],
    ]),
    `  ${plain(message)}`,
    ...(plan === undefined ? [] : [`  plan ${words[plan.state]}: ${plain(plan.seal)}`]),
  ]);
}

function decisionLine({ configuration, state, reason, plan }: ProposedInstall, style: Style): string {
  const word = state === 'Approved' ? style.good(words.Approved) : style.bad(words[state]);
  const why = reason === undefined ? '' : ` (${plain(reason)})`;
  return `plan for ${style.bold(plain(configuration))} ${word}${why}: ${plain(plan.seal)}`;
}

const words = { Waiting: 'waits for approval', Approved: 'approved', Denied: 'denied' } as const;
