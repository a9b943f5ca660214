import { matchOutside, type OutsideInstall, unmetOutside } from '../../../../formats/resolve/outside.ts';
import type { SetMember } from '../../../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import type { OutsideNeed } from '../../../../formats/solution/outside-need.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import type { ClusterTarget } from '../../../parts/clusters/index.ts';
import type { Choice } from './choices.ts';
import type { OpenedArchive } from './opened.ts';
import {
  type ArchiveRelease,
  asksOutside,
  outsideInstalls,
  releaseOf,
  type SetSurroundings,
} from './set-candidates.ts';

/**
 * Reads what others have installed in a cluster, if an archive requires something that neither a Solution of the
 * cluster nor one that comes in any case can meet. Otherwise nothing is read, because that takes rights.
 */
export async function readSetOutside(
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
  surroundings: Pick<SetSurroundings, 'inventory' | 'served'>,
  target: ClusterTarget,
  flow: Flow,
): Promise<readonly OutsideInstall[]> {
  if (!asksOutside(configuration, opened.map(releaseOf), surroundings)) return [];
  const { installs, unread } = await target.outside(flow);
  for (const message of unread) flow.onEvent({ type: 'notice', subject: target.name, message });
  return installs;
}

/** Adds to choices what installs of others meet of the requirements of the members of their set. */
export function withOutside(
  choices: readonly Choice[],
  members: readonly SetMember<ArchiveRelease>[],
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
  surroundings: SetSurroundings,
): Choice[] {
  const installs = outsideInstalls(configuration, opened.map(releaseOf), surroundings);
  const needs = new Map(
    members.map(({ release }): [string, readonly OutsideNeed[]] => [
      release.name,
      matchOutside(releaseOf(release.opened), installs).needs,
    ]),
  );
  return choices.map((choice) => {
    const outside = needs.get(choice.name) ?? [];
    return outside.length === 0 ? choice : { ...choice, outside };
  });
}

/** Says which installs of others would meet what archives require, were they of other versions. */
export function wrongOutside(
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
  surroundings: SetSurroundings,
): string[] {
  const candidates = opened.map(releaseOf);
  const installs = outsideInstalls(configuration, candidates, surroundings);
  return [...new Set(candidates.flatMap((one) => unmetOutside(one, installs)))];
}

/** Says of a choice what installs of others meet. */
export function outsideNotices({ outside = [] }: Choice): string[] {
  return outside.map(({ kind, name, range, version, by }) => {
    const asked = range === '*' ? name : `${name} ${range}`;
    const verb = kind === 'recommends' ? 'recommends' : 'requires';
    return `${verb} ${asked}: found ${version} of ${by}, which solpack did not install`;
  });
}
