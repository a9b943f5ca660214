import { annotations, type Descriptor, platformName } from '../../formats/oci/descriptor.ts';
import type { Keep } from '../copy.ts';

/**
 * Which children of an index are kept for the platforms in `names`. A child without platform always is, and so is
 * BuildKit's attestation of one that is kept: a subtree is there whole, or not at all.
 */
export function keepPlatforms(names: readonly string[]): Keep {
  const matches = ({ platform }: Descriptor): boolean => {
    if (!platform) return true;
    return names.includes(platformName(platform)) || names.includes(`${platform.os}/${platform.architecture}`);
  };
  return (child, siblings) => {
    if (matches(child)) return true;
    const attested = child.annotations?.[annotations.attested];
    return attested !== undefined && siblings.some((sibling) => sibling.digest === attested && matches(sibling));
  };
}
