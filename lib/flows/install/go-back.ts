import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { ClusterTarget, Generation, RenderedSolution } from '../../parts/clusters/index.ts';
import { returnRequest, solutionsOf } from '../../shared/solutions/clusters/index.ts';
import { permitBy, type ReturnTrust } from '../../shared/solutions/trusted/index.ts';

/** An apply that has failed, or was interrupted. */
export interface FailedApply {
  readonly cluster: ClusterTarget;
  /** The name of the configuration. */
  readonly configuration: string;
  /** When the install began, in milliseconds since 1970. */
  readonly since: number;
  /** Why it failed; undefined where it was interrupted. */
  readonly error: SolpackError | undefined;
  /** Whom to trust with what is restored; `skip` asks nobody. */
  readonly trust: ReturnTrust | 'skip';
  /** How many generations are kept. */
  readonly keep: number;
  /** Adds what plugins of what is left have to say of custom resources. */
  readonly migrate: (solutions: readonly RenderedSolution[]) => Promise<readonly RenderedSolution[]>;
}

/** What an apply has left, and the newest generation before it that went well; undefined where there is none. */
export interface LeftByApply {
  readonly present: Generation;
  readonly before: Generation | undefined;
}

/** Finds what an apply has left that began at `since`; undefined where it has changed nothing. */
export async function leftByApply(
  { cluster, configuration, since }: Pick<FailedApply, 'cluster' | 'configuration' | 'since'>,
  flow: Flow,
): Promise<LeftByApply | undefined> {
  const all = await cluster.generations(configuration, flow);
  const [present] = all;
  const isLeft = present?.state === 'failed' || present?.state === 'interrupted';
  if (!isLeft || Date.parse(present.at) < since) return undefined;
  return { present, before: all.find(({ state }) => state === 'ready') };
}

/** Names a generation and what it has. */
export function generationWords(generation: Generation): string {
  return `generation ${generation.number} (${solutionsOf(generation)})`;
}

/**
 * Goes back to the newest generation that went well, after an apply has failed. Returns the error to end with, which
 * names both and the cause: where nothing was applied, or there is nothing to go back to, the one that it was given.
 * What is not trusted any longer is not brought back; what has only expired is, because it was there until now.
 */
export async function goBackAfter(
  failed: FailedApply & { readonly error: SolpackError },
  flow: Flow,
): Promise<SolpackError> {
  const left = await leftByApply(failed, flow);
  if (left === undefined) return failed.error;
  const { present, before } = left;
  if (before !== undefined) return goBack(failed, { present, before }, flow);
  const message = '--rollback-on-failure has no previous generation to go back to';
  flow.onEvent({ type: 'notice', subject: generationWords(present), message });
  return failed.error;
}

/** Goes back from one generation to another. Returns the error to end with. */
export async function goBack(
  { cluster, configuration, error, trust, keep, migrate }: FailedApply,
  { present, before: generation }: { readonly present: Generation; readonly before: Generation },
  flow: Flow,
): Promise<SolpackError> {
  const own = solutionsOf(present);
  const before = generationWords(generation);
  const cause = error && `${error.subject}: ${error.message}`;
  const fate = error === undefined ? 'was interrupted' : 'failed';
  const hint = error ? error.hint : 'the same command installs it again, as long as its configuration names it';
  const options = { ...(error && { cause: error }), ...(hint === undefined ? {} : { hint }) };
  try {
    const permit = trust === 'skip' ? undefined : await permitBy(trust, 'stands', cluster, flow);
    const back = await returnRequest({ configuration, generation, permit, keep }, cluster, flow);
    const message = cause ? `has failed, and is rolled back to ${before}: ${cause}` : `is rolled back to ${before}`;
    flow.onEvent({ type: 'notice', subject: generationWords(present), message });
    await cluster.apply({ ...back, solutions: await migrate(back.solutions) }, flow);
  } catch (second) {
    flow.signal.throwIfAborted();
    if (!(second instanceof SolpackError)) throw second;
    const why = `${second.subject}: ${second.message}`;
    if (second.code === 'not-trusted') {
      const message = `${fate}, and stays in part${error ? `: ${cause} (${error.code})` : ''}; ${why}`;
      const hint = 'install a release that the policy trusts; or fix the cause, and run the same install again';
      return new SolpackError('not-trusted', own, message, { ...(error && { cause: error }), hint });
    }
    const failed = cause ? `: ${cause}; and` : ', and';
    return new SolpackError('rolled-back', own, `${fate}${failed} going back to ${before} failed too: ${why}`, options);
  }
  return new SolpackError(
    'rolled-back',
    own,
    `${fate}, so that ${before} is back${cause ? `: ${cause}` : ''}`,
    options,
  );
}
