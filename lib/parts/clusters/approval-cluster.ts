import type { Flow } from '../../kernel/events/index.ts';

/** What somebody has decided about the plan of an agent: the object `SolutionsApproval` says it. */
export interface PlanDecision {
  /** The seal of the plan that it is about: it says nothing about any other plan. */
  readonly seal: string;
  readonly decision: 'Approved' | 'Denied';
  /** Why, in the words of who decided. */
  readonly reason?: string | undefined;
}

/** A SolutionsConfiguration as whoever decides about its plan sees it. */
export interface FollowedConfiguration {
  readonly name: string;
  /** What the agent has written; undefined if it has written nothing. */
  readonly status: unknown;
  /** Undefined if nobody has decided. */
  readonly decision: PlanDecision | undefined;
}

/** The cluster of an agent, as far as whoever decides about its plans needs it. Whoever opens it disposes of it. */
export interface ApprovalCluster extends AsyncDisposable {
  /** Lists all configurations, or returns the one of that name; none where it is not there. */
  configurations(name: string | undefined, flow: Flow): Promise<readonly FollowedConfiguration[]>;
  /** Records what was decided about a plan of a configuration, in the place of what was decided before. */
  decide(configuration: string, decision: PlanDecision, flow: Flow): Promise<void>;
}
