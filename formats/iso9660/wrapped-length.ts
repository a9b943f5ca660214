/** Flags that the components of a link may have (RRIP 1.12 section 4.1.3.1). */
const COMPONENT_FLAGS = 0x0f;
/** What a length of one byte leaves out each time that it overflows. */
const WRAP = 256;
/** How many SL entries of one area are looked through for another length: each is a walk through the rest of it. */
const TRIES = 16;

/**
 * Finds the lengths of the System Use entries in a continuation area. One byte tells the length of an entry (SUSP 1.12
 * section 4), and genisoimage lets it overflow where the target of a symbolic link fills more than one entry: it writes
 * one of 262 bytes whose length says 6. Other entries follow at their proper places, up to the end of the area. So an
 * SL entry is taken to be longer by a multiple of 256 where the lengths as they are do not lead to the end of the area,
 * and these do: its components have to end where it does, and after it has to come an entry, or the end. Returns the
 * true length of each such entry, by the byte of the area at which it begins; none for an area that is as it should be,
 * or that cannot be read in this way either.
 */
export function wrappedLengths(area: Uint8Array): ReadonlyMap<number, number> {
  const longer = new Map<number, number>();
  if (area.length < WRAP) return longer;
  const lengths = lengthsToEnd(area);
  for (let at = 0, length = lengths.get(0); length; at += length, length = lengths.get(at)) {
    if (length !== area[at + 2]) longer.set(at, length);
  }
  return longer;
}

/**
 * Finds lengths of entries that lead from the beginning of an area to its end, by where these begin; 0 where none do.
 */
function lengthsToEnd(area: Uint8Array): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>();
  /** Where the zeros begin that fill the area up. */
  let filled = area.length;
  while (filled > 0 && area[filled - 1] === 0) filled -= 1;
  let tries = TRIES;
  const leads = (at: number): boolean => {
    if (area.length - at < 4 || at >= filled || isTerminator(area, at)) return true;
    const known = lengths.get(at);
    if (known !== undefined) return known > 0;
    if (!isHead(area, at)) return false;
    const claimed = area[at + 2]!;
    let found = claimed >= 4 && at + claimed <= area.length && leads(at + claimed) ? claimed : 0;
    if (found === 0 && isLink(area, at) && tries-- > 0) {
      found = longerLengths(area, at).find((length) => leads(at + length)) ?? 0;
    }
    lengths.set(at, found);
    return found > 0;
  };
  leads(0);
  return lengths;
}

/** Returns whether an ST entry is at `at`, behind which nothing is read (SUSP 5.4). */
function isTerminator(area: Uint8Array, at: number): boolean {
  return area[at] === 0x53 && area[at + 1] === 0x54 && area[at + 2] === 4;
}

/** Returns whether an SL entry is at `at`. */
function isLink(area: Uint8Array, at: number): boolean {
  return area[at] === 0x53 && area[at + 1] === 0x4c;
}

/** The lengths whose overflow the length of the SL entry at `at` may be, by where its components end. */
function longerLengths(area: Uint8Array, at: number): number[] {
  const found: number[] = [];
  // After signature, length, version and flags come components: flags, length, text.
  for (let end = at + 5; end + 2 <= area.length && (area[end]! & ~COMPONENT_FLAGS) === 0; ) {
    end += 2 + area[end + 1]!;
    if (end <= area.length && end - at >= WRAP && (end - at) % WRAP === area[at + 2]) found.push(end - at);
  }
  return found;
}

/** Returns whether an entry may begin at `at`: with a signature of capital letters, and version 1 after the length. */
function isHead(area: Uint8Array, at: number): boolean {
  return isLetter(area[at]!) && isLetter(area[at + 1]!) && area[at + 3] === 1;
}

function isLetter(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}
