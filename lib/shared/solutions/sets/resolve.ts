import { upgradeCourse } from '../../../../formats/resolve/course.ts';
import { resolveWorld } from '../../../../formats/resolve/resolve.ts';
import type { NoSet, Resolution, ResolvedSet } from '../../../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import type { OpenedArchive } from './opened.ts';
import { wrongOutside } from './outside.ts';
import { type ArchiveRelease, releaseOf, type SetSurroundings, worldOf } from './set-candidates.ts';

/**
 * Finds the set that a configuration stands for: its archives that belong together, beside what others have installed.
 * Pure.
 */
export function resolveConfigured(
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
  surroundings: SetSurroundings,
): Resolution<ArchiveRelease> {
  const resolution = resolveWorld(worldOf(configuration, opened.map(releaseOf), surroundings));
  if ('set' in resolution) return resolution;
  const wrong = wrongOutside(configuration, opened, surroundings);
  const { none, steps } = resolution;
  return { none: { ...none, explanation: [...wrong, ...none.explanation] }, steps };
}

/**
 * The same, for whoever continues with the set. Where nothing but the version of Kubernetes prevents what the
 * configuration wants itself, or `anyKubernetes` says that it does not count, it is the set without that: it is looked
 * at with all else that is known to be in the way. Throws `set-impossible`.
 */
export function requireSet(
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
  surroundings: SetSurroundings,
  anyKubernetes = false,
): ResolvedSet<ArchiveRelease> {
  const resolution = resolveConfigured(configuration, opened, surroundings);
  if ('set' in resolution) return resolution.set;
  const anyway = resolveConfigured(configuration, opened, { ...surroundings, kubernetes: undefined });
  if ('none' in anyway) throw noSet(configuration.name, anyway.none);
  if (anyKubernetes || !resolution.none.isAboutOthers) return anyway.set;
  throw noSet(configuration.name, resolution.none);
}

/** A set on the way to what a configuration wants. */
export interface StepOnTheWay {
  readonly set: ResolvedSet<ArchiveRelease>;
  /** How many sets come after it; 0 where it is what is wanted. */
  readonly left: number;
}

/**
 * The first set on the way to what a configuration wants, where Solutions say over which versions they may be
 * installed: `upgradeCourse`. Where there is no way, as `requireSet`. Throws `set-impossible`.
 */
export function requireStep(
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
  surroundings: SetSurroundings,
  anyKubernetes = false,
): StepOnTheWay {
  const kubernetes = anyKubernetes ? undefined : surroundings.kubernetes;
  const world = worldOf(configuration, opened.map(releaseOf), { ...surroundings, kubernetes });
  const course = upgradeCourse(world);
  if ('sets' in course && course.sets.length > 1) return { set: course.sets[0]!, left: course.sets.length - 1 };
  return { set: requireSet(configuration, opened, surroundings, anyKubernetes), left: 0 };
}

/** Returns the error about a configuration for which there is no set. */
function noSet(configuration: string, { explanation, help }: NoSet): SolpackError {
  const subject = `configuration ${configuration}`;
  const sentences = explanation.map((one) => one.replace(/\.$/, ''));
  const code = 'set-impossible';
  return new SolpackError(code, subject, `no set of Solutions meets it${reasonWords(sentences)}`, {
    ...(help.length === 0 ? {} : { hint: help.join('; or ') }),
    findings: sentences.slice(0, -1).map((message) => ({ code, subject, message })),
  });
}

/**
 * Words why there is no set, behind words that there is none: the last sentence, which continues with those before it.
 */
function reasonWords(sentences: readonly string[]): string {
  const last = sentences.at(-1) ?? '';
  const [, reason] = /^(?:And b|B)ecause (.*), no set meets all of this$/.exec(last) ?? [];
  if (reason === undefined) return `: ${last}`;
  return sentences.length > 1 ? `, because of that, and because ${reason}` : `, because ${reason}`;
}
