/** A run of new bytes: those of the old bytes at `offset` with differences, or `length` bytes that are new. */
export type DifferenceRun =
  | { readonly kind: 'near'; readonly offset: number; readonly length: number }
  | { readonly kind: 'new'; readonly length: number };

/** Bytes that have to be the same in both for a match to be found, at least. */
const ANCHOR = 12;
/** Every how many old bytes an anchor is remembered. */
const STRIDE = 2;
const FACTOR = 0x01000193;
/**
 * How far a match is extended backward, in bytes: where many matches follow each other, each would otherwise be
 * compared with all the bytes since the first one.
 */
const BACKWARD = 16 * 1024;
/** What the oldest byte of an anchor counts in its hash. */
const OLDEST = power(FACTOR, ANCHOR - 1);

/**
 * Divides `fresh` into runs that resemble runs of `old`, and others, as bsdiff does: matches are extended in both
 * directions as long as most bytes are the same, so that a program whose addresses have changed still is one run. Takes
 * two to four times the size of `old` in memory, in `places` as far as that is large enough.
 */
export function* differences(old: Uint8Array, fresh: Uint8Array, places?: Int32Array): Generator<DifferenceRun> {
  const anchors = new Anchors(old, fresh, places);
  let scan = 0;
  let length = 0;
  let position = 0;
  let lastScan = 0;
  let lastPosition = 0;
  let shift = 0;
  while (scan < fresh.length) {
    let score = 0;
    scan += length;
    let counted = scan;
    for (; scan < fresh.length; scan += 1) {
      const match = anchors.longestAt(scan, scan + shift);
      length = match.length;
      position = match.position;
      for (; counted < scan + length; counted += 1) if (old[counted + shift] === fresh[counted]) score += 1;
      if ((length === score && length !== 0) || length > score + 8) break;
      if (old[scan + shift] === fresh[scan] && counted > scan) score -= 1;
      else if (counted <= scan) counted = scan + 1;
    }
    if (length === score && scan !== fresh.length) continue;
    const forward = forwardLength(old, fresh, lastPosition, lastScan, scan);
    let backward = scan < fresh.length ? backwardLength(old, fresh, position, scan, lastScan) : 0;
    let kept = forward;
    const overlap = lastScan + forward - (scan - backward);
    if (overlap > 0) {
      const split = bestSplit(
        old,
        fresh,
        lastPosition + forward - overlap,
        position - backward,
        scan - backward,
        overlap,
      );
      kept += split - overlap;
      backward -= split;
    }
    if (kept > 0) yield { kind: 'near', offset: lastPosition, length: kept };
    const extra = scan - backward - (lastScan + kept);
    if (extra > 0) yield { kind: 'new', length: extra };
    lastScan = scan - backward;
    lastPosition = position - backward;
    shift = position - scan;
  }
}

/** How many bytes from here on resemble each other: as many as make at least half of them the same. */
function forwardLength(old: Uint8Array, fresh: Uint8Array, position: number, from: number, to: number): number {
  let best = 0;
  let bestScore = 0;
  let same = 0;
  for (let at = 0; from + at < to && position + at < old.length; ) {
    if (old[position + at] === fresh[from + at]) same += 1;
    at += 1;
    if (same * 2 - at > bestScore * 2 - best) {
      bestScore = same;
      best = at;
    }
  }
  return best;
}

function backwardLength(old: Uint8Array, fresh: Uint8Array, position: number, scan: number, from: number): number {
  let best = 0;
  let bestScore = 0;
  let same = 0;
  const most = Math.min(scan - from, position, BACKWARD);
  for (let at = 1; at <= most; at += 1) {
    if (old[position - at] === fresh[scan - at]) same += 1;
    if (same * 2 - at > bestScore * 2 - best) {
      bestScore = same;
      best = at;
    }
  }
  return best;
}

/** Where two runs overlap, returns how many bytes the first one takes so that most bytes are the same. */
function bestSplit(
  old: Uint8Array,
  fresh: Uint8Array,
  first: number,
  second: number,
  from: number,
  overlap: number,
): number {
  let score = 0;
  let best = 0;
  let split = 0;
  for (let at = 0; at < overlap; at += 1) {
    if (fresh[from + at] === old[first + at]) score += 1;
    if (fresh[from + at] === old[second + at]) score -= 1;
    // Of equal splits, the last one: so the next run does not go back over the same bytes again.
    if (score >= best) {
      best = score;
      split = at + 1;
    }
  }
  return split;
}

/** Finds where the old bytes have what the new ones have. */
class Anchors {
  readonly #old: Uint8Array;
  readonly #fresh: Uint8Array;
  /** The last place of each anchor, plus 1, by its hash. */
  readonly #places: Int32Array;
  readonly #shift: number;
  /** The hash of the anchor that begins at `#hashed`. */
  #hash = 0;
  #hashed = -1;
  readonly #match = { position: 0, length: 0 };

  constructor(old: Uint8Array, fresh: Uint8Array, places?: Int32Array) {
    this.#old = old;
    this.#fresh = fresh;
    const bits = Math.min(24, Math.max(10, Math.ceil(Math.log2(Math.max(1, old.length / STRIDE)))));
    this.#shift = 32 - bits;
    this.#places =
      places && places.length >= 2 ** bits ? places.subarray(0, 2 ** bits).fill(0) : new Int32Array(2 ** bits);
    let hash = 0;
    for (let at = 0; at < old.length; at += 1) {
      if (at >= ANCHOR) hash -= Math.imul(old[at - ANCHOR]!, OLDEST);
      hash = Math.imul(hash, FACTOR) + old[at]!;
      const start = at - ANCHOR + 1;
      if (start >= 0 && start % STRIDE === 0) this.#places[slot(hash, this.#shift)] = start + 1;
    }
  }

  /** Returns the longest match at `scan` that is found; `near` is where the last one would continue. */
  longestAt(scan: number, near: number): { readonly position: number; readonly length: number } {
    const match = this.#match;
    match.length = 0;
    if (scan + ANCHOR > this.#fresh.length) return match;
    this.#roll(scan);
    const place = this.#places[slot(this.#hash, this.#shift)]! - 1;
    if (place >= 0) {
      match.position = place;
      match.length = this.#sameAt(place, scan);
      if (match.length < ANCHOR) match.length = 0;
    }
    if (near < 0 || near === place || this.#old[near] !== this.#fresh[scan]) return match;
    const length = this.#sameAt(near, scan);
    if (length >= ANCHOR && length >= match.length) {
      match.position = near;
      match.length = length;
    }
    return match;
  }

  #roll(scan: number): void {
    const fresh = this.#fresh;
    if (scan === this.#hashed + 1 && this.#hashed >= 0) {
      const hash = this.#hash - Math.imul(fresh[scan - 1]!, OLDEST);
      this.#hash = Math.imul(hash, FACTOR) + fresh[scan + ANCHOR - 1]!;
    } else if (scan !== this.#hashed) {
      let hash = 0;
      for (let at = 0; at < ANCHOR; at += 1) hash = Math.imul(hash, FACTOR) + fresh[scan + at]!;
      this.#hash = hash;
    }
    this.#hashed = scan;
  }

  #sameAt(position: number, scan: number): number {
    const [old, fresh] = [this.#old, this.#fresh];
    const most = Math.min(old.length - position, fresh.length - scan);
    let at = 0;
    while (at < most && old[position + at] === fresh[scan + at]) at += 1;
    return at;
  }
}

function slot(hash: number, shift: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> shift;
}

function power(factor: number, exponent: number): number {
  let value = 1;
  for (let at = 0; at < exponent; at += 1) value = Math.imul(value, factor);
  return value;
}
