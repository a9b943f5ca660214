import { Range, SemVer } from 'semver';
import type { Release } from '../solution/relations.ts';
import type { Effort } from './effort.ts';
import type { CandidatePackage } from './packages.ts';

/** Finds who meets what is asked for. */
export interface Providers {
  /** By packages, the bits of the versions that meet a range of a Solution or capability. */
  meeting(name: string, range: string): ReadonlyMap<number, bigint>;
  /** The same without those that only take the place of one. */
  holding(name: string, range: string): ReadonlyMap<number, bigint>;
  /** By packages, the bits of the versions that provide a capability, whichever version of it. */
  providing(name: string): ReadonlyMap<number, bigint>;
  /** By packages, the bits of the versions that take the place of one of these versions of a Solution. */
  replacing(name: string): ReadonlyMap<number, bigint>;
}

/** One way to meet what is asked for: a version, or a range of versions whose place something takes. */
interface Offer {
  readonly about: number;
  readonly bit: bigint;
  readonly version: SemVer | Range;
  readonly by: 'name' | 'capability' | 'place';
}

/** Lists who offers what in a world. Its functions throw `TooEntangled` where too many offers are looked at. */
export function providersIn<One extends Release>(
  packages: readonly CandidatePackage<One>[],
  effort: Effort,
): Providers {
  const offers = new Map<string, Offer[]>();
  const put = (name: string, offer: Offer): void => {
    const known = offers.get(name);
    if (known) known.push(offer);
    else offers.set(name, [offer]);
  };
  for (const { index: about, name, releases } of packages) {
    for (const [at, release] of releases.entries()) {
      const bit = 1n << BigInt(at);
      // What was loaded from a folder has a version that is none of SemVer: it meets no range.
      const version = semVerOf(release.version);
      if (version) put(name, { about, bit, version, by: 'name' });
      for (const [capability, provided] of Object.entries(release.provides ?? {})) {
        const own = semVerOf(provided);
        if (own) put(capability, { about, bit, version: own, by: 'capability' });
      }
      for (const [replaced, range] of Object.entries(release.replaces ?? {})) {
        put(replaced, { about, bit, version: new Range(range), by: 'place' });
      }
    }
  }
  const gather = (name: string, is: (offer: Offer) => boolean): Map<number, bigint> => {
    const found = new Map<number, bigint>();
    const own = offers.get(name) ?? [];
    effort.spend(own.length);
    for (const offer of own) {
      if (is(offer)) found.set(offer.about, (found.get(offer.about) ?? 0n) | offer.bit);
    }
    return found;
  };
  const known = new Map<string, Map<number, bigint>>();
  const within = (name: string, text: string, place: boolean): Map<number, bigint> => {
    const key = JSON.stringify([name, text, place]);
    const before = known.get(key);
    if (before) return before;
    const range = new Range(text);
    const found = gather(name, ({ version }) =>
      version instanceof Range ? place && version.intersects(range) : range.test(version),
    );
    known.set(key, found);
    return found;
  };
  return {
    meeting: (name, range) => within(name, range, true),
    holding: (name, range) => within(name, range, false),
    providing: (name) => gather(name, ({ by }) => by === 'capability'),
    replacing: (name) => gather(name, ({ by }) => by === 'place'),
  };
}

function semVerOf(text: string): SemVer | undefined {
  try {
    return new SemVer(text);
  } catch {
    return undefined;
  }
}
