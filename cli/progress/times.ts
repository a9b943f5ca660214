/** Milliseconds of a second. */
export const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Formats how long something took, or takes until now: `3.4 s`, `12 s`, `1 min 05 s`, `2 h 03 min`. */
export function timeWords(milliseconds: number): string {
  if (milliseconds < 9.95 * SECOND) return `${(milliseconds / SECOND).toFixed(1)} s`;
  return wholeTime(Math.round(milliseconds / SECOND) * SECOND);
}

/** Formats the same in whole seconds, for what is shown while they pass. */
export function wholeTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND);
  if (milliseconds < MINUTE) return `${seconds} s`;
  const two = (count: number): string => String(count).padStart(2, '0');
  if (milliseconds < HOUR) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
}

/** Formats how long something will take still, no finer than anybody can know it. */
export function leftWords(milliseconds: number): string {
  const step = milliseconds < 10 * SECOND ? SECOND : milliseconds < MINUTE ? 5 * SECOND : 10 * SECOND;
  if (milliseconds >= 10 * MINUTE) return wholeMinutes(milliseconds);
  return wholeTime(Math.max(SECOND, Math.ceil(milliseconds / step) * step));
}

function wholeMinutes(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
