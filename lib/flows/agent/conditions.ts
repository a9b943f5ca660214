import { isRecord } from '../../../formats/record.ts';
import type { GenerationResolution, SolutionStatus } from '../../parts/clusters/index.ts';
import type { AgentPlan } from './agent-plan.ts';

/** A condition (Kubernetes API conventions, "Typical status properties"; meta/v1 Condition). */
export interface AgentCondition {
  readonly type: 'Ready' | 'Progressing' | 'Degraded' | 'Reconciling' | 'Stalled';
  readonly status: 'True' | 'False' | 'Unknown';
  /** In CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
  /** When `status` became what it is: RFC 3339, in UTC. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** The state of a configuration or of one of its Solutions. */
export interface AgentFinding {
  readonly state: 'ready' | 'progressing' | 'degraded' | 'waiting' | 'proposed';
  readonly reason: string;
  readonly message: string;
  /** What somebody decides about. */
  readonly plan?: AgentPlan | undefined;
}

/** What an agent reports what it follows. */
export interface AgentStatus {
  readonly observedGeneration?: number;
  /** The number of the generation that is there, as `solpack history` tells it. */
  readonly generation?: number;
  readonly conditions: readonly AgentCondition[];
  /** What the agent would do, if it is to ask first; left out where nothing is to be done. */
  readonly plan?: AgentPlan;
  /** Why that generation has these Solutions, as `solpack history --why` prints it. */
  readonly resolution?: GenerationResolution;
  readonly solutions: readonly {
    readonly name: string;
    readonly version: string;
    readonly conditions: readonly AgentCondition[];
  }[];
}

/** The longest message of a condition, in characters. */
const MESSAGE = 2_000;

/** What programs that go by kstatus look for: a condition that is there only while it is true. */
const abnormal = { ready: [], progressing: ['Reconciling'], degraded: ['Stalled'], waiting: [], proposed: [] } as const;

/** What each state means for the three conditions. `waiting`: not known yet; `proposed`: somebody has to decide. */
const statuses = {
  ready: ['True', 'False', 'False'],
  progressing: ['False', 'True', 'False'],
  degraded: ['False', 'False', 'True'],
  waiting: ['Unknown', 'False', 'Unknown'],
  proposed: ['False', 'False', 'False'],
} as const;

/**
 * Makes conditions of the state. One whose status stays keeps the time of `before`, which is what was reported last.
 */
export function conditionsOf(
  { state, reason, message }: AgentFinding,
  before: readonly unknown[],
  now: string,
  observedGeneration: number | undefined,
): AgentCondition[] {
  const types = ['Ready', 'Progressing', 'Degraded', ...abnormal[state]] as const;
  return types.map((type, at) => {
    const status = statuses[state][at] ?? 'True';
    const last = before.find((one) => isRecord(one) && one['type'] === type && one['status'] === status);
    const since = isRecord(last) ? last['lastTransitionTime'] : undefined;
    return {
      type,
      status,
      reason,
      message: message.length > MESSAGE ? `${message.slice(0, MESSAGE - 1)}…` : message,
      lastTransitionTime: typeof since === 'string' ? since : now,
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    };
  });
}

/** Says the state of a Solution, by what its cluster tells. */
export function findingOf({ state, reason, version }: SolutionStatus): AgentFinding {
  const message = reason ?? `${version} is as it was applied, and ready`;
  if (state === 'ready') return { state: 'ready', reason: 'Installed', message };
  if (state === 'progressing') return { state: 'progressing', reason: 'Progressing', message };
  if (state === 'drifted') return { state: 'progressing', reason: 'Drifted', message };
  return { state: 'degraded', reason: state === 'degraded' ? 'NotReady' : 'Interrupted', message };
}

/** Says the state of all of them: the worst. */
export function summaryOf(solutions: readonly SolutionStatus[]): AgentFinding {
  const all = solutions.map((one) => ({ ...findingOf(one), name: one.name }));
  const worst = all.find(({ state }) => state === 'degraded') ?? all.find(({ state }) => state === 'progressing');
  if (worst === undefined) {
    const count = all.length === 1 ? '1 Solution is' : `${all.length} Solutions are`;
    return { state: 'ready', reason: 'Installed', message: `${count} as applied, and ready` };
  }
  return { state: worst.state, reason: worst.reason, message: `${worst.name}: ${worst.message}` };
}

/** Writes a code of an error as a reason: `not-trusted` as `NotTrusted`. */
export function reasonOfCode(code: string): string {
  return code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
