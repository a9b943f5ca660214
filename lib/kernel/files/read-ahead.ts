/** Most bytes that are read ahead of one reader. */
const AHEAD = 4 * 1024 * 1024;
/** After how many bytes in sequence a reader is expected not to return to them. */
const THROUGH = 1024 * 1024;
/** How many readers are distinguished. */
const READERS = 8;

/** A prediction of the next reads. */
export interface Outlook {
  /** How many bytes after this read are probably wanted next. */
  readonly ahead: number;
  /** Whether the bytes of this read are probably not wanted again. */
  readonly through: boolean;
}

/**
 * Returns a function that follows reads, and tells apart readers by where their reads continue earlier ones. Each
 * reader gets as many bytes ahead as it has read in sequence, up to 4 MiB, so never more is fetched in vain than was of
 * use.
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
