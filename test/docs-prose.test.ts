import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explanations } from '../lib/flows/explain/index.ts';
import { hardToRead } from './support/prose.ts';

const root = dirname(import.meta.dirname);
const pages = globSync('docs/{*,decisions/*}.md', { cwd: root }).sort();

describe('prose', () => {
  test('of every page has no turn of phrase that makes a reader stop', () => {
    const all = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages];
    expect(all.length).toBeGreaterThan(40);
    const found = all.flatMap((path) =>
      hardToRead(readFileSync(join(root, path), 'utf8')).map((one) => `${path}: ${one}`),
    );
    expect(found).toEqual([]);
  });

  test('of what to do about an error has none', () => {
    const errors = explanations().filter(({ kind }) => kind === 'error');
    expect(errors.flatMap(({ code, advice }) => hardToRead(advice).map((one) => `${code}: ${one}`))).toEqual([]);
  });

  test.each([
    'What is so already is told, and nothing is written.',
    'Of an archive that cannot be opened nobody knows the version.',
    'The install ends when what only the version before had is gone.',
    'It goes on: that is over.',
    'A note tells of the password.',
  ])('that makes a reader stop is found: %s', (sentence) => {
    expect(hardToRead(sentence)).not.toEqual([]);
  });

  test('in plain English, and in blocks of code, is left alone', () => {
    const plain = 'If nothing would change, the command says so and leaves the file alone.';
    expect(hardToRead(`${plain}\n\n\`\`\`text\nit is told\n\`\`\`\n`)).toEqual([]);
  });
});
