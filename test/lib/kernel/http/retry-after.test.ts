import { expect, test } from 'vitest';
import { retryAfter } from '../../../../lib/kernel/http/retry-after.ts';

test('Retry-After is read as seconds and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(retryAfter('7', now)).toBe(7000);
  expect(retryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
  expect(retryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  expect(retryAfter('soon', now)).toBeUndefined();
  expect(retryAfter(undefined, now)).toBeUndefined();
});
