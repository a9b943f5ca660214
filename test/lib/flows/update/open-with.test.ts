import { expect, test } from 'vitest';
import { openWith } from '../../../../lib/flows/update/open-with.ts';
import type { UpdatedInput } from '../../../../lib/flows/update/results.ts';
import { SolpackError } from '../../../../lib/kernel/events/index.ts';

const findings = [{ code: 'image-missing', subject: 'component web', message: 'names an image' }];
const open = new SolpackError('solution-open', 'solution.toml', 'the Solution is not closed: one finding', {
  hint: 'fix what is listed above; "solpack check" reports the same and packs nothing',
  findings,
});
const raised: UpdatedInput = { kind: 'component', name: 'web', change: 'raised', from: '1.0.0', to: '1.3.0' };

test('an open Solution is refused with the versions that were tried, and with the way out', () => {
  const error = openWith(open, [raised, { kind: 'component', name: 'api', change: 'none', to: '2.0.0' }]);
  expect(error).toMatchObject({
    code: 'solution-open',
    message: 'the Solution is not closed: one finding, with web 1.3.0 instead of 1.0.0',
    findings,
  });
  const { hint } = error as SolpackError;
  for (const words of ['nothing was written', '--only NAME', 'pin a version']) expect(hint).toContain(words);
  expect(hint).not.toContain('reports the same');
});

test('other errors, and an open Solution of which nothing was to change, stay as they are', () => {
  expect(openWith(open, [{ ...raised, change: 'none' }])).toBe(open);
  const other = new Error('other');
  expect(openWith(other, [raised])).toBe(other);
});
