import { type Flow, lend } from '../../kernel/events/index.ts';
import type { ClusterTarget, Generation } from '../../parts/clusters/index.ts';
import type { RegistryOptions } from '../../parts/registries/index.ts';
import {
  type BroughtSolution,
  broughtOf,
  configurationNamed,
  findMissingImages,
  generationToReturnTo,
  returnRequest,
  solutionsOf,
} from '../../shared/solutions/clusters/index.ts';
import { requireKept } from '../../shared/solutions/sets/index.ts';
import { permitBy, type ReturnTrust, tellUnasked } from '../../shared/solutions/trusted/index.ts';
import { imagesGone } from './images.ts';
import { migratedAhead, rollbackUnsafe } from './migrated.ts';

/** Which generation to go back to, and how. */
export interface RollbackRequest {
  readonly cluster: ClusterTarget;
  /** The name of a configuration; undefined is the only one that there is. */
  readonly configuration?: string | undefined;
  /** Undefined is the newest one before the present that went well. */
  readonly generation?: number | undefined;
  /** Whom to trust with what is restored. Left out: nobody is asked, which is reported. */
  readonly trust?: ReturnTrust | undefined;
  /** How registries are talked to. */
  readonly registries: RegistryOptions;
  /** Continues where images cannot be pulled any longer, and reports them. */
  readonly allowMissingImages?: boolean | undefined;
  /**
   * Continues where custom resources stay in the form that a newer version has given them, and reports them. Left out:
   * it refuses.
   */
  readonly leaveMigrated?: boolean;
  /** How many generations are kept. */
  readonly keepGenerations: number;
}

/** What a rollback did. */
export interface RollbackResult {
  readonly configuration: string;
  /** The generation that was gone back to. */
  readonly of: Pick<Generation, 'number' | 'at' | 'solutions'>;
  /** The number of the generation that is there now. */
  readonly generation: number;
  readonly solutions: readonly BroughtSolution[];
  readonly removed: readonly BroughtSolution[];
}

/**
 * Restores what a generation applied, as a new generation: objects as they were then; what came since is removed by the
 * rules of an upgrade. First it makes sure that the restored release is trusted, that the images are there, that
 * nothing loses what it requires, and that no custom resource has the form of a newer version. What installs remember
 * of sequences does not count. Throws `generation-absent`, `not-trusted`, `rollback-unsafe`, `set-impossible`,
 * `usage-invalid`, `image-missing`, `configuration-busy` if a newer generation has come meanwhile and none was named,
 * and what registries and applying throw.
 */
export function rollback(request: RollbackRequest, flow: Flow): Promise<RollbackResult> {
  const { cluster, trust, registries, allowMissingImages, keepGenerations: keep } = request;
  return lend(cluster, async () => {
    const configuration = await configurationNamed(cluster, request.configuration, 'solpack rollback --name', flow);
    const all = await cluster.generations(configuration, flow);
    const generation = generationToReturnTo(configuration, all, request.generation);
    flow.onEvent({
      type: 'step',
      step: 'choose',
      subject: `generation ${generation.number}: ${solutionsOf(generation)}`,
    });
    // "The previous one" is another one as soon as there is a newer one.
    const after = request.generation === undefined ? all[0]?.number : undefined;
    const permit = trust && (await permitBy(trust, 'passes', cluster, flow));
    if (permit === undefined) tellUnasked('rollback', flow);
    const back = await returnRequest({ configuration, generation, permit, after, keep }, cluster, flow);
    const ahead = migratedAhead(generation, all);
    if (ahead.length > 0 && !request.leaveMigrated) throw rollbackUnsafe(generation, ahead);
    for (const one of ahead) {
      const message = `stays as ${one.by} has migrated it: a rollback asks no plugin`;
      for (const subject of one.resources) flow.onEvent({ type: 'notice', subject, message });
    }
    const missing = await findMissingImages(generation, registries, flow);
    if (missing.length > 0 && !allowMissingImages) throw imagesGone(missing, '--allow-missing-images');
    for (const { image, reason } of missing) {
      flow.onEvent({ type: 'notice', subject: image.reference, message: `cannot be pulled: ${reason}` });
    }
    const subject = `rollback to generation ${generation.number}`;
    await requireKept({ configuration, solutions: back.solutions, subject }, cluster, flow);
    const applied = await cluster.apply(back, flow);
    const { number, at, solutions } = generation;
    return {
      configuration,
      of: { number, at, solutions },
      generation: applied.generation!,
      solutions: applied.solutions.map(broughtOf),
      removed: applied.removed.map(broughtOf),
    };
  });
}
