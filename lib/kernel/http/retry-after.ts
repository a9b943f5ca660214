/**
 * Returns the milliseconds that `Retry-After` asks for: seconds or a date (RFC 9110, 10.2.3); undefined where it says
 * nothing.
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^[0-9]+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
