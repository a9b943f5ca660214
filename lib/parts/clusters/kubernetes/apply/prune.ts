import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import { HOME, type Inventory, objectKey } from '../desired/index.ts';
import { isApplied } from '../memory/index.ts';
import { type LiveObject, nameOf } from '../server/index.ts';

/** The namespaces that every cluster has from the start. */
const reserved = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** An annotation of charts for objects that must outlive them (Helm, "Tell Helm not to uninstall a resource"). */
const POLICY = 'helm.sh/resource-policy';

/**
 * Returns the members of a set that are no longer wanted. Only objects that solpack itself applied count: controllers
 * copy labels to what they make (to EndpointSlices, for one), and remove what they own themselves. `wanted` has the
 * keys of all objects that stay.
 */
export function unwanted(
  members: readonly LiveObject[],
  { namespaces }: Pick<Inventory, 'namespaces'>,
  wanted: { has(key: string): boolean },
): LiveObject[] {
  return members.filter((object) => {
    const { namespace, ownerReferences = [] } = object.metadata;
    if (wanted.has(objectKey(nameOf(object)))) return false;
    if (namespace !== undefined && !namespaces.has(namespace)) return false;
    return isApplied(object) && !ownerReferences.some(({ controller }) => controller === true);
  });
}

/** Explains why an unwanted object is not deleted; undefined where it may be. */
export function keptBecause({ apiVersion, kind, metadata }: LiveObject): string | undefined {
  const group = groupOf({ apiVersion });
  const isHome = group === '' && kind === 'Namespace' && metadata.name === HOME;
  // An earlier version of solpack let Solutions bring such objects.
  if (isHome || metadata.namespace === HOME) return 'solpack keeps its records in it';
  if (group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') {
    return 'its removal would delete every object of its kind';
  }
  if (group === '' && (kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume')) {
    return 'its removal could delete the data of its volume';
  }
  if (group === '' && kind === 'Namespace' && reserved.includes(metadata.name)) return 'it belongs to Kubernetes';
  if (metadata.annotations?.[POLICY]?.trim().toLowerCase() === 'keep') return `its annotation ${POLICY} says so`;
  return undefined;
}
