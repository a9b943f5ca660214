import type { Generation } from '../../../generation.ts';
import type { RenderedSolution } from '../../../kind.ts';
import type { ConfigurationStatus, ObjectState, ObjectStatus, SolutionStatus } from '../../../presence.ts';
import { type Inventory, setOf } from '../../desired/index.ts';
import { readContent, readGenerations, readInventories } from '../../memory/index.ts';
import { type ApplySession, requestedSecrets } from '../../server/index.ts';
import { withoutSecrets } from '../without-secrets.ts';
import { type Assessment, assess } from './assess.ts';
import { objectPlace, statusesOf } from './object-status.ts';
import { probeStatuses } from './probed.ts';

export {
  /** Puts back what has drifted, or is gone, of the newest generation of a configuration. */
  repairConfiguration,
} from './repair.ts';

/** The state of a Solution is the worst state of its objects. */
const worstFirst: readonly ObjectState[] = ['degraded', 'drifted', 'progressing', 'ready'];

/**
 * Compares what the newest generation of a configuration applied with what is there; undefined where there is none, or
 * what it applied is not remembered. It reads, and changes nothing.
 */
export async function readStatus(
  configuration: string,
  session: ApplySession,
): Promise<ConfigurationStatus | undefined> {
  const [generation] = await readGenerations(configuration, session);
  if (generation === undefined) return undefined;
  const content = await readContent(configuration, generation.number, session);
  if (content === undefined) return undefined;
  const assessment = await assess(configuration, content, session);
  // What a crashed container has printed may be a secret.
  const api = withoutSecrets(session.api, requestedSecrets({ configuration, solutions: content }));
  const statuses = await statusesOf(assessment.objects, { ...session, api });
  const inventories = await readInventories(session);
  const solutions: SolutionStatus[] = [];
  for (const solution of content) {
    const own = statuses.filter((_, at) => assessment.objects[at]!.planned.solution === solution.name);
    const planned = assessment.plan.solutions.find(({ name }) => name === solution.name)!;
    const unmet = generation.state === 'ready' ? 'degraded' : 'progressing';
    const asked = await probeStatuses(planned, unmet, { ...session, api });
    const all = [...own, ...asked, ...unservedOf(solution, assessment)];
    const objects = all.map((one) => asOf(generation, one));
    const owner = ownerOfSolution(inventories.get(setOf(solution.name)), configuration);
    solutions.push(takenFrom(summed(solution, generation, objects), owner));
  }
  return { generation, solutions };
}

/** The other configuration that has a Solution by now; undefined where none has. */
function ownerOfSolution(inventory: Inventory | undefined, configuration: string): string | undefined {
  const owner = inventory?.state === 'removed' ? undefined : inventory?.configuration;
  return owner === configuration || owner === '' ? undefined : owner;
}

/** Reports a Solution that another configuration has taken. */
function takenFrom(status: SolutionStatus, owner: string | undefined): SolutionStatus {
  if (owner === undefined) return status;
  const isFine = status.state === 'ready' || status.state === 'progressing';
  const reason = `it now belongs to the configuration ${owner}`;
  return { ...status, state: isFine ? 'drifted' : status.state, reason };
}

/** Returns how an object is while its generation is being brought about, or after that. */
function asOf({ state }: Generation, one: ObjectStatus): ObjectStatus {
  // What does not exist yet may well come.
  return state === 'applying' && one.state === 'drifted' ? { ...one, state: 'progressing' } : one;
}

function unservedOf({ name: solution }: RenderedSolution, { unserved }: Assessment): ObjectStatus[] {
  return unserved
    .filter((one) => one.solution === solution)
    .map(({ name }) => {
      const object = objectPlace(name);
      return { object, state: 'drifted', reason: `object ${object} is gone, with its kind`, drift: [] };
    });
}

function summed(
  { name, version }: RenderedSolution,
  { number, state: run, reason: why = '' }: Generation,
  objects: readonly ObjectStatus[],
): SolutionStatus {
  if (run === 'failed' || run === 'interrupted') {
    const reason = `generation ${number} ${run === 'failed' ? 'has failed' : 'was interrupted'}: ${why}`;
    return { name, version, state: 'interrupted', reason, objects };
  }
  const worst = worstFirst.find((state) => objects.some((one) => one.state === state)) ?? 'ready';
  const state = run === 'applying' && worst === 'ready' ? 'progressing' : worst;
  const those = objects.filter((one) => one.state === worst);
  const [first] = those;
  if (state === 'ready') return { name, version, state, reason: undefined, objects };
  if (worst === 'ready' || first === undefined) {
    return { name, version, state, reason: `generation ${number} is being applied`, objects };
  }
  const more =
    those.length > 1 ? `; ${those.length - 1} more of its objects ${those.length > 2 ? 'are' : 'is'} ${worst}` : '';
  return { name, version, state, reason: `${first.object}: ${first.reason}${more}`, objects };
}
