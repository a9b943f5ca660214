import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judged, scratch } from '../support/judges.ts';
import { follow, type Ran, type Reader, stepsOf } from '../support/tutorial.ts';
import { readerHere } from '../support/tutorial-reader.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/tutorial.md'), 'utf8');

judged('the tutorial goes as its page says, line by line, up to the node', ['bash', 'helm'], async () => {
  await using reader = await readerHere(scratch('tutorial'));
  expect(await follow(stepsOf(page, undefined, 'On the node'), reader)).toEqual([]);
});

describe('what is planted on a page is found', () => {
  const folder = scratch('tutorial-planted');
  const reader: Reader = {
    folder,
    words: new Map([['PORT', '5001']]),
    run: async (command): Promise<Ran> => ({ code: command === 'false' ? 1 : 0, lines: ['a  b 5001', 'c'] }),
    start: async (): Promise<Ran> => ({ code: 0, lines: ['http://127.0.0.1:5001'] }),
  };
  const followed = (page: string): Promise<string[]> => follow(stepsOf(page), reader);
  const block = (text: string, note = ''): string => `${note}\`\`\`console\n${text}\n\`\`\`\n`;

  test.each([
    ['another word', block('$ x\na  b 5001\nd')],
    ['a line too few', block('$ x\na  b 5001')],
    ['a line too many', block('$ x\na  b 5001\nc\nd')],
    ['no lines at all', block('$ x')],
    ['another exit code', block('$ false\n…')],
    ['an exit code that is reported, and is not the one', block('$ x\n…', '<!-- ends with 1 -->\n')],
    ['a file that has other text', '<!-- write f -->\n```toml\na\n```\n<!-- show f -->\n```toml\nb\n```\n'],
  ])('%s', async (_, page) => {
    expect(await followed(page)).not.toEqual([]);
  });

  test('but not what is right, whatever stands for it', async () => {
    const lines = [
      '$ x \\\n    -y\na      b PORT\nc',
      '$ x\n…',
      '$ x\n…\nc',
      '$ x\n… b PORT\n…',
      '$ y &\nhttp://127.0.0.1:PORT',
    ];
    expect(await followed(lines.map((line) => block(line)).join('\n'))).toEqual([]);
    expect(await followed(block('$ x\n…\n$ false\n…', '<!-- ends with 1 -->\n'))).toEqual([]);
    const file =
      '<!-- write f -->\n```toml\na\n```\n<!-- append f -->\n```toml\nb\n```\n<!-- show f -->\n```toml\na\n…\n```\n';
    expect(await followed(file)).toEqual([]);
  });

  test('a block that nothing says anything of, and a heading that is not there', () => {
    expect(() => stepsOf('```toml\na = 1\n```\n')).toThrow('what this block is for');
    expect(() => stepsOf(block('x'))).toThrow('does not begin with a command');
    expect(() => stepsOf('', 'On the node')).toThrow('no heading On the node');
  });
});
