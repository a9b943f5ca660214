import { isDnsLabel } from '../metadata.ts';
import { entriesOf, type FieldPlace, fieldOf, isFields, type ReportProblem } from '../problems.ts';
import { checkContainer } from './containers.ts';

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** How the Pods of a kind come to be. */
export interface PodUse {
  /** The restart policies that they may have; the first stands for one that is left out. */
  readonly restart: readonly string[];
  /** Whether volumes may come from elsewhere, as those of a StatefulSet do. */
  readonly hasOtherVolumes?: boolean;
}

/** Reports what no API server takes in a PodSpec, beyond its shape. */
export function checkPod(
  spec: unknown,
  path: FieldPlace,
  { restart, hasOtherVolumes = false }: PodUse,
  report: ReportProblem,
): void {
  if (!isFields(spec)) return;
  const policy = fieldOf(spec, 'restartPolicy') || 'Always';
  if (typeof policy === 'string' && !restart.includes(policy)) {
    report([...path, 'restartPolicy'], `has to be ${restart.join(' or ')} here, not ${policy}`);
  }
  if (Array.isArray(spec['containers']) && spec['containers'].length === 0) {
    report([...path, 'containers'], 'has to have an entry');
  }
  const volumes = checkVolumes(spec, path, report);
  const names = new Set<string>();
  for (const list of lists) {
    for (const [index, container] of entriesOf(spec[list]).entries()) {
      const at = [...path, list, index];
      const name = fieldOf(container, 'name');
      // Twice in one list is a matter of its shape.
      const isElsewhere = typeof name === 'string' && names.has(name);
      if (isElsewhere && !isTwice(spec[list], name)) report([...at, 'name'], `another container has the name ${name}`);
      if (typeof name === 'string') names.add(name);
      checkContainer(container, at, hasOtherVolumes ? undefined : volumes, report);
    }
  }
}

function isTwice(list: unknown, name: string): boolean {
  return entriesOf(list).filter((one) => fieldOf(one, 'name') === name).length > 1;
}

/** Reports volumes that no API server takes; returns the names of all. */
function checkVolumes(spec: unknown, path: FieldPlace, report: ReportProblem): ReadonlySet<unknown> {
  const volumes = entriesOf(fieldOf(spec, 'volumes'));
  for (const [index, volume] of volumes.entries()) {
    const at = [...path, 'volumes', index];
    const name = fieldOf(volume, 'name');
    if (typeof name === 'string' && name !== '' && !isDnsLabel(name)) {
      report([...at, 'name'], `${JSON.stringify(name)} is not a valid name for a volume`);
    }
    const sources = isFields(volume) ? Object.keys(volume).filter((key) => key !== 'name' && volume[key] !== null) : [];
    if (sources.length > 1) report(at, `may be of one type only, not of ${sources.join(' and ')}`);
  }
  return new Set(volumes.map((volume) => fieldOf(volume, 'name')));
}
