import { describe, expect, test } from 'vitest';
import { hasEnded, isRun, ownRun } from '../../../../lib/kernel/machine/runs.ts';
import { ok } from '../../../support/judges.ts';

const module = new URL('../../../../lib/kernel/machine/runs.ts', import.meta.url).href;

/** The name that another process had, which has ended. */
const another = async (): Promise<string> => {
  const script = `const { ownRun } = await import(${JSON.stringify(module)}); process.stdout.write(ownRun());`;
  return ok(process.execPath, ['--input-type=module', '-e', script]);
};

describe('a run', () => {
  test('has one name as long as its process lives', () => {
    expect(isRun(ownRun())).toBe(true);
    expect(ownRun()).toBe(ownRun());
    expect(hasEnded(ownRun())).toBe(false);
  });

  test('is known to have ended once its process has', async () => {
    const run = await another();
    expect(isRun(run)).toBe(true);
    expect(run.split('-')[2]).toBe(ownRun().split('-')[2]);
    expect(hasEnded(run)).toBe(true);
  });

  test('has ended where its number belongs to a process that was started at another time', () => {
    const [pid, start, place] = ownRun().split('-');
    expect(hasEnded(`${pid}-${Number(start) + 1}-${place}`)).toBe(true);
  });

  test.each(['1-1-00000000', '4711-0-ffffffff', ''])('of another machine is not known to have ended: %j', (run) => {
    expect(hasEnded(run)).toBe(false);
  });
});
