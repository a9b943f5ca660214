import { collect, inByteOrder, text, utf8 } from '../../formats/bytes.ts';
import { formatDocuments, type KubernetesObject, parseDocuments } from '../../formats/manifest/documents.ts';
import { referencesIn } from '../../formats/manifest/references.ts';
import { CRD_SUFFIX, metalk8sPaths, viewName } from '../../formats/metalk8s/names.ts';
import { annotations, type Descriptor } from '../../formats/oci/descriptor.ts';
import { formatReference, parseReference } from '../../formats/oci/reference.ts';
import type { Definition } from '../../formats/solution/definition.ts';
import type { ImageNaming } from '../../formats/solution/manifest-yaml.ts';
import { solutionTypes } from '../../formats/solution/metadata.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { ResolvedComponent } from './components.ts';
import type { Content } from './content.ts';

/** What an archive has for the importer of MetalK8s, beside views of its images. */
export interface Metalk8sInputs {
  /** Layers of the solution artifact: the definitions and the roles below `operator/deploy/`. */
  readonly layers: readonly Descriptor[];
  /** How its `manifest.yaml` names images. */
  readonly naming: ImageNaming;
}

/** A file of a component with its objects. */
interface Stated {
  readonly component: string;
  readonly bytes: Uint8Array;
  readonly objects: readonly KubernetesObject[];
}

/** Most bytes of a file of manifests. */
const LIMIT = 16 * 1024 * 1024;

/**
 * Finds what MetalK8s brings a Solution up by: its definitions, the roles of its operator, and names of images without registries.
 * Files that hold nothing else are taken as they are, so that they share their bytes. Throws `definition-invalid` for what MetalK8s could not bring up.
 */
export async function metalk8sInputs(
  { definition, components, path }: { definition: Definition; components: readonly ResolvedComponent[]; path: string },
  content: Content,
  { onEvent }: Flow,
): Promise<Metalk8sInputs> {
  const operator = requireNames(definition, path);
  const stated = await statedFiles(components, content);
  const running = new Set(stated.filter((file) => runs(file, operator)).map(({ component }) => component));
  if (running.size === 0) {
    const message = 'no component of the kind manifests runs the operator: for MetalK8s it has no roles';
    onEvent({ type: 'notice', subject: definition.name, message });
  }
  const add = (title: string, bytes: Uint8Array): Descriptor => ({
    ...content.addBytes(bytes, solutionTypes.file, title),
    annotations: { [annotations.title]: title },
  });
  const crds = stated.flatMap(({ objects, bytes }) =>
    objects.filter(isDefinition).map((object): [string, Uint8Array] => {
      const own = objects.length === 1 ? bytes : utf8(formatDocuments([object]));
      return [`${metalk8sPaths.crds}/${object.metadata.name}${CRD_SUFFIX}`, own];
    }),
  );
  const roles = rolesOf(stated.filter(({ component }) => running.has(component)));
  const files = [...new Map(crds), ...(roles ? [[metalk8sPaths.roles, roles] as [string, Uint8Array]] : [])];
  const layers = inByteOrder(files, ([title]) => title).map(([title, bytes]) => add(title, bytes));
  return { layers, naming: { operator: named, image: (reference) => Object.values(named(reference)).join(':') } };
}

function named(reference: string): { readonly name: string; readonly tag: string } {
  const view = viewName(parseReference(reference));
  if (!view) throw new Error(`${reference} has no tag`);
  return view;
}

/** Requires that there is an operator, and that each image has a name of its own for MetalK8s; returns the operator's reference. */
function requireNames({ operator, images }: Definition, path: string): string {
  const refuse = (message: string, hint: string): SolpackError =>
    new SolpackError('definition-invalid', path, `cannot be brought up by MetalK8s: ${message}`, { hint });
  if (operator === undefined) {
    throw refuse('it names no operator', 'set operator to the image that runs it, or leave --metalk8s out');
  }
  const known = new Map<string, string>();
  for (const { reference } of images) {
    const view = viewName(parseReference(reference));
    if (!view) throw refuse(`the image ${reference} has no tag`, 'give it a tag: MetalK8s finds images by their tags');
    const short = `${view.name}:${view.tag}`;
    const other = known.get(short);
    if (other !== undefined) {
      throw refuse(`${other} and ${reference} are both ${short} there`, 'give one of them another tag or last name');
    }
    known.set(short, reference);
  }
  const isHeld = images.some(({ reference }) => isSame(reference, operator));
  if (isHeld) return operator;
  throw refuse(`it does not hold its operator ${operator}`, 'list that image under [[images]]');
}

async function statedFiles(components: readonly ResolvedComponent[], content: Content): Promise<Stated[]> {
  const stated: Stated[] = [];
  for (const { metadata, files } of components.filter((one) => one.metadata.kind === 'manifests')) {
    for (const { path, descriptor } of files) {
      if (!/\.(?:ya?ml|json)$/.test(path)) continue;
      const bytes = await collect(content.open(descriptor), LIMIT);
      stated.push({ component: metadata.name, bytes, objects: parseDocuments(text(bytes, 'yaml-invalid'), path) });
    }
  }
  return stated;
}

function isDefinition({ kind, apiVersion }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');
}

function isRole({ kind, apiVersion }: KubernetesObject): boolean {
  return (kind === 'Role' || kind === 'ClusterRole') && apiVersion.startsWith('rbac.authorization.k8s.io/');
}

function runs({ objects }: Stated, operator: string): boolean {
  const references = objects.flatMap((object) => referencesIn(object, () => false));
  return references.some(({ reference }) => isSame(reference, operator));
}

function isSame(one: string, other: string): boolean {
  try {
    return formatReference(parseReference(one)) === formatReference(parseReference(other));
  } catch {
    return false;
  }
}

/** The roles of an operator as one file: the author's own where all of them are in it, and nothing else. */
function rolesOf(files: readonly Stated[]): Uint8Array | undefined {
  const roles = files.filter(({ objects }) => objects.some(isRole));
  const [only] = roles;
  if (only === undefined) return undefined;
  if (roles.length === 1 && only.objects.every(isRole)) return only.bytes;
  return utf8(formatDocuments(roles.flatMap(({ objects }) => objects.filter(isRole))));
}
