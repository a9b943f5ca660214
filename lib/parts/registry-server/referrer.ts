import type { Index, Manifest } from '../../../formats/oci/manifest.ts';
import type { HeldContent } from './content.ts';

/** A manifest about another one, without its annotations: they may be large, and are read again for each list. */
export interface HeldReferrer {
  readonly held: HeldContent;
  /** What the list of referrers says that it is. */
  readonly artifactType: string | undefined;
}

/**
 * Returns what the list of referrers says that a manifest is: unlike elsewhere, the type of any config stands for a
 * type that is missing or empty (distribution-spec "Listing Referrers").
 */
export function listedTypeOf(value: Manifest | Index): string | undefined {
  return value.artifactType || (value.kind === 'manifest' ? value.config.mediaType : undefined);
}
