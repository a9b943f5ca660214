import type { Digest } from '../../../formats/digest.ts';
import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import type { PlanDecision } from '../../parts/clusters/index.ts';
import type { SettledDocument } from './bring.ts';
import type { AgentNotes } from './notes.ts';
import type { AgentRequest, AgentVitals } from './request.ts';

/** What a leader knows from one look to the next. */
export interface AgentCourse {
  readonly request: AgentRequest;
  readonly vitals: AgentVitals;
  readonly notes: AgentNotes;
  settled: SettledDocument | undefined;
  /** The plan that somebody decides about, where somebody has to. */
  proposed: ProposedPlan | undefined;
  /** Whether the plan in the status is one that another leader has left, and that nothing has become of. */
  inherits: boolean;
  /** What was decided last. */
  decision: PlanDecision | undefined;
  /** Watches the objects of a configuration; where they are others by now, `anew`. */
  watch(configuration: string, anew: boolean): void;
}

/** A plan that somebody decides about. */
export interface ProposedPlan {
  readonly plan: InstallPlan;
  /** Of the configuration that it was made from. */
  readonly configuration: Digest;
  /** When it was made, in milliseconds of a monotonic clock. */
  readonly made: number;
}
