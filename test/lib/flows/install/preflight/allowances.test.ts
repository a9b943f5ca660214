import { describe, expect, test } from 'vitest';
import { embeddedRegistry } from '../../../../../lib/flows/install/index.ts';
import { requireAllowed } from '../../../../../lib/flows/install/preflight/allowances.ts';
import { diskCheck } from '../../../../../lib/flows/install/preflight/disk.ts';
import { SolpackError } from '../../../../../lib/kernel/events/errors.ts';
import { testFlow } from '../../../../support/flow.ts';
import { scratch } from '../../../../support/judges.ts';

const folder = scratch('allowances');
const full = new SolpackError('disk-full', '/disk', 'is full', { hint: 'make room' });
const foreign = new SolpackError('platform-missing', 'web:1', 'has no manifest', { hint: 'pack it' });

describe('what is in the way', () => {
  test('is nothing, or one error with what to do', () => {
    expect(() => requireAllowed([], [], testFlow())).not.toThrow();
    expect(() => requireAllowed([full], [], testFlow())).toThrow(
      expect.objectContaining({
        code: 'disk-full',
        subject: '/disk',
        message: 'is full',
        hint: 'make room',
        findings: [],
      }),
    );
  });

  test('is the first of several, which has all of them, each with what to do and the flag that lets it pass', () => {
    expect(() => requireAllowed([foreign, full], [], testFlow())).toThrow(
      expect.objectContaining({
        code: 'platform-missing',
        message: 'has no manifest (and 1 more, all listed above)',
        findings: [
          {
            code: 'platform-missing',
            subject: 'web:1',
            message: 'has no manifest; pack it; or --allow-missing-platforms continues anyway',
          },
          { code: 'disk-full', subject: '/disk', message: 'is full; make room' },
        ],
      }),
    );
  });

  test('is reported and passed where that is allowed, and nothing else is', () => {
    const flow = testFlow();
    expect(() => requireAllowed([foreign, full], ['missing-platforms'], flow)).toThrow(
      expect.objectContaining({ code: 'disk-full', findings: [] }),
    );
    expect(flow.events).toEqual([
      {
        type: 'notice',
        subject: 'web:1',
        message: 'has no manifest; it is installed anyway, as --allow-missing-platforms says',
      },
    ]);
  });
});

test('a folder that does not exist yet is on the disk of the one above', async () => {
  const delivery = embeddedRegistry({ host: '127.0.0.1', port: 0, hold: false });
  const found = (bytes: number) =>
    diskCheck(
      { archives: [], delivery, facts: undefined, folders: [{ path: `${folder}/a/b`, bytes }], mayTry: false },
      testFlow(),
    );
  expect(await found(4096)).toEqual([]);
  expect(await found(2 ** 60)).toMatchObject([{ code: 'disk-full', subject: `${folder}/a/b` }]);
});
