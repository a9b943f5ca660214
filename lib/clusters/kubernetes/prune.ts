import { groupOf } from '../../../formats/manifest/namespace.ts';
import { type LiveObject, nameOf } from './api.ts';
import { HOME, type Inventory } from './applyset.ts';
import { objectKey } from './desired.ts';
import { isApplied } from './ownership.ts';

/** The namespaces that every cluster has from its first start. */
const reserved = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Charts say with it what has to outlive them (Helm, "Tell Helm not to uninstall a resource"). */
const POLICY = 'helm.sh/resource-policy';

/**
 * Which members of a set are not wanted any longer. Only what solpack applied itself: controllers copy labels to what
 * they make (to EndpointSlices, for one), and what a controller owns is that one's to remove. `wanted` has the keys of
 * all that is to stay.
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

/** Why an object is not deleted although nobody wants it; undefined where nothing speaks against it. */
export function keptBecause({ apiVersion, kind, metadata }: LiveObject): string | undefined {
  const group = groupOf({ apiVersion });
  const isHome = group === '' && kind === 'Namespace' && metadata.name === HOME;
  // An earlier version of solpack let Solutions bring such objects.
  if (isHome || metadata.namespace === HOME) return 'it is where solpack remembers what is in the cluster';
  if (group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') {
    return 'with it every object of its kind would be deleted';
  }
  if (group === '' && (kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume')) {
    return 'with it the data of its volume could be deleted';
  }
  if (group === '' && kind === 'Namespace' && reserved.includes(metadata.name)) return 'it belongs to Kubernetes';
  if (metadata.annotations?.[POLICY]?.trim().toLowerCase() === 'keep') return `its annotation ${POLICY} says so`;
  return undefined;
}
