import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileCel } from '../../../formats/cel/compile.ts';
import { judgeCel } from '../../../formats/cel/judge.ts';
import { FormatError } from '../../../formats/error.ts';
import { outcomeHere } from './outcome.ts';
import { celTable, judgedObject } from './table.ts';

describe('an expression of CEL', () => {
  test.each(celTable)('%s is %s', (expression, outcome) => {
    expect(outcomeHere(expression)).toBe(outcome);
  });

  test('may be nothing but a field, whose type nobody knows before it is there', () => {
    expect(outcomeHere('self.status.ready')).toBe(true);
    expect(outcomeHere('self.status.phase')).toBe('error');
  });

  test('tells what it looked at, each selection once and with its value', () => {
    const { found } = judgeCel(
      compileCel(
        "self.status.phase == 'Off' || self.status.phase == 'Out' || self.status.zones.a + self.spec.replicas > 9",
      ),
      judgedObject,
    );
    expect(found).toEqual(['self.status.phase is "Running"', 'self.status.zones.a is 1', 'self.spec.replicas is 3']);
  });

  const list = `[${Array(99).fill(1)}]`;
  test.each([
    [
      'goes through lists within lists',
      `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d > 0))))`,
    ],
    ['fails each time and goes on', `self.many.all(a, self.many.all(b, self.many.all(c, self.none || a + b + c < 0)))`],
    ['doubles a list', `[[1, 2]]${'.map(x, x + x)'.repeat(30)}.size() == 1`],
    ['doubles a text', `['ab']${'.map(x, x + x)'.repeat(30)}.size() == 1`],
    ['joins', `self.many.map(x, self.long).join(self.long).size() == 1`],
    ['splits', `self.many.all(x, self.long.split('').size() > x)`],
    ['searches', `self.many.all(x, self.long.matches('(x+x+)+y') || true)`],
    ['compares', `self.many.all(x, self.many == self.many)`],
  ])('that %s without end takes so much work and no more', (_, expression) => {
    const many = { many: Array.from({ length: 2000 }, (_value, at) => at), long: 'x'.repeat(20_000) };
    expect(judgeCel(compileCel(expression), many).failure).toBe('takes more work than the limit of one evaluation');
  });

  test.each([
    ['is too long', `self.a == '${'x'.repeat(2100)}'`],
    ['is too deep', `${'('.repeat(200)}true${')'.repeat(200)}`],
    ['is too wide', `self.a == 1${' || self.a == 1'.repeat(130)}`],
    ['has a pattern that only some readers know', "self.a.matches('(?=x)')"],
    ['calls what Kubernetes does not have', "self.a.hex() == ''"],
    ['binds a name', 'cel.bind(x, 1, x == 1)'],
  ])('that %s is refused', (_, expression) => {
    expect(outcomeHere(expression)).toBe('refused');
  });

  test('that multiplies what an empty map holds is refused in words of this language', () => {
    expect(() => compileCel('{}.a * true')).toThrow(/: no such overload: dyn \* bool$/);
  });

  test('is refused or judged, and never fails otherwise, whatever it is', () => {
    const words = [
      'self',
      '.',
      'a',
      '(',
      ')',
      '[',
      ']',
      'all',
      'x',
      ',',
      '==',
      "'t'",
      '1',
      '2.5',
      '&&',
      '!',
      '?',
      ':',
      '-',
      '{',
      '}',
      'size',
      'matches',
      'has',
      'null',
      '+',
      'timestamp',
      '.?',
      '\\',
      '"',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 20 }), fc.jsonValue(), (parts, object) => {
        try {
          judgeCel(compileCel(parts.join('')), object);
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
});
