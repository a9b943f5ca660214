import type { Copied } from '../../../kernel/content/index.ts';

/** What pushing bundles copied, and how many bundles there are. */
export interface Attached {
  readonly copied: Copied;
  readonly signatures: number;
  readonly attestations: number;
}
