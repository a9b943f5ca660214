import { expect, test } from 'vitest';
import { lackingIn } from '../../../scripts/lanes/record.ts';

test('a commit is green once every part was run and failed nowhere; else each reason is named', () => {
  const green = { passed: 3, failed: 0, failures: [] };
  const red = { passed: 3, failed: 2, failures: ['a', 'b'] };
  expect(lackingIn({ sources: green, node: green }, ['sources', 'node'])).toEqual([]);
  expect(lackingIn({ sources: green, node: red }, ['sources', 'node', 'kernel'])).toEqual([
    'node failed 2 times',
    'kernel was not run',
  ]);
});
