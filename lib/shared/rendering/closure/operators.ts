import { rightsOf } from '../../../../formats/manifest/rights.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import { definedKinds } from '../defined-kinds.ts';
import type { ExaminedVersion } from './examine.ts';
import type { PlacedStatement } from './statements.ts';

/** What makes Pods, and Pods. */
const starters = ['pods', 'deployments', 'daemonsets', 'statefulsets', 'replicasets', 'jobs', 'cronjobs', '*'];

/**
 * Returns whether the objects of a component look like an operator's: it runs something, defines kinds, and may create
 * Pods.
 */
export function looksLikeOperator(statements: readonly PlacedStatement[]): boolean {
  const objects = statements.map(({ object }) => object);
  const runs = objects.some(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  if (!runs || !objects.some((object) => definedKinds(object).length > 0)) return false;
  return rightsOf(objects).some(
    ({ verb, group, resource }) =>
      (verb === 'create' || verb === '*') && ['', 'apps', 'batch', '*'].includes(group) && starters.includes(resource),
  );
}

/** Tells, of each component that looks like an operator, that images within its program are not found. */
export function tellOperators(versions: readonly ExaminedVersion[], without: ReadonlySet<string>, flow: Flow): void {
  const all = versions.flatMap(({ statements }) => statements);
  for (const [subject, own] of Map.groupBy(all, ({ component }) => component)) {
    if (without.has(subject) || !looksLikeOperator(own)) continue;
    const message =
      'looks like an operator: images named only in its program cannot be found, and have to be added by hand ("solpack docs images")';
    flow.onEvent({ type: 'notice', subject, message });
  }
}
