/** What a `Content-Range` says (RFC 9110, 14.4): the first and the last byte sent, and the size of the whole. */
export interface ContentRange {
  readonly first: number;
  readonly last: number;
  /** Undefined where the server does not tell. */
  readonly size: number | undefined;
}

/**
 * Reads a `Content-Range` of bytes; undefined where it is absent, ill-formed, contradictory, or of numbers over 2^53.
 */
export function parseContentRange(value: string | undefined): ContentRange | undefined {
  const [, first, last, whole] = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16}|\*)$/i.exec(value ?? '') ?? [];
  if (first === undefined || last === undefined || whole === undefined) return undefined;
  const size = whole === '*' ? undefined : Number(whole);
  const range = { first: Number(first), last: Number(last), size };
  const sound = range.first <= range.last && range.last < (size ?? Number.MAX_SAFE_INTEGER);
  return sound && Number.isSafeInteger(size ?? 0) ? range : undefined;
}
