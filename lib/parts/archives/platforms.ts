import { annotations, type Descriptor, type Platform, platformName } from '../../../formats/oci/descriptor.ts';
import { normalPlatformName, parsePlatform } from '../../../formats/oci/platform.ts';
import type { Keep } from '../../kernel/content/index.ts';

/**
 * Decides which children of an index are kept for the platforms in `names`: what is listed for several platforms is
 * kept if one of them is wanted, and a child without platform unless it is in `leftOut`. So is BuildKit's attestation
 * of one that is kept: a subtree is there whole, or not at all.
 */
export function keepPlatforms(names: readonly string[], leftOut: readonly string[] = []): Keep {
  const isWanted = platformMatcher(names);
  const out = new Set(leftOut);
  const matches = ({ platform, digest }: Descriptor): boolean => (platform ? isWanted(platform) : !out.has(digest));
  return (children) => {
    const kept = new Set(children.filter(matches).map(({ digest }): string => digest));
    return (child) => kept.has(child.digest) || kept.has(child.annotations?.[annotations.attested] ?? '');
  };
}

/**
 * Decides whether a platform is one of those in `names`. A name without variant stands for all variants, unless its
 * normal form has one: archives that were packed by other rules name `linux/arm`, and have all of them.
 */
export function platformMatcher(names: readonly string[]): (platform: Platform) => boolean {
  const wanted = new Set([...names, ...names.map((name) => normalPlatformName(parsePlatform(name)))]);
  return (platform) =>
    wanted.has(normalPlatformName(platform)) ||
    wanted.has(platformName(platform)) ||
    wanted.has(`${platform.os}/${platform.architecture}`);
}
