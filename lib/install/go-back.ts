import type { ClusterTarget, RenderedSolution } from '../clusters/kind.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { returnRequest, solutionsOf } from '../solutions/generations.ts';

/** An apply that has failed. */
export interface FailedApply {
  readonly cluster: ClusterTarget;
  /** The name of the configuration. */
  readonly configuration: string;
  /** When the install began, in milliseconds since 1970. */
  readonly since: number;
  readonly error: SolpackError;
  /** How many generations are kept. */
  readonly keep: number;
  /** Adds what plugins of what is left have to say of custom resources. */
  readonly migrate: (solutions: readonly RenderedSolution[]) => Promise<readonly RenderedSolution[]>;
}

/**
 * Goes back to the newest generation that went well, after an apply has failed. Returns the error to end with, which names both
 * and the cause: where nothing was applied, or there is nothing to go back to, the one that it was given.
 */
export async function goBack(failed: FailedApply, flow: Flow): Promise<SolpackError> {
  const { cluster, configuration, since, error, keep } = failed;
  const all = await cluster.generations(configuration, flow);
  const [present] = all;
  if (present?.state !== 'failed' || Date.parse(present.at) < since) return error;
  const cause = `${error.subject}: ${error.message}`;
  const generation = all.find(({ state }) => state === 'ready');
  const own = solutionsOf(present);
  if (generation === undefined) {
    const message = 'there is no generation before it that --rollback-on-failure could go back to';
    flow.onEvent({ type: 'notice', subject: `generation ${present.number} (${own})`, message });
    return error;
  }
  const before = `generation ${generation.number} (${solutionsOf(generation)})`;
  const message = `has failed, and is rolled back to ${before}: ${cause}`;
  flow.onEvent({ type: 'notice', subject: `generation ${present.number} (${own})`, message });
  const options = error.hint === undefined ? { cause: error } : { cause: error, hint: error.hint };
  try {
    const back = await returnRequest({ configuration, generation, keep }, cluster, flow);
    await cluster.apply({ ...back, solutions: await failed.migrate(back.solutions) }, flow);
  } catch (second) {
    flow.signal.throwIfAborted();
    if (!(second instanceof SolpackError)) throw second;
    const why = `${second.subject}: ${second.message}`;
    return new SolpackError(
      'rolled-back',
      own,
      `failed: ${cause}; and going back to ${before} failed too: ${why}`,
      options,
    );
  }
  return new SolpackError('rolled-back', own, `failed, so that ${before} is back: ${cause}`, options);
}
