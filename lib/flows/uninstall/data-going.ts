import type { PlannedRemoval } from '../../../formats/solution/install-plan.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { ForeseenAction } from '../../kernel/plan/index.ts';
import type { ApplyRequest, ClusterTarget } from '../../parts/clusters/index.ts';
import {
  type NamedRemovals,
  removalNames,
  requireNamedRemovals,
  unnamedRemovals,
} from '../../shared/solutions/clusters/index.ts';
import type { KeptObject } from './result.ts';

/** Who has to agree to the removal of a Solution's data. */
export interface UninstallAgreement extends Pick<NamedRemovals, 'removal'> {
  /**
   * Called with what goes and with the Solutions that somebody has to name still; throws what ends the removal. Left
   * out: `removal` alone decides.
   */
  readonly agree?: ((removals: readonly PlannedRemoval[], toName: readonly string[]) => Promise<void>) | undefined;
}

/**
 * Finds the claims that a removal takes along, though nobody asks for that: what goes owns them. Has those agree whom
 * it asks. Throws `removal-unnamed`, and what foreseeing and whoever is asked throw.
 */
export async function agreedClaims(
  request: ApplyRequest,
  versions: ReadonlyMap<string, string>,
  agreement: UninstallAgreement,
  cluster: ClusterTarget,
  flow: Flow,
): Promise<KeptObject[]> {
  const { actions } = await cluster.foresee(request, flow);
  const going = actions.filter(({ action, subject }) => action === 'remove' && subject.startsWith(CLAIM));
  const removals = [...Map.groupBy(going, ({ solution = request.configuration }) => solution)].map(
    ([solution, own]): PlannedRemoval => {
      const version = versions.get(solution);
      const objects = own.map(({ subject }) => subject);
      return { solution, kind: 'data', ...(version === undefined ? {} : { version }), objects };
    },
  );
  const open = unnamedRemovals(removals, agreement);
  if (agreement.agree === undefined) requireNamedRemovals(removals, agreement, 'uninstall');
  else if (open.length > 0) await agreement.agree(removals, removalNames(open));
  return going.map(takenAlong);
}

const CLAIM = 'PersistentVolumeClaim/';

function takenAlong({ subject, reason = 'it is removed with its owner' }: ForeseenAction): KeptObject {
  return { object: subject.replace('/', ' '), reason };
}
