import { isDeepStrictEqual } from 'node:util';
import { collect, text } from '../../../formats/bytes.ts';
import { type KubernetesObject, parseDocuments } from '../../../formats/manifest/documents.ts';
import { referencesIn } from '../../../formats/manifest/references.ts';
import type { Definition } from '../../../formats/solution/definition.ts';
import {
  type Examination,
  type ExaminedVersion,
  isRenderable,
  objectName,
  type PlacedStatement,
  unnamed,
} from '../../shared/rendering/index.ts';
import type { ResolvedComponent } from './components.ts';
import type { Content } from './content.ts';
import { isSameImage } from './metalk8s-names.ts';

/** What the view for MetalK8s is made of. */
export interface Metalk8sRequest {
  readonly definition: Definition;
  readonly components: readonly ResolvedComponent[];
  /** What all components become that `pack` can render: none of them may be taken as proven. */
  readonly examination: Examination;
}

/** Objects of a component: those of one file, or all that it becomes. */
export interface OperatorObjects {
  readonly component: string;
  /** The file with these objects, and nothing else; undefined where they were rendered. */
  readonly bytes?: Uint8Array;
  readonly objects: readonly KubernetesObject[];
}

/** What MetalK8s may be given. */
export interface StatedForOperator {
  readonly stated: readonly OperatorObjects[];
  /** The components that run the operator's image. */
  readonly running: ReadonlySet<string>;
  /** What is not given, or differently from for some clusters, and why: in words. */
  readonly left: readonly string[];
}

/** Most bytes of a file of manifests. */
const LIMIT = 16 * 1024 * 1024;

/**
 * Lists the objects of all components that `pack` can render: those of manifests by their files, the others as they are
 * rendered for the lowest Kubernetes version. What is drawn anew at each rendering is left out: two archives of one
 * definition are the same.
 */
export async function statedForOperator(
  { definition: { operator }, components, examination: { versions } }: Metalk8sRequest,
  content: Content,
): Promise<StatedForOperator> {
  const [lowest, ...others] = versions;
  const stated: OperatorObjects[] = [];
  const left: string[] = [];
  const running = new Set<string>();
  for (const one of components.filter(({ metadata }) => isRenderable(metadata))) {
    const { name, kind } = one.metadata;
    const own = lowest?.statements.filter(({ component }) => component === name) ?? [];
    const isRunning = operator !== undefined && runs(own, operator);
    if (isRunning) running.add(name);
    if (kind === 'manifests') {
      stated.push(...(await filesOf(one, content)));
    } else {
      const drawn = drawnOf(own, lowest?.drawn ?? []);
      const objects = own.filter((statement) => !drawn.has(statement)).map(({ object }) => object);
      stated.push({
        component: name,
        objects: objects.map((object) => (isRole(object) ? withoutNamespace(object) : object)),
      });
      left.push(...[...drawn].filter(([{ object }]) => definesKinds(object) || isRunning).map(([, words]) => words));
    }
  }
  const given = (object: KubernetesObject, component: string): boolean =>
    definesKinds(object) || (running.has(component) && isRole(object));
  const only = components.map(({ metadata }) => metadata).filter((metadata) => !isRenderable(metadata));
  if (only.length > 0) {
    const names = only.map(({ name }) => name).join(', ');
    left.push(`for MetalK8s it lacks definitions and roles of components that only nodes render: ${names}`);
  }
  return { stated, running, left: [...left, ...differences(lowest, others, given)] };
}

/** Whether an object defines kinds. */
export function definesKinds({ kind, apiVersion }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');
}

/** Whether an object says what somebody may do. */
export function isRole({ kind, apiVersion }: KubernetesObject): boolean {
  return (kind === 'Role' || kind === 'ClusterRole') && apiVersion.startsWith('rbac.authorization.k8s.io/');
}

async function filesOf({ metadata, files }: ResolvedComponent, content: Content): Promise<OperatorObjects[]> {
  const stated: OperatorObjects[] = [];
  for (const { path, descriptor } of files) {
    if (!/\.(?:ya?ml|json)$/.test(path)) continue;
    const bytes = await collect(content.open(descriptor), LIMIT);
    stated.push({ component: metadata.name, bytes, objects: parseDocuments(text(bytes, 'yaml-invalid'), path) });
  }
  return stated;
}

/** Tells, in words, which of the definitions and roles of a component have values that are drawn. */
function drawnOf(own: readonly PlacedStatement[], drawn: ExaminedVersion['drawn']): Map<PlacedStatement, string> {
  const found = own.flatMap((one): [PlacedStatement, string][] => {
    if (!definesKinds(one.object) && !isRole(one.object)) return [];
    const name = [objectName(one), unnamed(one)].find((known) =>
      drawn.some(([component, object]) => component === one.component && object === known),
    );
    if (name === undefined) return [];
    return [
      [
        one,
        `for MetalK8s it has no ${name} of component ${one.component}, which draws random values when it is rendered`,
      ],
    ];
  });
  return new Map(found);
}

/** MetalK8s puts roles where the operator is. */
function withoutNamespace(object: KubernetesObject): KubernetesObject {
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Returns which objects that MetalK8s is given are others for further Kubernetes versions, or only there. */
function differences(
  lowest: ExaminedVersion | undefined,
  others: readonly ExaminedVersion[],
  given: (object: KubernetesObject, component: string) => boolean,
): string[] {
  const objectsOf = ({ statements }: ExaminedVersion): Map<string, PlacedStatement> =>
    new Map(statements.filter(({ object, component }) => given(object, component)).map((one) => [one.key, one]));
  const first = lowest ? objectsOf(lowest) : new Map<string, PlacedStatement>();
  const differing = new Set<string>();
  for (const other of others.map(objectsOf)) {
    for (const key of new Set([...first.keys(), ...other.keys()])) {
      const [one, now] = [first.get(key), other.get(key)];
      if (!isDeepStrictEqual(one?.object, now?.object)) differing.add(objectName((one ?? now)!));
    }
  }
  if (differing.size === 0) return [];
  const names = [...differing].join(', ');
  return [`for MetalK8s these are rendered for Kubernetes ${lowest?.version}, and differ for later versions: ${names}`];
}

function runs(statements: readonly PlacedStatement[], operator: string): boolean {
  const references = statements.flatMap(({ object }) => referencesIn(object, () => false));
  return references.some(({ reference }) => isSameImage(reference, operator));
}
