import { expect, test } from 'vitest';
import { createBell } from '../../../../lib/flows/agent/bell.ts';

const { signal } = new AbortController();
const LONG = 60_000;

test('a bell that rings while nobody waits is heard by the next one, once', async () => {
  const bell = createBell();
  bell.ring();
  bell.ring();
  await bell.heard(LONG, signal);
  let heard = false;
  const waiting = bell.heard(LONG, signal).then(() => {
    heard = true;
  });
  await new Promise(setImmediate);
  expect(heard).toBe(false);
  bell.ring();
  await waiting;
});

test('a bell that is silenced has not rung, and waiting ends by itself or with the reason of the signal', async () => {
  const bell = createBell();
  bell.ring();
  bell.silence();
  await bell.heard(1, signal);
  const reason = new Error('over');
  await expect(bell.heard(LONG, AbortSignal.abort(reason))).rejects.toBe(reason);
  const end = new AbortController();
  const waiting = bell.heard(LONG, end.signal);
  end.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
