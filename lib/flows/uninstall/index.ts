import { parseReference } from '../../../formats/oci/reference.ts';
import { isInstanceOf } from '../../../formats/solution/environments.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import type {
  ApplyRequest,
  ClusterTarget,
  Generation,
  GenerationImage,
  RenderedSolution,
} from '../../parts/clusters/index.ts';
import { type ReleasedMirrors, releaseMirrors } from '../../parts/mirrors/index.ts';
import {
  broughtOf,
  contentToApply,
  findNamed,
  type Named,
  nothingNamed,
  releaseNodeImages,
  solutionsOf,
} from '../../shared/solutions/clusters/index.ts';
import { requireKept } from '../../shared/solutions/sets/index.ts';
import { permitBy, type ReturnTrust, tellUnasked } from '../../shared/solutions/trusted/index.ts';
import { agreedClaims, type UninstallAgreement } from './data-going.ts';
import type { UninstallResult } from './result.ts';
import { withoutSubjects } from './without-subjects.ts';

export type {
  /** Who has to agree to the removal of a Solution's data. */
  UninstallAgreement,
} from './data-going.ts';
export type {
  /** An object that stays, or that is removed although nobody brought it, and why. */
  KeptObject,
  /** What was removed. */
  UninstallResult,
} from './result.ts';

/** What to remove. */
export interface UninstallRequest {
  readonly cluster: ClusterTarget;
  /**
   * A Solution, one of its environments (`guestbook.team-a`), or else a configuration, of which everything is removed.
   */
  readonly name: string;
  /**
   * Whom to trust with what stays, which is applied once more. What has only expired is, because it is there already.
   * Left out: nobody is asked, which is reported where something stays.
   */
  readonly trust?: ReturnTrust | undefined;
  /** Who has to agree where claims go with what owns them. Left out: nobody. */
  readonly agreement?: UninstallAgreement | undefined;
  /** How many generations are kept. */
  readonly keepGenerations: number;
  /** The folder of this machine's mirrors, of which those go that nothing needs any longer; left out: they stay. */
  readonly hostsDir?: string | undefined;
}

/**
 * Removes a Solution, or all of a configuration, as a configuration without it would: what the newest generation
 * applied, apart from it, is applied as a new generation, and the hooks of what leaves run. Images that installs have
 * put on this machine for it go too, and its mirrors last. Nothing but the cluster is needed. What is gone already is
 * no error. Claims that what leaves owns are found first, and asked for. Throws `solution-unknown`, `not-trusted`,
 * `removal-unnamed`, `set-impossible` where something else requires it, `generation-unfinished`, `configuration-busy`
 * where another generation has come meanwhile, and what applying throws.
 */
export function uninstall(
  { cluster, name, trust, agreement, keepGenerations: keep, hostsDir }: UninstallRequest,
  flow: Flow,
): Promise<UninstallResult> {
  return lend(cluster, async () => {
    const leaving = await findLeaving(cluster, name, flow);
    const { configuration, newest, isLeft } = leaving;
    const staying = newest.solutions.filter((solution) => isLeft(solution.name));
    const images = staying.flatMap((solution) => solution.images);
    const release = async (): Promise<{ readonly mirrors?: ReleasedMirrors }> => {
      await releaseNodeImages(configuration, leaving.generations, images, flow);
      return hostsDir === undefined ? {} : { mirrors: await releaseMirrors(hostsDir, hostsOf(images), configuration) };
    };
    if (leaving.isOver) {
      const over = { configuration, generation: newest.number, removed: [], kept: [], staying: named(staying) };
      return { ...over, ...(await release()) };
    }
    const subject = name === configuration && staying.length === 0 ? `configuration ${name}` : name;
    flow.onEvent({ type: 'step', step: 'uninstall', subject });
    const solutions = await remaining(leaving, trust, cluster, flow);
    await requireKept({ configuration, solutions, subject: `uninstall ${name}` }, cluster, flow);
    // Whoever removes all of a configuration removes also what has come meanwhile.
    const after = leaving.isSolution ? newest.number : undefined;
    const request: ApplyRequest = {
      configuration,
      solutions,
      isReturn: true,
      generation: { cause: 'uninstall', after, configuration: undefined, solutions: staying, keep },
    };
    const versions = new Map(newest.solutions.map((one) => [one.name, one.version]));
    const taken = agreement === undefined ? [] : await agreedClaims(request, versions, agreement, cluster, flow);
    const applied = await cluster.apply(request, flow);
    const released = await release();
    const all = [...applied.removed, ...applied.solutions].flatMap(({ objects }) => objects);
    const kept = all.flatMap(({ object, action, reason = '' }) => (action === 'kept' ? [{ object, reason }] : []));
    const removed = applied.removed.map(broughtOf);
    return {
      ...{ configuration, generation: applied.generation!, removed, kept },
      ...(taken.length === 0 ? {} : { taken }),
      ...{ staying: named(staying), ...released },
    };
  });
}

/** What leaves a configuration. */
interface Leaving {
  readonly configuration: string;
  readonly newest: Generation;
  /** Whether a Solution was named, and not the configuration. */
  readonly isSolution: boolean;
  /** All that are remembered. */
  readonly generations: readonly Generation[];
  /** Decides whether a Solution stays. */
  isLeft(solution: string): boolean;
  /** Whether all of it is gone already. */
  readonly isOver: boolean;
}

async function findLeaving(cluster: ClusterTarget, name: string, flow: Flow): Promise<Leaving> {
  const known = await findNamed(cluster, undefined, flow);
  const inventory = await cluster.inventory(flow);
  const entry = inventory.find((one) => isInstanceOf(one.name, name));
  const has = (one: Generation): boolean => one.solutions.some((solution) => isInstanceOf(solution.name, name));
  const [isNewest, isNamed, wasThere] = [
    ({ generations: [newest] }: Named) => newest !== undefined && has(newest),
    ({ configuration }: Named) => configuration === name,
    ({ generations }: Named) => generations.some(has),
  ];
  const found =
    known.find(({ configuration }) => configuration === entry?.configuration) ??
    known.find(isNewest) ??
    known.find(isNamed) ??
    known.find(wasThere);
  const newest = found?.generations[0];
  if (found === undefined || newest === undefined) throw nothingNamed(name, known);
  const { configuration } = found;
  const isSolution = entry !== undefined || isNewest(found) || !isNamed(found);
  const isLeft = (solution: string): boolean => isSolution && !isInstanceOf(solution, name);
  // What was kept may go by now, as a namespace whose content could not be seen.
  const all = [...newest.solutions, ...inventory.filter((one) => one.configuration === configuration)];
  const isGone = all.every((one) => isLeft(one.name));
  const isOver = isGone && newest.state === 'ready';
  return { configuration, newest, generations: found.generations, isSolution, isLeft, isOver };
}

/**
 * Returns what is applied once more. Throws `generation-unfinished` if it is unknown what that would be, and
 * `not-trusted`.
 */
async function remaining(
  { configuration, newest, isLeft }: Leaving,
  trust: ReturnTrust | undefined,
  cluster: ClusterTarget,
  flow: Flow,
): Promise<readonly RenderedSolution[]> {
  if (!newest.solutions.some(({ name }) => isLeft(name))) return [];
  if (newest.state !== 'ready' && newest.cause !== 'uninstall') {
    const message = `generation ${newest.number} (${solutionsOf(newest)}) is not ready, so it is unknown what should stay`;
    throw new SolpackError('generation-unfinished', `configuration ${configuration}`, message, {
      hint: 'install it again, or go back with "solpack rollback"; then uninstall',
    });
  }
  const content = await contentToApply(configuration, newest.number, cluster, flow);
  const staying = content.filter(({ name }) => isLeft(name));
  if (trust === undefined) tellUnasked('uninstall', flow);
  else (await permitBy(trust, 'stands', cluster, flow))(configuration, newest, staying);
  return withoutSubjects(
    staying,
    content.filter(({ name }) => !isLeft(name)),
  );
}

/** Lists the registries of images. */
function hostsOf(images: readonly GenerationImage[]): string[] {
  return [...new Set(images.map(({ reference }) => parseReference(reference).registry))];
}

function named(solutions: readonly { readonly name: string; readonly version: string }[]): UninstallResult['staying'] {
  return solutions.map(({ name, version }) => ({ name, version }));
}
