import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { type SiteInputs, siteError, siteOf } from '../solutions/sites/index.ts';
import { sharedElsewhere } from './environments.ts';
import { type PlacedArchive, renderedEnvironments } from './placed.ts';
import type { Rendered } from './render.ts';

const hint = 'set it for the Solution, in patches beside environments';

/**
 * Looks at patches that are for one environment alone: what environments share comes from one of them, so that a patch
 * in another one changes nothing of it. Reports patches that are for such objects too. Throws `site-invalid` for one
 * that is for nothing else.
 */
export function requireEffective(
  placed: readonly PlacedArchive[],
  { solutions, patched }: Pick<Rendered, 'solutions' | 'patched'>,
  sites: readonly SiteInputs[],
  cluster: ClusterFacts | undefined,
  { onEvent }: Pick<Flow, 'onEvent'>,
): void {
  for (const one of placed.filter(({ placement }) => placement.part === 'shared')) {
    const { name } = one.archive.catalog.metadata;
    const group = renderedEnvironments(one, placed, solutions);
    const isElsewhere = sharedElsewhere(group, cluster);
    for (const { environment, solution } of group.environments) {
      for (const { component, patch, objects } of patched.filter((each) => each.solution === solution.name)) {
        // What is set for the Solution is for the one that brings them as well.
        if (siteOf(sites, name, component)?.patches.includes(patch)) continue;
        const lost = objects.filter((object) => isElsewhere(environment, object));
        if (lost.length === 0) continue;
        const message = `changes nothing of ${lost.map(wordsOf).join(', ')}: environments share that, but it does not come from ${environment}`;
        if (lost.length === objects.length) throw siteError(patch, [{ message }], hint);
        onEvent({ type: 'notice', subject: solution.name, message: `a patch of ${component} ${message}` });
      }
    }
  }
}

function wordsOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
