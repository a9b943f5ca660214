import { FormatError } from '../error.ts';

/** Bounds the durations that are accepted, in seconds. */
export const durationLimits = { shortest: 1, longest: 24 * 60 * 60 } as const;

/** Tells in messages what a duration has to look like. */
export const durationWords = 'has to be a duration from 1s to 24h, such as 90s, 5m or 1h30m';

/**
 * The form of a duration, which an empty text has as well. Six digits hold 24 h in any unit, and leave no number that
 * could lose precision.
 */
export const DURATION: RegExp = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;

/**
 * Parses a duration of whole hours, minutes and seconds in the notation of Go and Kubernetes, such as `90s`, `5m` or
 * `1h30m`, and returns seconds. Each unit occurs at most once, larger ones first. Throws `FormatError`
 * `duration-invalid` for anything else, and for less than 1 s or more than 24 h.
 */
export function parseDuration(text: string): number {
  const match = DURATION.exec(text);
  const [hours, minutes, seconds] = (match?.slice(1) ?? []).map((digits) => Number(digits ?? 0));
  const total = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  if (total < durationLimits.shortest || total > durationLimits.longest) {
    throw new FormatError('duration-invalid', durationWords);
  }
  return total;
}

/** Returns whether `parseDuration` accepts `text`. */
export function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}
