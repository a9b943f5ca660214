import { isDnsLabel } from '../metadata.ts';
import { entriesOf, type FieldPlace, fieldOf, isFields, type ReportProblem } from '../problems.ts';
import { quantityOf } from '../quantity.ts';

/**
 * Reports what no API server takes in a container, beyond its shape. `volumes` are the names of those that it may
 * mount.
 */
export function checkContainer(
  container: unknown,
  path: FieldPlace,
  volumes: ReadonlySet<unknown> | undefined,
  report: ReportProblem,
): void {
  if (!isFields(container)) return;
  const name = fieldOf(container, 'name');
  if (typeof name === 'string' && !isDnsLabel(name)) {
    report([...path, 'name'], `${JSON.stringify(name)} is not a valid name for a container`);
  }
  const image = fieldOf(container, 'image') ?? '';
  if (image === '') report([...path, 'image'], 'is missing');
  else if (typeof image === 'string' && image.trim() !== image) {
    report([...path, 'image'], 'may not begin or end with a space');
  }
  for (const [index, variable] of entriesOf(container['env']).entries()) {
    if (fieldOf(variable, 'name') === '') report([...path, 'env', index, 'name'], 'is missing');
    const hasBoth = (fieldOf(variable, 'value') ?? '') !== '' && fieldOf(variable, 'valueFrom') !== undefined;
    if (hasBoth) report([...path, 'env', index, 'valueFrom'], 'may not be used beside value');
  }
  for (const [index, mount] of entriesOf(container['volumeMounts']).entries()) {
    const volume = fieldOf(mount, 'name');
    if (typeof volume !== 'string' || volume === '' || !volumes || volumes.has(volume)) continue;
    report([...path, 'volumeMounts', index, 'name'], `there is no volume ${volume}`);
  }
  checkPorts(container['ports'], [...path, 'ports'], report);
  checkResources(container['resources'], [...path, 'resources'], report);
}

function checkPorts(ports: unknown, path: FieldPlace, report: ReportProblem): void {
  const names = new Set<string>();
  for (const [index, port] of entriesOf(ports).entries()) {
    checkPort(fieldOf(port, 'containerPort'), [...path, index, 'containerPort'], report);
    const name = fieldOf(port, 'name');
    if (typeof name !== 'string' || name === '') continue;
    if (!isPortName(name))
      report([...path, index, 'name'], `${JSON.stringify(name)} is not a valid name for a port: ${nameRule}`);
    if (names.has(name)) report([...path, index, 'name'], `another port has the name ${name}`);
    names.add(name);
  }
}

/** Reports a number that is not a port. */
export function checkPort(port: unknown, path: FieldPlace, report: ReportProblem): void {
  if (typeof port === 'number' && Number.isInteger(port) && (port < 1 || port > 65535)) {
    report(path, `has to be a port from 1 to 65535, not ${port}`);
  }
}

/** Says what `isPortName` asks for. */
export const nameRule = 'it takes lower-case letters, digits and "-", one letter at least, 15 characters at most';

/** Returns whether a text is a service name (RFC 6335 section 5.1). */
export function isPortName(name: string): boolean {
  return /^[a-z0-9-]{1,15}$/.test(name) && /[a-z]/.test(name) && !/^-|-$|--/.test(name);
}

/** Reports requests above limits. */
function checkResources(resources: unknown, path: FieldPlace, report: ReportProblem): void {
  const requests = fieldOf(resources, 'requests');
  if (!isFields(requests)) return;
  for (const [resource, asked] of Object.entries(requests)) {
    const [request, limit] = [quantityOf(asked), quantityOf(fieldOf(fieldOf(resources, 'limits'), resource))];
    if (request === undefined || limit === undefined || request <= limit) continue;
    report([...path, 'requests', resource], 'is above the limit');
  }
}
