/** The most that is read ahead of one reader, in bytes. */
const AHEAD = 4 * 1024 * 1024;
/** From how many bytes in one go on a reader is taken for one that does not come back. */
const THROUGH = 1024 * 1024;
/** How many readers are told apart. */
const READERS = 8;

/** What a read tells of the next ones. */
export interface Outlook {
  /** How many bytes behind it are likely wanted next. */
  readonly ahead: number;
  /** Whether its own bytes are likely not wanted again. */
  readonly through: boolean;
}

/**
 * Follows reads, and tells apart those that go on where an earlier one ended: as much as they have read in one go is worth
 * reading ahead, up to 4 MiB. So no more is fetched in vain than was of use.
 */
export function readAhead(): (offset: number, length: number) => Outlook {
  const readers: { end: number; total: number }[] = [];
  return (offset, length) => {
    const at = readers.findIndex(({ end }) => end === offset);
    const [reader] = at < 0 ? [{ end: offset, total: 0 }] : readers.splice(at, 1);
    const outlook = { ahead: Math.min(reader!.total, AHEAD), through: reader!.total >= THROUGH };
    readers.push({ end: offset + length, total: reader!.total + length });
    if (readers.length > READERS) readers.shift();
    return outlook;
  };
}
