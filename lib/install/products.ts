import type { MirrorResult } from '../mirrors/index.ts';
import type { Product } from '../plan/step.ts';
import type { Rendered } from './render.ts';

/** Given once every component is rendered, and no Solution goes beyond its bounds by that. */
export const rendered: Product<Rendered> = { product: 'rendered Solutions' };
/** Given once nodes pull from where the images are. */
export const mirrored: Product<MirrorResult> = { product: 'mirrors' };
