import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { FollowedDocument, PlanDecision } from '../../parts/clusters/index.ts';
import { planInStatus, planState, shownPlan } from './agent-plan.ts';
import { installOf } from './bring.ts';
import type { AgentFinding } from './conditions.ts';
import type { AgentCourse, ProposedPlan } from './course.ts';

/** What was decided about what a document says. */
export interface PlanVerdict {
  readonly finding: AgentFinding;
  /** The plan to carry out; undefined where nothing is done. */
  readonly approved: InstallPlan | undefined;
}

/**
 * Makes the plan of a document, unless there is one already, and returns what was decided about it. A plan is made
 * again after a while, because what the cluster has may be another thing by then: then its seal is another one. Throws
 * what planning throws.
 */
export async function judgedPlan(
  document: FollowedDocument,
  name: string,
  course: AgentCourse,
  flow: Flow,
): Promise<PlanVerdict> {
  const { plan } = await proposedPlan(document, name, course, flow);
  const { decision, notes } = course;
  const shown = shownPlan(plan, document.digest, decision);
  if (shown === undefined) {
    const message = `the plan of configuration ${name} is too large for the status of an object; install it with "solpack install --plan" and --confirm`;
    return { finding: { state: 'degraded', reason: 'PlanTooLarge', message }, approved: undefined };
  }
  const state = planState(plan.seal, decision);
  const subject = `the plan ${sealWords(plan)} of configuration ${name}`;
  if (state === 'Approved') {
    const note = `${subject} is approved`;
    await notes.news(document, { type: 'Normal', reason: 'Approved', action: 'Plan', note });
    return { finding: { state: 'progressing', reason: 'Installing', message: note, plan: shown }, approved: plan };
  }
  if (state === 'Denied') {
    const message = `${subject} is denied${reasonWords(decision)}; nothing changes until the plan is another one`;
    await notes.news(document, { type: 'Warning', reason: 'Denied', action: 'Plan', note: message });
    return { finding: { state: 'proposed', reason: 'Denied', message, plan: shown }, approved: undefined };
  }
  const message = `${subject} waits for approval: ${sumsOf(plan)}; show it with "kubectl solpack plan ${name}"`;
  await notes.news(document, { type: 'Normal', reason: 'AwaitingApproval', action: 'Plan', note: message });
  return { finding: { state: 'proposed', reason: 'AwaitingApproval', message, plan: shown }, approved: undefined };
}

/** Returns the plan of a document: the known one, that which another leader left in the status, or a new one. */
async function proposedPlan(
  document: FollowedDocument,
  name: string,
  course: AgentCourse,
  flow: Flow,
): Promise<ProposedPlan> {
  const { request } = course;
  const { digest: configuration } = document;
  const before = course.proposed?.configuration === configuration ? course.proposed : undefined;
  if (before !== undefined && performance.now() - before.made < request.every) return before;
  // The salt of a plan about another configuration would bring back a seal that was approved before.
  const left = course.inherits ? planInStatus(document.status) : undefined;
  const like = before?.plan ?? (left?.configuration === configuration ? left.plan : undefined);
  const plan = await request.plan!(installOf(document, name, request), like, flow);
  course.inherits = false;
  const proposed = { plan, configuration, made: performance.now() };
  course.proposed = proposed;
  return proposed;
}

/** Names a plan by the beginning of the digest in its seal. */
function sealWords({ seal }: InstallPlan): string {
  return seal.split(':')[1]!.slice(0, 8);
}

function reasonWords(decision: PlanDecision | undefined): string {
  return decision?.reason === undefined ? '' : ` (${decision.reason})`;
}

function sumsOf({ steps }: InstallPlan): string {
  const counted = Map.groupBy(
    steps.filter(({ action }) => action !== 'none'),
    ({ action }) => action,
  );
  const words = [...counted].map(([action, own]) => `${action} ${own.length}`);
  return words.length === 0 ? 'it changes nothing' : words.join(', ');
}
