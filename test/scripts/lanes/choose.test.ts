import { describe, expect, test } from 'vitest';
import { chooseHeavy } from '../../../scripts/lanes/choose.ts';

const files = {
  'test/slow.test.ts': { seconds: 100, watches: ['lib/flows/install'] },
  'test/close.test.ts': { seconds: 50, watches: ['lib/flows/install/steps', 'lib/flows/serve'] },
  'test/quick.test.ts': { seconds: 10, watches: ['lib/flows/install'] },
};

describe('the heavy files that a change is worth', () => {
  test('are those that watch a changed file, the closest first, then the cheapest', () => {
    const choice = chooseHeavy(['lib/flows/install/steps/apply.ts'], files, 1000, 1);
    expect(choice).toEqual({ chosen: ['test/close.test.ts', 'test/quick.test.ts', 'test/slow.test.ts'], left: [] });
  });

  test('are none where nothing of the change is watched', () => {
    expect(chooseHeavy(['docs/install.md', 'lib/installer.ts'], files, 1000, 1)).toEqual({ chosen: [], left: [] });
  });

  test('begin with a heavy file that was changed itself', () => {
    const { chosen } = chooseHeavy(['lib/flows/install/steps/apply.ts', 'test/slow.test.ts'], files, 1000, 1);
    expect(chosen[0]).toBe('test/slow.test.ts');
  });

  test('are as many as fit, and those that do not fit are named', () => {
    const tight = chooseHeavy(['lib/flows/install/steps/apply.ts'], files, 31, 2);
    expect(tight).toEqual({ chosen: ['test/close.test.ts', 'test/quick.test.ts'], left: ['test/slow.test.ts'] });
  });
});
