import { expect, test } from 'vitest';
import { licenseOf } from '../../../formats/cyclonedx/licenses.ts';

test.each(['MIT', 'Apache-2.0', 'GPL-2.0-only', '0BSD'])('%s is an identifier', (id) => {
  expect(licenseOf(id)).toEqual({ license: { id } });
});

test.each([
  'MIT OR Apache-2.0',
  '(MIT OR BSD-3-Clause) AND Zlib',
  'GPL-3.0-or-later WITH GCC-exception-3.1',
  '((MIT))',
  'GPL-2.0-only AND (MIT OR (ISC AND Zlib))',
])('%s is an expression', (expression) => {
  expect(licenseOf(expression)).toEqual({ expression });
});

test.each([
  'BSD',
  'mit',
  'SEE LICENSE IN LICENSE.md',
  'MIT OR',
  'OR MIT',
  'MIT MIT',
  '(MIT',
  'MIT)',
  ')MIT(',
  '()',
  'MIT OR Unknown-1.0',
  'MIT WITH MIT',
  '(MIT OR ISC) WITH GCC-exception-3.1',
  'GCC-exception-3.1',
  'MIT WITH GCC-exception-3.1 WITH LLVM-exception',
])('%s is a name', (name) => {
  expect(licenseOf(name)).toEqual({ license: { name } });
});
