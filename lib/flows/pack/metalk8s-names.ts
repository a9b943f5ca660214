import { viewName } from '../../../formats/metalk8s/names.ts';
import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import type { Definition } from '../../../formats/solution/definition.ts';
import { SolpackError } from '../../kernel/events/index.ts';

/** Returns how MetalK8s names an image, which has a tag. */
export function shortName(reference: string): { readonly name: string; readonly tag: string } {
  const view = viewName(parseReference(reference));
  if (!view) throw new Error(`${reference} has no tag`);
  return view;
}

/**
 * Requires that there is an operator, and that each image has a name of its own for MetalK8s. Throws
 * `definition-invalid`. It is asked first: what it refuses needs no rendering.
 */
export function requireMetalk8sNames({ operator, images }: Definition, path: string): void {
  const refuse = (message: string, hint: string): SolpackError => metalk8sRefusal(path, message, hint);
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
  const isHeld = images.some(({ reference }) => isSameImage(reference, operator));
  if (isHeld) return;
  throw refuse(`it does not include its operator ${operator}`, 'list that image under [[images]]');
}

/** Makes the error about what MetalK8s could not bring up. */
export function metalk8sRefusal(path: string, message: string, hint: string): SolpackError {
  return new SolpackError('definition-invalid', path, `cannot be deployed by MetalK8s: ${message}`, { hint });
}

/** Whether two references name one image. */
export function isSameImage(one: string, other: string): boolean {
  try {
    return formatReference(parseReference(one)) === formatReference(parseReference(other));
  } catch {
    return false;
  }
}
