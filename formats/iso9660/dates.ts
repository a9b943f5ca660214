/** A point in time, to the hundredth of a second that a volume descriptor can hold. */
export interface Instant {
  /** Whole seconds since 1970-01-01 00:00:00 UTC. */
  readonly seconds: number;
  /** 0 to 99. */
  readonly centiseconds: number;
}

/**
 * 1900-01-01 00:00:00 and 2155-12-31 23:59:59 UTC, in seconds since 1970: a directory record has one byte for the year.
 */
const FIRST = -2_208_988_800;
const LAST = 5_869_583_999;

/**
 * Encodes the date of a directory record: 7 bytes, in UTC (ECMA-119 9.1.5). A date beyond its range becomes the nearest
 * one in it.
 */
export function recordDate(seconds: number): Uint8Array {
  const date = calendar(seconds);
  return Uint8Array.of(
    date.getUTCFullYear() - 1900,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    0,
  );
}

/**
 * Encodes the date of a volume descriptor: 17 bytes, in UTC (ECMA-119 8.4.26.1). The range of years is that of
 * `recordDate`.
 */
export function volumeDate({ seconds, centiseconds }: Instant): Uint8Array {
  const digits = calendar(seconds).toISOString().replace(/\D/g, '').slice(0, 14);
  return Buffer.from(`${digits}${String(centiseconds).padStart(2, '0')}\0`, 'latin1');
}

/** The date of a volume descriptor that means "not specified" (ECMA-119 8.4.26.1). */
export const noDate: Uint8Array = Buffer.from(`${'0'.repeat(16)}\0`, 'latin1');

function calendar(seconds: number): Date {
  return new Date(Math.min(Math.max(Math.floor(seconds), FIRST), LAST) * 1000);
}
