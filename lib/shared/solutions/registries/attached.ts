import type { Copied } from '../../../kernel/content/copy.ts';

/** What pushing bundles copied, and how many bundles there are. */
export interface Attached {
  readonly copied: Copied;
  readonly signatures: number;
  readonly attestations: number;
}
