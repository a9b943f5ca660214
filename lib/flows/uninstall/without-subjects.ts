import { groupKindOf } from '../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { isRecord } from '../../../formats/record.ts';
import { instanceParts } from '../../../formats/solution/environments.ts';
import type { RenderedSolution } from '../../parts/clusters/index.ts';

const ACCOUNTS = 'system:serviceaccounts:';

/**
 * Takes the subjects of environments that leave out of the bindings that environments of a Solution share: whoever
 * makes the account of then once more has no rights by it.
 */
export function withoutSubjects(
  staying: readonly RenderedSolution[],
  leaving: readonly Pick<RenderedSolution, 'name'>[],
): RenderedSolution[] {
  const gone = leaving.map(({ name }) => instanceParts(name));
  return staying.map((solution) => {
    const { name } = instanceParts(solution.name);
    const spaces = new Set(gone.flatMap((one) => (one.name === name ? (one.environment ?? []) : [])));
    if (spaces.size === 0) return solution;
    const components = solution.components.map((component) => ({
      ...component,
      objects: component.objects.map((object) => withoutThese(object, spaces)),
    }));
    return { ...solution, components };
  });
}

function withoutThese(object: KubernetesObject, spaces: ReadonlySet<string>): KubernetesObject {
  const subjects = object['subjects'];
  if (!groupKindOf(object).endsWith('Binding.rbac.authorization.k8s.io') || !Array.isArray(subjects)) return object;
  return { ...object, subjects: subjects.filter((subject) => !isIn(subject, spaces)) };
}

function isIn(subject: unknown, spaces: ReadonlySet<string>): boolean {
  if (!isRecord(subject)) return false;
  const { kind, name, namespace } = subject;
  if (kind === 'ServiceAccount') return typeof namespace === 'string' && spaces.has(namespace);
  return (
    kind === 'Group' && typeof name === 'string' && name.startsWith(ACCOUNTS) && spaces.has(name.slice(ACCOUNTS.length))
  );
}
