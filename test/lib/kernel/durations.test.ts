import { expect, test } from 'vitest';
import { duration } from '../../../lib/kernel/durations.ts';
import { SolpackError } from '../../../lib/kernel/events/errors.ts';

test('reads the duration that a user gave', () => {
  expect(duration('10m', '--timeout')).toBe(600);
});

test('says what was given for what, and what would do', () => {
  expect(() => duration('ten minutes', '--timeout')).toThrow(SolpackError);
  try {
    duration('ten minutes', '--timeout');
  } catch (error) {
    expect(error).toMatchObject({
      code: 'usage-invalid',
      exit: 2,
      subject: '--timeout',
      message: '"ten minutes" has to be a duration from 1s to 24h, such as 90s, 5m or 1h30m',
      hint: 'write for example --timeout 10m',
    });
  }
});
