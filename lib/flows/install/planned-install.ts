import type { Digest } from '../../../formats/digest.ts';
import type { InstallPlan, PlannedAction } from '../../../formats/solution/install-plan.ts';
import { type Flow, lend, type Redact, redactedError, redactedFlow, redactor } from '../../kernel/events/index.ts';
import { type ForeseenStep, foreseeSteps, planSteps, type Step, type StepKind } from '../../kernel/plan/index.ts';
import { checkVariables } from '../../parts/components/index.ts';
import type { Rendered } from '../../shared/rendering/index.ts';
import { siteSecrets } from '../../shared/solutions/sites/index.ts';
import { type ForeseenInstall, installPlanOf } from './install-plan.ts';
import type { InstallMeans, InstallRead } from './plan-types.ts';
import { type InstallReading, readInstall } from './read.ts';
import { incomingOf, type RemovalBasis, removalsOf } from './removals.ts';
import type { SettledInstall } from './settled.ts';
import { installSteps, renderStep } from './steps/index.ts';

/** An install that is planned, and not yet run. */
export interface PlannedInstall {
  readonly reading: InstallReading;
  readonly kinds: readonly StepKind<InstallRead, InstallMeans>[];
  readonly steps: readonly Step[];
  readonly redact: Redact;
  /** Finds out what the steps would do; with the salt of another plan, to compare both. */
  foresee(salt?: string): Promise<ForeseenInstall>;
}

/**
 * Reads what an install asks for, and plans it. Neither the events of `work` nor what it throws has secrets of the
 * site.
 */
export async function withPlan<T>(
  request: SettledInstall,
  flow: Flow,
  work: (planned: PlannedInstall, flow: Flow) => Promise<T>,
): Promise<T> {
  checkVariables(request.variables);
  return lend(await readInstall(request, flow), async (reading) => {
    const { read, means, choices } = reading;
    const kinds = installSteps(request.delivery);
    const steps = planSteps(kinds, read);
    // Programs, charts and API servers say what they were given: this is the one place where all that is reported
    // passes.
    const redact = redactor(siteSecrets(means.sites));
    const redacting = redactedFlow(flow, redact);
    const names = namesToTell(kinds, read, steps);
    const foresee = async (salt?: string): Promise<ForeseenInstall> => {
      const { configuration } = read;
      const foreseen = await foreseeSteps(steps, { kinds, means }, redacting);
      const secrets = means.sites.map((site) => site.secrets);
      const lasted = await lastedOf(configuration, request, redacting);
      const about = (actions: readonly PlannedAction[]): AboutPlan =>
        aboutPlan(read, actions, drawsIn(foreseen), lasted);
      return installPlanOf(
        { configuration, choices, nodeVariables: means.nodeVariables, steps: foreseen, names, secrets, redact, about },
        salt,
      );
    };
    try {
      return await work({ reading, kinds, steps, redact, foresee }, redacting);
    } catch (error) {
      throw redactedError(error, redact);
    }
  });
}

type AboutPlan = Pick<InstallPlan, 'solutions' | 'removals' | 'drawn' | 'keptDraws' | 'lasted'>;

function aboutPlan(
  basis: RemovalBasis,
  actions: readonly PlannedAction[],
  { drawn, keptDraws }: Pick<InstallPlan, 'drawn' | 'keptDraws'>,
  lasted: number | undefined,
): AboutPlan {
  const removals = removalsOf(basis, actions);
  return {
    solutions: incomingOf(basis),
    ...(removals.length === 0 ? {} : { removals }),
    ...(drawn === undefined ? {} : { drawn }),
    ...(keptDraws === undefined ? {} : { keptDraws }),
    ...(lasted === undefined ? {} : { lasted }),
  };
}

/** Finds what charts draw anew, and what they keep, in what was rendered to foresee the rest. */
function drawsIn(foreseen: readonly ForeseenStep[]): Pick<InstallPlan, 'drawn' | 'keptDraws'> {
  const given = foreseen.find(({ step }) => step.kind === renderStep.kind)?.given;
  return (given?.output as Rendered | undefined) ?? {};
}

/** Returns how many seconds the last install of a configuration took that went well; undefined if it is unknown. */
async function lastedOf(configuration: string, { cluster }: SettledInstall, flow: Flow): Promise<number | undefined> {
  const generations = (await cluster?.generations(configuration, flow)) ?? [];
  const last = generations.find(({ cause, state, ended }) => cause === 'install' && state === 'ready' && ended);
  if (last?.ended === undefined) return undefined;
  return Math.max(0, Math.round((Date.parse(last.ended) - Date.parse(last.at)) / 1000));
}

/**
 * Names steps without the secrets of sites, of which each process has digests of its own, and without the kubeconfig by
 * which the cluster was found.
 */
function namesToTell(
  kinds: PlannedInstall['kinds'],
  read: InstallRead,
  steps: readonly Step[],
): ReadonlyMap<Digest, Digest> {
  const sites = read.sites.map((site) => ({ ...site, secrets: [] }));
  const open = planSteps(kinds, { ...read, sites, cluster: read.cluster && { ...read.cluster, name: 'cluster' } });
  return new Map(steps.map(({ name }, index) => [name, open[index]!.name]));
}
