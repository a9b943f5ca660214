import { isDnsLabel } from '../metadata.ts';
import { entriesOf, fieldOf, isFields, type ReportProblem } from '../problems.ts';
import { checkPort, isPortName, nameRule } from './containers.ts';

/** Reports what no API server takes in a Service, beyond its shape. */
export function checkService(object: unknown, report: ReportProblem): void {
  const spec = fieldOf(object, 'spec');
  if (!isFields(spec)) return;
  const type = spec['type'] || 'ClusterIP';
  const ports = entriesOf(spec['ports']);
  if (type === 'ExternalName') {
    if ((fieldOf(spec, 'externalName') ?? '') === '') report(['spec', 'externalName'], 'is missing');
  } else if (ports.length === 0 && spec['clusterIP'] !== 'None') {
    report(['spec', 'ports'], 'has to have an entry, unless clusterIP is None or type is ExternalName');
  }
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = ['spec', 'ports', index];
    checkPort(fieldOf(port, 'port'), [...at, 'port'], report);
    const target = fieldOf(port, 'targetPort');
    if (typeof target === 'string' && target !== '' && !isPortName(target)) {
      report([...at, 'targetPort'], `${JSON.stringify(target)} is not a valid name for a port: ${nameRule}`);
    } else checkPort(target || undefined, [...at, 'targetPort'], report);
    const name = fieldOf(port, 'name') ?? '';
    if (typeof name !== 'string') continue;
    if (name === '' && ports.length > 1) report([...at, 'name'], 'is missing: each of several ports has to have one');
    else if (name !== '' && !isDnsLabel(name))
      report([...at, 'name'], `${JSON.stringify(name)} is not a valid name for a port`);
    else if (name !== '' && names.has(name)) report([...at, 'name'], `another port has the name ${name}`);
    names.add(name);
  }
}
