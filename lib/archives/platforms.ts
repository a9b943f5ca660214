import { annotations, type Descriptor, platformName } from '../../formats/oci/descriptor.ts';
import type { Keep } from '../closure.ts';

/**
 * Decides which children of an index are kept for the platforms in `names`. A child without platform always is, and so
 * is BuildKit's attestation of one that is kept: a subtree is there whole, or not at all.
 */
export function keepPlatforms(names: readonly string[]): Keep {
  const wanted = new Set(names);
  const matches = ({ platform }: Descriptor): boolean => {
    if (!platform) return true;
    return wanted.has(platformName(platform)) || wanted.has(`${platform.os}/${platform.architecture}`);
  };
  return (children) => {
    const kept = new Set(children.filter(matches).map(({ digest }): string => digest));
    return (child) => matches(child) || kept.has(child.annotations?.[annotations.attested] ?? '');
  };
}
