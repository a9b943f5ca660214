/** A range of bytes; `end` is the last one. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses the `Range` header of a request for content of `size` bytes (RFC 9110, 14.2). Undefined where the whole has to
 * be sent: no header, another unit, several ranges. `unsatisfiable` for a range that begins beyond the end or runs
 * backwards.
 */
export function parseRange(header: string | undefined, size: number): Range | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? 'unsatisfiable' : { start, end };
}
