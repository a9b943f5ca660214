import { type CheckedObject, entriesOf, type FieldPlace, fieldOf, isFields, type ReportProblem } from '../problems.ts';

/** Reports what no API server takes in an Ingress, beyond its shape. */
export function checkIngress(object: CheckedObject, report: ReportProblem): void {
  const spec = fieldOf(object, 'spec');
  if (!isFields(spec) || object.apiVersion !== 'networking.k8s.io/v1') return;
  checkBackend(spec['defaultBackend'], ['spec', 'defaultBackend'], report);
  if (!spec['defaultBackend'] && entriesOf(spec['rules']).length === 0) {
    report(['spec', 'rules'], 'has to have an entry, unless there is a defaultBackend');
  }
  for (const [index, rule] of entriesOf(spec['rules']).entries()) {
    for (const [number, one] of entriesOf(fieldOf(fieldOf(rule, 'http'), 'paths')).entries()) {
      const at = ['spec', 'rules', index, 'http', 'paths', number];
      const [path, type] = [fieldOf(one, 'path') ?? '', fieldOf(one, 'pathType')];
      if ((type === 'Exact' || type === 'Prefix') && typeof path === 'string' && !path.startsWith('/')) {
        report([...at, 'path'], 'has to begin with /');
      }
      checkBackend(fieldOf(one, 'backend'), [...at, 'backend'], report);
    }
  }
}

function checkBackend(backend: unknown, path: FieldPlace, report: ReportProblem): void {
  if (!isFields(backend)) return;
  const [service, resource] = [fieldOf(backend, 'service'), fieldOf(backend, 'resource')];
  if (service !== undefined && resource !== undefined) report(path, 'has to have a service or a resource, not both');
  if (!isFields(service)) return;
  const port = fieldOf(service, 'port');
  const [name, number] = [fieldOf(port, 'name') || undefined, fieldOf(port, 'number') || undefined];
  if (name === undefined && number === undefined)
    report([...path, 'service', 'port'], 'has to have a name or a number');
  if (name !== undefined && number !== undefined)
    report([...path, 'service', 'port'], 'may not have both name and number');
}
