import { FormatError } from '../error.ts';

/** The shortest and the longest duration that is accepted, in seconds. */
export const durationLimits = { shortest: 1, longest: 24 * 60 * 60 } as const;

/** What a duration has to look like, for messages. */
export const durationWords = 'has to be a duration from 1s to 24h, such as 90s, 5m or 1h30m';

/**
 * The seconds of a duration, written as Go and Kubernetes write it, in whole hours, minutes and seconds: `90s`, `5m`,
 * `1h30m`. Each unit stands at most once, the larger one first. Throws `FormatError` `duration-invalid` for all else,
 * and for what is shorter than 1 s or longer than 24 h.
 */
export function parseDuration(text: string): number {
  // Six digits hold 24 h in any unit, and leave no number that could lose precision.
  const match = /^(?=\d)(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/.exec(text);
  const [hours, minutes, seconds] = (match?.slice(1) ?? []).map((digits) => Number(digits ?? 0));
  const total = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  if (total < durationLimits.shortest || total > durationLimits.longest) {
    throw new FormatError('duration-invalid', durationWords);
  }
  return total;
}

/** Whether `parseDuration` accepts `text`. */
export function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}
