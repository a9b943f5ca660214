import { groupOf } from '../../../formats/manifest/namespace.ts';
import { orderNames, type Precedence } from '../../../formats/resolve/order.ts';
import { needEdges } from '../../../formats/resolve/prerequisites.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { RenderedSolution } from '../../parts/clusters/index.ts';
import { definedKinds } from './defined-kinds.ts';

/**
 * Orders Solutions so that each comes after those that define kinds of its objects, and, where that is no circle, after
 * those that it asks for; otherwise as they are. Returns their names. Throws `set-impossible` where kinds have to be
 * there before each other that the cluster does not have yet.
 */
export function solutionOrder(solutions: readonly RenderedSolution[], cluster: ClusterFacts | undefined): string[] {
  const served = new Set((cluster?.apiVersions ?? []).map(kindIn));
  const [strict, loose]: [Precedence[], Precedence[]] = [[], []];
  for (const { first, next, kind } of kindEdges(solutions)) (served.has(kind) ? loose : strict).push({ first, next });
  const asked = needEdges(solutions.map(({ name, version, relations }) => ({ name, version, ...relations })));
  const names = solutions.map(({ name }) => name);
  const asGiven = (a: string, b: string): number => names.indexOf(a) - names.indexOf(b);
  const ordered = orderNames(names, strict, [...loose, ...asked], asGiven);
  if ('order' in ordered) return [...ordered.order];
  const message = 'define kinds for each other, so none of them can come first';
  throw new SolpackError('set-impossible', ordered.circle.join(' and '), message, {
    hint: 'put these CustomResourceDefinitions into one Solution, which the others require',
  });
}

/** Puts Solutions into the order in which they are applied. Throws as `solutionOrder`. */
export function inApplyOrder(
  solutions: readonly RenderedSolution[],
  cluster: ClusterFacts | undefined,
): readonly RenderedSolution[] {
  const names = solutionOrder(solutions, cluster);
  return solutions.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** Lists whose objects are of kinds that another Solution defines. */
function kindEdges(solutions: readonly RenderedSolution[]): (Precedence & { readonly kind: string })[] {
  const all = solutions.map(({ name, components }) => {
    const objects = components.flatMap((component) => component.objects);
    const defined = new Set(objects.flatMap(definedKinds).map(kindIn));
    const used = new Set(objects.map((object) => `${groupOf(object)}/${object.kind}`));
    return { name, defined, used };
  });
  return all.flatMap(({ name: first, defined }) =>
    all.flatMap(({ name: next, defined: own, used }) =>
      [...used]
        .filter((kind) => first !== next && defined.has(kind) && !own.has(kind))
        .map((kind) => ({ first, next, kind })),
    ),
  );
}

/** The group and kind of what is served as `group/version/Kind`, as `group/Kind`. */
function kindIn(served: string): string {
  const parts = served.split('/');
  return parts.length === 3 ? `${parts[0]}/${parts[2]}` : served;
}
