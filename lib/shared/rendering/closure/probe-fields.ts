import { absentField } from '../../../../formats/kubernetes/custom-fields.ts';
import { fieldPlaceWords } from '../../../../formats/kubernetes/problems.ts';
import type { KubernetesObject } from '../../../../formats/manifest/documents.ts';
import { isRecord } from '../../../../formats/record.ts';
import type { ComponentMetadata } from '../../../../formats/solution/metadata.ts';
import { isObjectProbe, type ObjectProbe } from '../../../../formats/solution/ready-probe.ts';
import { definedKinds } from '../defined-kinds.ts';
import type { Examination } from './examine.ts';
import { type ClosureFinding, mergedFindings } from './findings.ts';

/** Returns where a definition states a probe: `FILE:LINE`. `field` is `cel` or `condition`. */
export type PlaceOfProbe = (component: string, at: number, field: 'cel' | 'condition') => string | undefined;

/**
 * Finds probes that look at fields which objects of their kinds never have: the Solution brings the
 * CustomResourceDefinition, and no version of it has such a field. What reads CEL is loaded only if there is some.
 */
export async function probeFindings(
  { versions }: Examination,
  components: readonly ComponentMetadata[],
  placeOf: PlaceOfProbe,
): Promise<ClosureFinding[]> {
  if (components.every(({ ready = [] }) => ready.length === 0)) return [];
  const { compileCel } = await import('../../../../formats/cel/compile.ts');
  const { requiredSelections } = await import('../../../../formats/cel/selections.ts');
  const pathsOf = ({ cel }: ObjectProbe): readonly (readonly (string | number)[])[] =>
    cel === undefined ? [['status', 'conditions']] : requiredSelections(compileCel(cel));
  const probes = components.flatMap(({ name, ready = [] }) =>
    ready.flatMap((probe, at) => (isObjectProbe(probe) ? [{ component: name, probe, at, paths: pathsOf(probe) }] : [])),
  );
  const found = versions.flatMap(({ version, statements }) =>
    probes.flatMap(({ component, probe, at, paths }) => {
      const definitions = statements.map(({ object }) => object).filter((object) => defines(object, probe));
      const field = probe.cel === undefined ? 'condition' : 'cel';
      return paths.flatMap((path) => {
        const absent = definitions.map((definition) => absentField(definition, path));
        const [first] = absent;
        if (first === undefined || absent.includes(undefined)) return [];
        const kind = `${probe.kind} (${probe.apiVersion})`;
        const message = `looks at ${fieldPlaceWords(first.path)}, which the definition of ${kind} does not have${first.guess}`;
        const place = { source: placeOf(component, at, field), object: undefined, path: `ready.${at}.${field}` };
        return [{ version, finding: { code: 'probe-field-absent' as const, component, ...place, message } }];
      });
    }),
  );
  return mergedFindings(found, versions.length);
}

/** Whether probes look at kinds that only proofs report: their definitions have to be rendered to be read. */
export function probesNeedProven({ rendered, proven }: Examination, components: readonly ComponentMetadata[]): boolean {
  const kinds = new Set([...proven.values()].flatMap((proof) => proof.kinds));
  return components.some(
    ({ name, ready = [] }) =>
      rendered.includes(name) && ready.some(({ apiVersion, kind }) => kinds.has(`${apiVersion}/${kind}`)),
  );
}

function defines(object: KubernetesObject, { apiVersion, kind }: ObjectProbe): boolean {
  return isRecord(object['spec']) && definedKinds(object).includes(`${apiVersion}/${kind}`);
}
