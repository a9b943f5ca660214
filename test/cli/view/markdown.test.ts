import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markdownLines } from '../../../cli/view/markdown.ts';
import { columnsOf } from '../../../cli/view/wrap.ts';

const plain = (text: string): string => text;
const style = { bold: (text: string) => `<${text}>`, dim: plain, good: plain, bad: plain, width: 40 };
const lines = (text: string, width = 40): string[] => markdownLines(text, { ...style, width });

describe('a page on a terminal', () => {
  test('has headings and strong words in bold, and paragraphs broken between words', () => {
    expect(lines('# The *first*\n\nSome **strong**\nwords of `code` that are too many for a line.\n')).toEqual([
      '<The first>',
      '',
      'Some <strong> words of <code> that are',
      'too many for a line.',
    ]);
  });

  test('says where links lead that lead elsewhere', () => {
    expect(lines('[one](#below), [two](trust.md#policy),\n[`three`](https://x.example)', 100)).toEqual([
      'one, two (docs/trust.md#policy), <three> (https://x.example)',
    ]);
  });

  test('leaves code as it is, also in a list', () => {
    expect(lines('```sh\na  # [x](y)\n  b\n```\n\n1. First:\n\n   ```sh\n   c\n   ```\n\n2. Second')).toEqual([
      ...['    a  # [x](y)', '      b', ''],
      ...['1. First:', '', '       c', '', '2. Second'],
    ]);
  });

  test('sets entries of lists below themselves', () => {
    expect(lines('- an entry that is longer than one line\n  of this terminal\n  - and one in it')).toEqual([
      '- an entry that is longer than one line',
      '  of this terminal',
      '  - and one in it',
    ]);
  });

  test('aligns a table, and makes a list of one that is too wide', () => {
    const table = '| a | b |\n| --- | --- |\n| `x\\|y` | z |\n';
    expect(lines(table)).toEqual(['<a      b>', '<x|y>  z']);
    const wide = `| what | how | else |\n| --- | --- | --- |\n| one | ${'word '.repeat(9)} | two |\n`;
    expect(lines(wide)).toEqual([
      '<one>',
      '    how: word word word word word word',
      '    word word word',
      '    else: two',
    ]);
  });

  test('shows no comment, and a backtick that opens nothing', () => {
    expect(lines('<!-- made -->\n# T\n\na ` b')).toEqual(['<T>', '', 'a ` b']);
  });

  test('is not wider than it but for code and words that cannot be broken, for every page of the documentation', () => {
    const root = join(import.meta.dirname, '../../..');
    for (const path of globSync('docs/*.md', { cwd: root })) {
      for (const line of lines(readFileSync(join(root, path), 'utf8'), 60)) {
        const isCode = line.startsWith('    ');
        const longest = Math.max(...line.split(' ').map(columnsOf));
        if (!isCode && columnsOf(line) > 60) expect([path, line, longest > 40]).toEqual([path, line, true]);
      }
    }
  });
});
