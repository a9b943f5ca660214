import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import { isDuration, parseDuration } from '../../../formats/solution/duration.ts';

test.each([
  ['1s', 1],
  ['90s', 90],
  ['5m', 300],
  ['1h', 3600],
  ['1h30m', 5400],
  ['1h0m1s', 3601],
  ['1h1s', 3601],
  ['2m30s', 150],
  ['05m', 300],
  ['24h', 86400],
  ['1440m', 86400],
  ['86400s', 86400],
])('%s is %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each([
  '',
  ' ',
  '5',
  'm',
  'h',
  '0s',
  '0h0m0s',
  '24h1s',
  '25h',
  '86401s',
  '9999999s',
  `${'9'.repeat(400)}s`,
  '-5m',
  '+5m',
  '1.5h',
  '1,5h',
  '5 m',
  ' 5m',
  '5m ',
  '5m\n',
  '5M',
  '5min',
  '500ms',
  '1d',
  'PT5M',
  '30m1h',
  '1h1h',
  '1s1m',
  '0x5m',
  '1e2s',
  '٥m',
  '5m\u0000',
])('%j is refused as a duration', (text) => {
  expect(() => parseDuration(text)).toThrow(FormatError);
  expect(() => parseDuration(text)).toThrow('has to be a duration from 1s to 24h');
  expect(isDuration(text)).toBe(false);
});

test('hours, minutes and seconds add up, whatever they are', () => {
  const part = fc.option(fc.nat(40_000), { nil: undefined });
  fc.assert(
    fc.property(part, part, part, (hours, minutes, seconds) => {
      const text = [
        [hours, 'h'],
        [minutes, 'm'],
        [seconds, 's'],
      ].map(([count, unit]) => (count === undefined ? '' : `${count}${unit}`));
      const total = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
      const fits = total >= 1 && total <= 86_400;
      expect(isDuration(text.join(''))).toBe(fits);
      if (fits) expect(parseDuration(text.join(''))).toBe(total);
    }),
    { seed: 4, numRuns: 500 },
  );
});

test('any text is a whole number of seconds from 1 s to 24 h, or a FormatError', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9hms.]{0,8}$/));
  fc.assert(
    fc.property(texts, (text) => {
      if (!isDuration(text)) {
        expect(() => parseDuration(text)).toThrow(FormatError);
        return;
      }
      const seconds = parseDuration(text);
      expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400).toBe(true);
    }),
    { seed: 4, numRuns: 500 },
  );
});
