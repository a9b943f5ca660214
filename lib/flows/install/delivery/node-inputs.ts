import type { Digest } from '../../../../formats/digest.ts';
import type { NodePlace } from '../../../parts/node-images/index.ts';
import { rootsOf } from '../archives.ts';
import type { DeliveryRead } from './delivery.ts';

/** Which place of this machine gets the images of which archives, and for whom. */
export type NodeInputs = {
  readonly way: string;
  readonly place: string;
  readonly form: string | null;
  readonly roots: readonly Digest[];
  readonly configuration: string;
};

/** Makes the inputs of a step that works on a place of this machine. */
export function nodeInputs({ way, place, form }: NodePlace, { archives, configuration }: DeliveryRead): NodeInputs {
  return { way, place, form: form ?? null, roots: rootsOf(archives), configuration };
}
