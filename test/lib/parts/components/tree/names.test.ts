import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLabel } from '../../../../../formats/solution/names.ts';
import { componentName, isConventional } from '../../../../../lib/parts/components/tree/names.ts';

describe('a component', () => {
  test.each([
    ['010-web', 'web'],
    ['05-web', 'web'],
    ['1-web', 'web'],
    ['web', 'web'],
    ['010-web-2', 'web-2'],
    ['010_Web.UI', '010-web-ui'],
    ['010-', '010'],
    ['010', '010'],
    ['0-0-web', '0-web'],
    [`010-${'a'.repeat(62)}.b`, 'a'.repeat(62)],
    ['010-é', '010'],
  ])('in %s is called %s', (folder, name) => {
    expect(componentName(folder)).toBe(name);
  });

  test('in a folder whose name has nothing for a label has no name', () => {
    expect(componentName('___')).toBeUndefined();
  });

  test('has a name that Kubernetes takes, whatever its folder is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (folder) => {
        const name = componentName(folder);
        expect(name === undefined || isLabel(name)).toBe(true);
        if (isConventional(folder) && folder.length <= 67) expect(folder.slice(4)).toBe(name);
      }),
    );
  });

  test.each(['010-web', '000-0', '999-a-b'])('in %s is named as the convention has it', (folder) => {
    expect(isConventional(folder)).toBe(true);
  });

  test.each(['05-web', '0010-web', '010web', '010-', '010-Web', '010-web-', '010-web\n', 'web'])(
    'in %j is not',
    (folder) => {
      expect(isConventional(folder)).toBe(false);
    },
  );
});
