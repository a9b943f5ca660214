import { isUnrelated, relationsOf } from '../../../formats/solution/relations.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import type { RenderedSolution } from '../../parts/clusters/index.ts';
import type { Placement } from '../solutions/sets/index.ts';
import { divided, type RenderedEnvironment, type RenderedEnvironments, sameSpaces } from './environments.ts';
import type { Renderable } from './renderable.ts';
import { movedArchive, renderableArchive } from './renderable-archive.ts';

/** An archive, and what of it is brought where. */
export interface PlacedArchive {
  readonly archive: Archive;
  readonly placement: Placement;
}

/** Finds the archive of each placement. */
export function placedArchives<One extends Pick<Archive, 'catalog'>>(
  placements: readonly Placement[],
  archives: readonly One[],
): { readonly archive: One; readonly placement: Placement }[] {
  return placements.map((placement) => {
    const archive = archives.find(({ catalog }) => catalog.root.digest === placement.root);
    if (archive === undefined) throw new Error(`no archive of the root ${placement.root} is open`);
    return { archive, placement };
  });
}

/** Returns what has to be rendered: what environments share is a part of one of them, unless none has its version. */
export function toRender(placed: readonly PlacedArchive[]): PlacedArchive[] {
  return placed.filter(
    ({ archive, placement }) => placement.part !== 'shared' || environmentsOf(placed, archive)[0]?.archive !== archive,
  );
}

/** Makes a placed archive something to render. */
export function placedRenderable({ archive, placement: { part, environment } }: PlacedArchive): Renderable {
  if (part === 'whole' || environment === null) return renderableArchive(archive);
  const moved = movedArchive(archive, environment);
  if (part === 'environment') return moved;
  return { ...moved, moved: { ...moved.moved!, instance: moved.metadata.name } };
}

/** Puts together what `toRender` was rendered to: one Solution for each placement, in their order. */
export function placedSolutions(
  placed: readonly PlacedArchive[],
  rendered: readonly RenderedSolution[],
  cluster: ClusterFacts | undefined,
): RenderedSolution[] {
  const asked = toRender(placed);
  const all = placed.flatMap((one) => {
    const { archive, placement } = one;
    if (placement.part === 'whole') return [rendered[asked.indexOf(one)]!];
    if (placement.part === 'environment') return [];
    const { metadata, root } = archive.catalog;
    const { apart, environments } = renderedEnvironments(one, placed, rendered);
    const site = (apart ?? environments[0])?.solution.site;
    const { name, version } = metadata;
    const related = isUnrelated(metadata) ? {} : { relations: relationsOf(metadata) };
    const records = apart?.solution.records ?? [];
    const shared = { name, version, root: root.digest, site, ...related, records };
    return divided({ shared, apart, environments }, cluster);
  });
  return sameSpaces(all, new Set(placed.flatMap(({ placement }) => placement.environment ?? [])));
}

/** Finds what was rendered for the environments that share a placed archive, and for what they share alone. */
export function renderedEnvironments(
  one: PlacedArchive,
  placed: readonly PlacedArchive[],
  rendered: readonly RenderedSolution[],
): Pick<RenderedEnvironments, 'apart' | 'environments'> {
  const asked = toRender(placed);
  const solutionOf = (each: PlacedArchive): RenderedSolution => rendered[asked.indexOf(each)]!;
  const environments = environmentsOf(placed, one.archive).map((each) => renderedFor(each, solutionOf(each)));
  return { apart: asked.includes(one) ? renderedFor(one, solutionOf(one)) : undefined, environments };
}

function renderedFor({ placement }: PlacedArchive, solution: RenderedSolution): RenderedEnvironment {
  return { environment: placement.environment ?? '', solution };
}

/** The environments of the Solution in an archive, the highest version first. */
function environmentsOf(placed: readonly PlacedArchive[], { catalog }: Archive): PlacedArchive[] {
  const { name } = catalog.metadata;
  return placed.filter(
    ({ archive, placement }) => placement.part === 'environment' && archive.catalog.metadata.name === name,
  );
}
