import { z } from '../schema.ts';

const words = 'has to be a date and time with its offset, such as 2027-01-31T00:00:00Z (RFC 3339)';
const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The form of a date and time. TOML may have a blank or a small letter where RFC 3339 has a `T` (TOML 1.0.0, "Offset
 * Date-Time"), and readers that make a text of one keep that.
 */
const FORM = '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:\\d{2})$';

/** ISO 9660 counts years in a byte from 1900 (ECMA-119 §9.1.5), and no carrier can hold another date. */
const limits = { earliest: -2208988800, latest: 5869583999 } as const;

/** Accepts an offset date-time of TOML, or a string of RFC 3339. Yields seconds since 1970. */
export const instantSchema: z.ZodType<number> = z
  .custom<unknown>((value) => secondsOf(value) !== undefined, words)
  .transform((value) => secondsOf(value)!)
  .meta({ type: 'string', pattern: FORM, patternErrorMessage: words });

function secondsOf(value: unknown): number | undefined {
  if (value === null || (typeof value !== 'string' && !(value instanceof Date))) return undefined;
  if (typeof value === 'string' && !isRealDay(value)) return undefined;
  // TOML's local dates and times say nothing of where: no instant.
  if (typeof value === 'object' && ('isFloating' in value || 'isDate' in value || 'isTime' in value)) return undefined;
  const seconds = Math.floor(new Date(value).getTime() / 1000);
  return seconds >= limits.earliest && seconds <= limits.latest ? seconds : undefined;
}

/** Whether a string is of the form, and of a day that its month has: `Date` takes February 30 for March 2. */
function isRealDay(value: string): boolean {
  const [, year, month, day] = rfc3339.exec(value) ?? [];
  if (year === undefined) return false;
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= last;
}
