import type { Descriptor } from '../../formats/oci/descriptor.ts';
import type { Index, Manifest } from '../../formats/oci/manifest.ts';

/** Returns the entry of a manifest in the list of its subject's referrers (distribution-spec "Listing Referrers"). */
export function referrerEntry({ mediaType, digest, size }: Descriptor, value: Manifest | Index): Descriptor {
  const { annotations } = value;
  const artifactType = value.artifactType || (value.kind === 'manifest' ? value.config.mediaType : undefined);
  return { mediaType, digest, size, ...(artifactType ? { artifactType } : {}), annotations };
}
