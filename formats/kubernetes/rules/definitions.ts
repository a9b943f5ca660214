import { type CheckedObject, fieldOf, isFields, type ReportProblem } from '../problems.ts';

/** Reports what no API server takes in a CustomResourceDefinition, beyond its shape. */
export function checkDefinition(object: CheckedObject, report: ReportProblem): void {
  const spec = fieldOf(object, 'spec');
  if (!isFields(spec) || object.apiVersion !== 'apiextensions.k8s.io/v1') return;
  const [group, plural] = [fieldOf(spec, 'group'), fieldOf(fieldOf(spec, 'names'), 'plural')];
  const name = fieldOf(object.metadata, 'name');
  if (typeof group === 'string' && typeof plural === 'string' && name !== `${plural}.${group}`) {
    report(['metadata', 'name'], `has to be ${plural}.${group}, of its plural and its group`);
  }
  const scope = fieldOf(spec, 'scope');
  if (typeof scope === 'string' && scope !== 'Namespaced' && scope !== 'Cluster') {
    report(['spec', 'scope'], 'has to be Namespaced or Cluster');
  }
  if (!Array.isArray(spec['versions'])) return;
  const stored = spec['versions'].filter((version) => fieldOf(version, 'storage') === true);
  if (stored.length !== 1)
    report(['spec', 'versions'], `has to have exactly one version with storage, not ${stored.length}`);
  for (const [index, version] of spec['versions'].entries()) {
    if (fieldOf(fieldOf(version, 'schema'), 'openAPIV3Schema') !== undefined) continue;
    // Before version 1 of its API, all versions could share one.
    if (fieldOf(spec, 'preserveUnknownFields') === true) continue;
    report(['spec', 'versions', index, 'schema', 'openAPIV3Schema'], 'is missing');
  }
}
