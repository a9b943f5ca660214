import { describe, expect, test } from 'vitest';
import { persist, type RetryPolicy, usualPolicy } from '../../../../lib/kernel/http/retry.ts';
import type { HttpTiming } from '../../../../lib/kernel/http/timing.ts';
import { StalledError } from '../../../../lib/kernel/http/transport-errors.ts';

interface Head {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly words?: string;
}

const head = (status: number, headers: Record<string, string> = {}, words = ''): Head => ({ status, headers, words });
const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** Makes attempts that end as `outcomes` say; tells what came of them, how many there were, and what was waited. */
async function attempted(
  outcomes: readonly (Head | Error)[],
  policy: Partial<RetryPolicy<Head>> = {},
  timing: Partial<HttpTiming> = {},
  signal?: AbortSignal,
): Promise<{ end: unknown; repeated?: boolean; count: number; waits: number[] }> {
  const waits: number[] = [];
  let count = 0;
  const attempt = async (): Promise<Head> => {
    const outcome = outcomes[Math.min(count++, outcomes.length - 1)]!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  const options = { policy: { ...usualPolicy, ...policy }, timing: { idle: 1, pause: 8, wait, ...timing }, signal };
  return persist(attempt, options).then(
    ({ answer, repeated }) => ({ end: answer.status, repeated, count, waits }),
    (error) => ({ end: error.message, count, waits }),
  );
}

describe('what fails is tried again', () => {
  test('as often as the policy says, after waits that double, up to the longest', async () => {
    const { end, count, waits } = await attempted([head(503)], { attempts: 6 }, { longest: 30 });
    expect([end, count]).toEqual([503, 6]);
    for (const [at, most] of [8, 16, 30, 30, 30].entries()) {
      expect(waits[at]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[at]).toBeLessThanOrEqual(most);
    }
  });

  test('where the status may pass, and the answer is not final all the same', async () => {
    expect(await attempted([head(429), head(200)])).toMatchObject({ end: 200, count: 2 });
    expect(await attempted([head(409), head(200)])).toMatchObject({ end: 409, count: 1 });
    const isFinal = ({ words }: Head): boolean => words === 'never';
    expect(await attempted([head(500, {}, 'never'), head(200)], { isFinal })).toMatchObject({ end: 500, count: 1 });
  });

  test('after the time that the answer asks for, where that is not too long', async () => {
    const asks = [head(503, { 'retry-after': '7' }), head(200)];
    expect(await attempted(asks)).toMatchObject({ end: 200, waits: [7000] });
    expect(await attempted(asks, { longestAsked: 6999 })).toMatchObject({ end: 503, waits: [] });
    expect(await attempted(asks, {}, { total: 6999 })).toMatchObject({ end: 503, waits: [] });
  });

  test('where a connection broke; where none came to be, only if the server is waited for', async () => {
    const cut = [failure('ECONNRESET'), head(200)];
    expect(await attempted(cut)).toMatchObject({ end: 200, repeated: true });
    for (const never of [failure('ECONNREFUSED'), failure('EHOSTUNREACH'), new StalledError(5, false)]) {
      expect(await attempted([never, head(200)])).toMatchObject({ end: never.message, count: 1 });
      expect(await attempted([never, head(200)], { awaitsServer: true })).toMatchObject({ end: 200, count: 2 });
    }
    expect(await attempted([new StalledError(5, true), head(200)])).toMatchObject({ end: 200, count: 2 });
    expect(await attempted([failure('ENOTFOUND'), head(200)], { awaitsServer: true })).toMatchObject({ count: 1 });
  });

  test('and a refused connection has a time of its own, and did not reach the server', async () => {
    const refused = [failure('ECONNREFUSED'), head(200)];
    const awaits = { awaitsServer: true };
    expect(await attempted(refused, awaits, { total: 9000 })).toMatchObject({ end: 200, repeated: false });
    expect(await attempted(refused, awaits, { total: 9000, refused: 1 })).toMatchObject({ end: 'ECONNREFUSED' });
  });

  test('not once the signal is aborted', async () => {
    const signal = AbortSignal.abort();
    expect(await attempted([failure('ECONNRESET')], {}, {}, signal)).toMatchObject({ end: 'ECONNRESET', count: 1 });
  });
});
