import { type CheckedObject, entriesOf, fieldOf, type ReportProblem } from '../problems.ts';

const rbac = 'rbac.authorization.k8s.io';

/** Reports rules that no API server takes in a Role. */
export function checkRole(object: CheckedObject, report: ReportProblem): void {
  for (const [index, rule] of entriesOf(fieldOf(object, 'rules')).entries()) {
    if (entriesOf(fieldOf(rule, 'nonResourceURLs')).length === 0) continue;
    report(['rules', index, 'nonResourceURLs'], 'only a ClusterRole can have these');
  }
}

/** Reports references that no API server takes in a RoleBinding or ClusterRoleBinding. */
export function checkRoleBinding(object: CheckedObject, report: ReportProblem): void {
  const role = fieldOf(object, 'roleRef');
  const [group, kind] = [fieldOf(role, 'apiGroup') || rbac, fieldOf(role, 'kind')];
  if (typeof group === 'string' && group !== rbac) report(['roleRef', 'apiGroup'], `has to be ${rbac}, not ${group}`);
  const kinds = object.kind === 'ClusterRoleBinding' ? ['ClusterRole'] : ['ClusterRole', 'Role'];
  if (typeof kind === 'string' && kind !== '' && !kinds.includes(kind)) {
    report(['roleRef', 'kind'], `has to be ${kinds.join(' or ')}, not ${kind}`);
  }
  for (const [index, subject] of entriesOf(fieldOf(object, 'subjects')).entries()) {
    const at = ['subjects', index];
    const what = fieldOf(subject, 'kind');
    if (typeof what === 'string' && what !== '' && !['ServiceAccount', 'User', 'Group'].includes(what)) {
      report([...at, 'kind'], `has to be ServiceAccount, User or Group, not ${what}`);
    }
    if (what === 'ServiceAccount' && object.kind === 'ClusterRoleBinding' && !fieldOf(subject, 'namespace')) {
      report([...at, 'namespace'], 'is missing');
    }
  }
}
