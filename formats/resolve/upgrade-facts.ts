import type { Release } from '../solution/relations.ts';
import type { Fact } from './fact.ts';
import { bitsOf, type CandidatePackage, eligibleFor, releasesOf } from './packages.ts';
import type { Barrier } from './upgrade-way.ts';
import { barrierTo, heldBackWords, isAbove, wayTo } from './upgrades.ts';
import type { HeldBack } from './world.ts';

/** Versions of a package that must not be chosen, and why. */
export interface UpgradeFact {
  readonly bits: bigint;
  readonly fact: Fact;
}

/**
 * Returns which versions of a package cannot be installed over what the cluster has. Where that bars what is wanted,
 * nothing lower than what is there is taken instead.
 */
export function upgradeFacts<One extends Release>(one: CandidatePackage<One>): UpgradeFact[] {
  const { standing, releases, wanted, name } = one;
  if (standing === undefined) return [];
  const barriers = new Map<string, { readonly barrier: Barrier; bits: bigint }>();
  for (const [at, release] of releases.entries()) {
    const barrier = barrierTo(release, standing);
    if (barrier === undefined) continue;
    const key = JSON.stringify(barrier);
    const known = barriers.get(key) ?? { barrier, bits: 0n };
    known.bits |= 1n << BigInt(at);
    barriers.set(key, known);
  }
  if (barriers.size === 0) return [];
  const who = (bits: bigint): { readonly name: string; readonly releases: readonly Release[] } => {
    return { name, releases: releasesOf(one, bits) };
  };
  const facts = [...barriers.values()].map(({ barrier, bits }): UpgradeFact => {
    return { bits, fact: { kind: 'upgrade', who: who(bits), ...barrier } };
  });
  const asked = wanted === undefined ? releases : eligibleFor(wanted, releases);
  const lower = bitsOf(one, ({ version }) => isAbove(standing.version, version));
  if (lower === 0n || !asked.some((release) => barrierTo(release, standing) !== undefined)) return facts;
  return [...facts, { bits: lower, fact: { kind: 'lower', who: who(lower), present: standing.version } }];
}

/**
 * Finds the highest version of a package that would have been possible instead of the chosen one, were it not for what
 * is there.
 */
export function heldBackOf<One extends Release>(one: CandidatePackage<One>, chosen: bigint): HeldBack[] {
  const { standing, releases, wanted, name } = one;
  const [own] = releasesOf(one, chosen);
  if (standing === undefined || own === undefined) return [];
  const asked = wanted === undefined ? releases : eligibleFor(wanted, releases);
  const [highest] = asked
    .filter(({ version }) => isAbove(version, own.version))
    .sort((a, b) => (isAbove(a.version, b.version) ? -1 : 1))
    .flatMap((release) => {
      const barrier = barrierTo(release, standing);
      return barrier === undefined ? [] : [{ release, barrier }];
    });
  if (highest === undefined) return [];
  const { release, barrier } = highest;
  const way = wayTo(release, releases, standing);
  const { version } = release;
  return [{ name, version, barrier, way, reason: heldBackWords(version, barrier, way) }];
}
