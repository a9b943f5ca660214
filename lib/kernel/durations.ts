import { FormatError } from '../../formats/error.ts';
import { durationWords, parseDuration } from '../../formats/solution/duration.ts';
import { SolpackError } from './events/index.ts';

/**
 * Returns the seconds of a duration that a user wrote, such as `90s`, `5m` or `1h30m`. `subject` names its option, such
 * as `--timeout`. Throws `usage-invalid`.
 */
export function duration(text: string, subject: string): number {
  try {
    return parseDuration(text);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new SolpackError('usage-invalid', subject, `${JSON.stringify(text)} ${durationWords}`, {
      cause,
      hint: `write for example ${subject} 10m`,
    });
  }
}
