import { SolpackError } from '../../kernel/events/errors.ts';
import type { Flow } from '../../kernel/events/flow.ts';
import type { ClusterTarget, RenderedSolution } from '../../parts/clusters/kind.ts';
import { returnRequest, solutionsOf } from '../../shared/solutions/clusters/generations.ts';
import { permitBy, type ReturnTrust } from '../../shared/solutions/trusted/permit.ts';

/** An apply that has failed. */
export interface FailedApply {
  readonly cluster: ClusterTarget;
  /** The name of the configuration. */
  readonly configuration: string;
  /** When the install began, in milliseconds since 1970. */
  readonly since: number;
  readonly error: SolpackError;
  /** Whom to trust with what comes back; `skip` asks nobody. */
  readonly trust: ReturnTrust | 'skip';
  /** How many generations are kept. */
  readonly keep: number;
  /** Adds what plugins of what is left have to say of custom resources. */
  readonly migrate: (solutions: readonly RenderedSolution[]) => Promise<readonly RenderedSolution[]>;
}

/**
 * Goes back to the newest generation that went well, after an apply has failed. Returns the error to end with, which names both
 * and the cause: where nothing was applied, or there is nothing to go back to, the one that it was given. What is not trusted any
 * longer is not brought back; what has only expired is, since it was there until now.
 */
export async function goBack(failed: FailedApply, flow: Flow): Promise<SolpackError> {
  const { cluster, configuration, since, error, trust, keep } = failed;
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
  const options = error.hint === undefined ? { cause: error } : { cause: error, hint: error.hint };
  try {
    const permit = trust === 'skip' ? undefined : await permitBy(trust, 'stands', cluster, flow);
    const back = await returnRequest({ configuration, generation, permit, keep }, cluster, flow);
    const message = `has failed, and is rolled back to ${before}: ${cause}`;
    flow.onEvent({ type: 'notice', subject: `generation ${present.number} (${own})`, message });
    await cluster.apply({ ...back, solutions: await failed.migrate(back.solutions) }, flow);
  } catch (second) {
    flow.signal.throwIfAborted();
    if (!(second instanceof SolpackError)) throw second;
    const why = `${second.subject}: ${second.message}`;
    if (second.code === 'not-trusted') {
      const message = `failed, and stays in part: ${cause} (${error.code}); ${why}`;
      const hint = 'install a release that the policy trusts; or mend the cause, and run the same install again';
      return new SolpackError('not-trusted', own, message, { cause: error, hint });
    }
    return new SolpackError(
      'rolled-back',
      own,
      `failed: ${cause}; and going back to ${before} failed too: ${why}`,
      options,
    );
  }
  return new SolpackError('rolled-back', own, `failed, so that ${before} is back: ${cause}`, options);
}
