import { expect, test } from 'vitest';
import { keepingHigher, type LockedVersion } from '../../../../lib/flows/update/keep-higher.ts';

const locked: LockedVersion = { version: '1.2.0' };

test.each([
  ['1.1.0', 'is higher than 1.1.0, which its upstream has now'],
  [undefined, 'is no longer listed by its upstream'],
])('a lock is kept if its upstream has %s', (version, reason) => {
  const kept = new Map<LockedVersion, string>();
  expect(keepingHigher(kept)(locked, version)).toBe(true);
  expect([...kept]).toEqual([[locked, reason]]);
});

test.each(['1.2.0', '1.3.0', 'edge'])('a lock of 1.2.0 is not kept if its upstream has %s', (version) => {
  const kept = new Map<LockedVersion, string>();
  expect(keepingHigher(kept)(locked, version)).toBe(false);
  expect(kept.size).toBe(0);
});
