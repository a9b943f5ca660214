import { type ChangedString, changeStrings } from '../../../formats/manifest/change-strings.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { fieldName, type ImageReference, referencesIn } from '../../../formats/manifest/references.ts';
import { METALK8S_REGISTRY, metalk8sId } from '../../../formats/metalk8s/names.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import { isExternal } from './external-images.ts';
import { type FindImage, finderOf, type PullName } from './image-names.ts';
import type { Renderable } from './renderable.ts';

/** An image that an object names, where it does so, and what becomes of that. */
export interface UsedImage extends Pick<ImageReference, 'reference' | 'certainty' | 'pulled'> {
  /** The archive, or the definition, that the component is of. */
  readonly archive: string;
  /** The name by which the cluster knows what has the component; left out where nothing is rendered for one. */
  readonly solution?: string;
  readonly component: string;
  /** `Kind/namespace/name`; the middle is empty outside of namespaces. */
  readonly object: string;
  /** Names of fields and numbers of entries, with dots between. */
  readonly path: string;
  readonly held: boolean;
  /** Whether the definition says that sites bring it. */
  readonly external: boolean;
  /** The name by which nodes know it, with its digest; undefined where they know it by this one, or not at all. */
  readonly target: string | undefined;
  /** Whether the object has that name there. */
  readonly rewritten: boolean;
}

/** Objects with the images that they name. */
interface Named {
  readonly objects: KubernetesObject[];
  readonly used: UsedImage[];
}

/**
 * Finds the images that objects of a component name, and writes the names there by which nodes pull them: in containers
 * and volumes always, with the digest; in other places where that is another name, and the whole string. `names` are
 * those of the objects.
 */
export function nameImages(
  { images, metadata, path: archive, moved }: Pick<Renderable, 'images' | 'metadata' | 'path' | 'moved'>,
  component: string,
  objects: readonly KubernetesObject[],
  names: readonly string[],
  pullName: PullName,
): Named {
  const find = finderOf(images);
  const external = metadata.externalImages ?? [];
  // Operators for MetalK8s put these before the names that their configuration has, which are as short as on the
  // medium.
  const endpoint = `${METALK8S_REGISTRY}/${metalk8sId(metadata.name, metadata.version)}/`;
  const isHeld = (name: string, certainty: string): boolean =>
    find(name) !== undefined || (certainty === 'likely' && find(endpoint + name) !== undefined);
  const used: UsedImage[] = [];
  const named = objects.map((object, index) => {
    const changes: ChangedString[] = [];
    for (const one of referencesIn(object, (name) => find(name) !== undefined)) {
      const { reference, path, certainty, pulled } = one;
      const name = nameOf(one, find, pullName);
      const other = name !== undefined && isElsewhere(reference, name);
      const writes = name !== undefined && one.whole && (certainty === 'certain' || other);
      if (writes) changes.push({ path, value: name });
      used.push({
        reference,
        certainty,
        pulled,
        archive,
        solution: moved?.instance ?? metadata.name,
        component,
        object: names[index]!,
        path: fieldName(path),
        held: isHeld(reference, certainty),
        external: isExternal(external, reference),
        target: other ? name : undefined,
        rewritten: other && writes,
      });
    }
    return changes.length === 0 ? object : changeStrings(object, changes);
  });
  return { objects: named, used };
}

/**
 * The name by which nodes pull what an archive holds. What is never pulled is on the node already, under the name it
 * has there.
 */
function nameOf({ reference, pulled }: ImageReference, find: FindImage, pullName: PullName): string | undefined {
  const found = pulled ? find(reference) : undefined;
  return found && pullName(found.image.reference, found.digest);
}

function isElsewhere(reference: string, name: string): boolean {
  const [own, other] = [parseReference(reference), parseReference(name)];
  return own.registry !== other.registry || own.repository !== other.repository;
}
