import { scopesOf } from '../../../formats/manifest/namespace.ts';
import type { Bounds } from '../../../formats/trust/bounds.ts';
import type { ClusterFacts, Finding, LookupLimit } from '../../kernel/content/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import { breachesOfImage, breachOfLookup } from '../../parts/trust/index.ts';
import type { Rendered } from '../../shared/rendering/index.ts';
import { askedServices, breachesOfRendered, untrusted } from '../../shared/solutions/trusted/index.ts';

/** An archive, and how far its Solution may go. */
interface Bound {
  readonly archive: Archive;
  readonly bounds: Bounds | undefined;
}

/**
 * Makes sure that no Solution goes beyond its bounds by what it was rendered to, the Solutions being those of the
 * archives, in their order. An object whose kind lives in a namespace by one word and outside of them by another has to
 * be allowed both. Throws `not-trusted` with all that goes beyond.
 */
export function requireWithin(
  active: readonly Bound[],
  { solutions, missing, kept }: Rendered,
  facts: ClusterFacts | undefined,
): void {
  const definitions = scopesOf(solutions.flatMap(({ components }) => components.flatMap(({ objects }) => objects)));
  const refusals: Finding[] = [];
  const archives: string[] = [];
  for (const [index, { archive, bounds }] of active.entries()) {
    if (bounds === undefined) continue;
    for (const { name, objects, migrations = [], ready } of solutions[index]!.components) {
      const foreign = [...missing, ...kept].filter((one) => one.archive === archive.path && one.component === name);
      const breaches = [
        ...[...objects, ...migrations, ...askedServices(ready)].flatMap((object) =>
          breachesOfRendered(object, definitions, facts, bounds),
        ),
        ...foreign.flatMap(({ image }) => breachesOfImage(image, bounds)),
      ];
      if (breaches.length > 0) archives.push(archive.path);
      refusals.push(...breaches.map((one) => ({ ...one, subject: `component ${name}, ${one.subject}` })));
    }
  }
  if (refusals.length > 0) throw untrusted([...new Set(archives)].join(', '), refusals);
}

/**
 * Makes what says how far charts of a Solution may look: no further than the objects may be that they bring. A chart
 * makes objects of what it reads, and so gives it to whoever sees these.
 */
export function lookupLimits(active: readonly Bound[]): (solution: string) => LookupLimit | undefined {
  return (solution) => {
    const all = active.filter(({ archive }) => archive.catalog.metadata.name === solution);
    return (asked) => {
      const breach = all.flatMap(({ bounds }) => (bounds && breachOfLookup(asked, bounds)) ?? [])[0];
      return breach && `${breach.message} (${breach.code})`;
    };
  };
}
