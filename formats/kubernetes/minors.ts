import kinds from './kinds.json' with { type: 'json' };

/** The oldest and the newest minor version of Kubernetes 1 of which it is known what its API server takes. */
export const knownMinors: { readonly oldest: number; readonly newest: number } = {
  oldest: kinds.oldest,
  newest: kinds.newest,
};

/** Finds the nearest known minor version: an older one than all is taken for the oldest, a newer one for the newest. */
export function nearestMinor(minor: number): number {
  return Math.min(Math.max(minor, knownMinors.oldest), knownMinors.newest);
}

/** Reads the minor version of Kubernetes 1 from a version such as `v1.35.4`; undefined for anything else. */
export function minorOf(version: string): number | undefined {
  const digits = /^v?1\.(\d{1,3})(?:\D|$)/.exec(version)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Holds the minors that something is there for; undefined is without an end. */
export interface MinorRange {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** Reads `SINCE-UNTIL`, `SINCE`, `-UNTIL`, or nothing for all minors. */
export function minorRange(text: string | undefined): MinorRange {
  const [since, until] = (text ?? '').split('-');
  return { since: since ? Number(since) : undefined, until: until ? Number(until) : undefined };
}

/** Returns whether a minor is in a range. */
export function isInMinors(minor: number, { since, until }: MinorRange): boolean {
  return (since === undefined || minor >= since) && (until === undefined || minor <= until);
}
