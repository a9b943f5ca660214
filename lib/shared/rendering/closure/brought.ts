import type { SolutionMetadata } from '../../../../formats/solution/metadata.ts';
import type { ReadReferences } from './references.ts';

/** What a Solution says of who brings what its objects need. */
export type BringerMetadata = Pick<SolutionMetadata, 'requires' | 'anyOf' | 'provides' | 'components'>;

/** What a Solution brings, by which its objects are judged. */
export interface Brought {
  readonly metadata: BringerMetadata;
  /** Whether an image is held. */
  readonly isHeld: (reference: string) => boolean;
  /** Lists the images that an object names. */
  readonly references: ReadReferences;
  /** Whether sites bring an image, by the author's word. */
  readonly isExternal: (reference: string) => boolean;
  /** Whether what only seems to be an image has to be held too. */
  readonly strict: boolean;
}
