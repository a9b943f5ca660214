import type { Digest } from '../../formats/digest.ts';
import type { MirrorResult } from '../mirrors/index.ts';
import type { Product } from '../plan/step.ts';
import type { Rendered } from './render.ts';
import type { Verified } from './trust.ts';

/** An archive that may be installed, by its root. */
export interface VerifiedArchive extends Verified {
  readonly root: Digest;
}

/** Given once an archive was verified, and is trusted as far as that is asked for. */
export const verified: Product<VerifiedArchive> = { product: 'verified archive' };
/** Given once a registry of the install itself serves: its URL. */
export const address: Product<string> = { product: 'address of a registry' };
/** Given once every component is rendered, and no Solution goes beyond its bounds by that. */
export const rendered: Product<Rendered> = { product: 'rendered Solutions' };
/** Given once nodes pull from where the images are. */
export const mirrored: Product<MirrorResult> = { product: 'mirrors' };
