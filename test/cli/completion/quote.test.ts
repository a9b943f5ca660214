import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bashWord, readBashLine } from '../../../cli/completion/quote.ts';
import { judged, ok } from '../../support/judges.ts';

const breaks = ' \t\n"\'@><=;|&(:';
const names = fc.string({
  unit: fc.constantFrom(...' \'"\\$`!*?[]{}()<>|&;#~^=:@%+,.-/ab1é字🙂'),
  minLength: 1,
  maxLength: 12,
});

describe('a line of bash', () => {
  test.each<[string, string[], string, number, string | undefined]>([
    ['solpack ', ['solpack'], '', 0, ''],
    ['solpack ls a', ['solpack', 'ls'], 'a', 0, ''],
    ['solpack ls two\\ wo', ['solpack', 'ls'], 'two wo', 0, ''],
    ['solpack ls "two wo', ['solpack', 'ls'], 'two wo', 0, '"'],
    ['solpack ls \'a"b', ['solpack', 'ls'], 'a"b', 0, "'"],
    ['solpack ls "a\\"b" c', ['solpack', 'ls', 'a"b'], 'c', 0, ''],
    ['solpack --key=rel', ['solpack'], '--key=rel', 6, ''],
    ['solpack a\\:b:c', ['solpack'], 'a:b:c', 4, ''],
    ['solpack a:"b c', ['solpack'], 'a:b c', 2, '"'],
    ['solpack a"b c', ['solpack'], 'ab c', 0, undefined],
    ['solpack "a"b', ['solpack'], 'ab', 0, undefined],
    ['solpack $(touch x) `y', ['solpack', '$(touch', 'x)'], '`y', 0, ''],
  ])('%j has words, and one that is typed', (line, words, text, kept, quote) => {
    // `(` breaks words too, which is told of the last word alone.
    expect(readBashLine(line, breaks)).toEqual({ words, last: { text, kept, quote } });
  });

  test('is read back as it was written, whatever a name has', () => {
    fc.assert(
      fc.property(names, fc.constantFrom<'' | '"' | "'">('', '"', "'"), (name, quote) => {
        const written = bashWord(name, quote);
        if (written === undefined) return;
        const { words, last } = readBashLine(`solpack ${quote}${written}`, breaks);
        expect([words, last.text, last.quote]).toEqual([['solpack'], name, quote]);
      }),
    );
  });

  test('that is nonsense is read all the same', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (line) => void readBashLine(line, breaks)));
  });
});

judged('bash takes a written word for the name, and runs nothing', ['bash'], async () => {
  const all = fc.sample(names, { numRuns: 300, seed: 23 });
  for (const quote of ['', '"', "'"] as const) {
    const some = all.filter((name) => bashWord(name, quote) !== undefined);
    expect(some.length).toBeGreaterThan(50);
    const words = some.map((name) => `${quote}${bashWord(name, quote)}${quote}`);
    expect(await ok('bash', ['-c', `printf '%s\\n' ${words.join(' ')}`])).toBe(
      some.map((name) => `${name}\n`).join(''),
    );
  }
});
