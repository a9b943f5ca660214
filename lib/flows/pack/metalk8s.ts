import { isDeepStrictEqual } from 'node:util';
import { inByteOrder, utf8 } from '../../../formats/bytes.ts';
import { formatDocuments, type KubernetesObject } from '../../../formats/manifest/documents.ts';
import { CRD_SUFFIX, metalk8sPaths } from '../../../formats/metalk8s/names.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { solutionTypes } from '../../../formats/solution/metadata.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { Content } from './content.ts';
import type { Metalk8sInputs } from './metalk8s-inputs.ts';
import { metalk8sRefusal, shortName } from './metalk8s-names.ts';
import {
  definesKinds,
  isRole,
  type Metalk8sRequest,
  type OperatorObjects,
  statedForOperator,
} from './metalk8s-objects.ts';

/**
 * Finds what MetalK8s brings a Solution up by: its definitions, the roles of its operator, and names of images without
 * registries. Files that hold nothing else are taken as they are, so that they share their bytes. Reports what is left
 * out. Throws `definition-invalid` for roles that MetalK8s could not tell apart.
 */
export async function metalk8sInputs(
  request: Metalk8sRequest,
  path: string,
  content: Content,
  { onEvent }: Flow,
): Promise<Metalk8sInputs> {
  const { definition } = request;
  const { stated, running, left } = await statedForOperator(request, content);
  const tell = (message: string): void => onEvent({ type: 'notice', subject: definition.name, message });
  if (running.size === 0) tell('no component that pack renders runs the operator: for MetalK8s it lacks roles');
  for (const message of left) tell(message);
  const add = (title: string, bytes: Uint8Array): Descriptor => ({
    ...content.addBytes(bytes, solutionTypes.file, title),
    annotations: { [annotations.title]: title },
  });
  const crds = stated.flatMap(({ objects, bytes }) =>
    objects.filter(definesKinds).map((object): [string, Uint8Array] => {
      const own = objects.length === 1 && bytes ? bytes : utf8(formatDocuments([object]));
      return [`${metalk8sPaths.crds}/${object.metadata.name}${CRD_SUFFIX}`, own];
    }),
  );
  const roles = rolesOf(
    stated.filter(({ component }) => running.has(component)),
    path,
  );
  const files = [...new Map(crds), ...(roles ? [[metalk8sPaths.roles, roles] as [string, Uint8Array]] : [])];
  const layers = inByteOrder(files, ([title]) => title).map(([title, bytes]) => add(title, bytes));
  return {
    layers,
    naming: { operator: shortName, image: (reference) => Object.values(shortName(reference)).join(':') },
  };
}

/** The roles of an operator as one file: the author's own where all of them are in it, and nothing else. */
function rolesOf(stated: readonly OperatorObjects[], path: string): Uint8Array | undefined {
  const holding = stated.filter(({ objects }) => objects.some(isRole));
  const [only] = holding;
  if (only === undefined) return undefined;
  const roles = new Map<string, KubernetesObject>();
  for (const role of holding.flatMap(({ objects }) => objects.filter(isRole))) {
    const name = `${role.kind} ${role.metadata.name}`;
    const other = roles.get(name);
    if (other !== undefined && !isSameRole(role, other)) {
      const hint = 'give one of them another name, or leave --metalk8s out';
      throw metalk8sRefusal(
        path,
        `its operator has the ${name} in several namespaces, which are one in MetalK8s`,
        hint,
      );
    }
    roles.set(name, other ?? role);
  }
  if (holding.length === 1 && only.bytes && only.objects.every(isRole)) return only.bytes;
  return utf8(formatDocuments([...roles.values()]));
}

/** Whether two roles of one name allow the same, whatever namespaces they are in. */
function isSameRole({ rules }: KubernetesObject, other: KubernetesObject): boolean {
  return isDeepStrictEqual(rules, other['rules']);
}
