import { randomBytes } from 'node:crypto';
import type { Digest } from '../../../formats/digest.ts';
import type { InstallPlan, PlannedAction } from '../../../formats/solution/install-plan.ts';
import { type Redact, redactedData } from '../../kernel/events/index.ts';
import type { ForeseenAction, ForeseenStep } from '../../kernel/plan/index.ts';
import type { NodeVariable } from '../../shared/solutions/node-variables/index.ts';
import type { Choice } from '../../shared/solutions/sets/index.ts';
import { sealOf } from './seal.ts';

/** What an install will do, and what of that is not for others to see. */
export interface ForeseenInstall {
  /** Without secrets. */
  readonly plan: InstallPlan;
  /** By the names of steps: what each of them does, with all that decides it. */
  readonly actions: ReadonlyMap<Digest, readonly ForeseenAction[]>;
  /** By the names of steps: what those have given that change nothing, and that come after none that does. */
  readonly given: ReadonlyMap<Digest, unknown>;
}

/** What a plan is put together from. */
export interface PlanParts {
  readonly configuration: string;
  readonly choices: readonly Choice[];
  /** The variables of the node that plugins get. */
  readonly nodeVariables: readonly NodeVariable[];
  readonly steps: readonly ForeseenStep[];
  /** The names of steps, as others may see them, by those of this run. */
  readonly names: ReadonlyMap<Digest, Digest>;
  /** What decides besides, and must not be shown. */
  readonly secrets: unknown;
  readonly redact: Redact;
  /** What reports the plan, and decides nothing. Left out: nothing does. */
  readonly about?: (
    actions: readonly PlannedAction[],
  ) => Pick<InstallPlan, 'solutions' | 'removals' | 'drawn' | 'lasted'>;
}

/** Puts a plan together. `salt` is that of a plan that this one is to be compared with; left out: a new one. */
export async function installPlanOf(
  { configuration, choices, nodeVariables, steps, names, secrets, redact, about }: PlanParts,
  salt: string = randomBytes(16).toString('hex'),
): Promise<ForeseenInstall> {
  const entries = steps.flatMap((one) => entriesOf(one, names));
  const hidden = steps.map(({ basis = null, actions }) => [basis, actions.map((action) => action.hidden ?? null)]);
  const bytes = entries.reduce((sum, { action, bytes: own = 0 }) => sum + (action === 'send' ? own : 0), 0);
  const shown = {
    configuration,
    choices,
    ...(nodeVariables.length === 0 ? {} : { variables: nodeVariables }),
    steps: redactedData(entries, redact),
    bytes,
    unchanged: steps.reduce((sum, { unchanged = 0 }) => sum + unchanged, 0),
  };
  const room = steps.flatMap(({ room: own = [] }) => own);
  const rights = steps.find((one) => one.rights !== undefined)?.rights;
  const seal = await sealOf([{ ...shown, steps: entries }, hidden, secrets], salt);
  return {
    plan: { ...shown, room, ...about?.(shown.steps), ...(rights === undefined ? {} : { rights }), seal },
    actions: new Map(steps.map(({ step, actions }) => [step.name, actions])),
    given: new Map(steps.flatMap(({ step, given }) => (given === undefined ? [] : [[step.name, given.output]]))),
  };
}

/** Says of a step what it does, and of one that changes nothing that it is run. */
function entriesOf({ step, actions }: ForeseenStep, names: PlanParts['names']): PlannedAction[] {
  const { kind, subject } = step;
  const name = names.get(step.name)!;
  if (actions.length === 0) return [{ kind, subject, action: 'none', changes: [], step: name }];
  return actions.map(({ hidden: _, ...action }) => ({ kind, ...action, step: name }));
}
