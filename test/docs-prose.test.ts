import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explanations } from '../lib/flows/explain/index.ts';
import { hardToRead } from './support/prose.ts';

const root = dirname(import.meta.dirname);

/** Pages that people write and that are not yet in plain English: take one out when it is rewritten. */
const waiting = ['development', 'pages', 'performance', 'release', 'shells'].map((name) => `docs/${name}.md`);
/** Pages that are made from code and from its comments. */
const made = ['docs/api.md', 'docs/commands.md', 'docs/errors.md'];
const pages = globSync('docs/*.md', { cwd: root }).sort();

describe('prose', () => {
  test('of pages that are rewritten has no turn of phrase that makes a reader stop', () => {
    const done = ['README.md', ...pages.filter((path) => !waiting.includes(path) && !made.includes(path))];
    expect(done.length).toBeGreaterThan(9);
    const found = done.flatMap((path) =>
      hardToRead(readFileSync(join(root, path), 'utf8')).map((one) => `${path}: ${one}`),
    );
    expect(found).toEqual([]);
  });

  test('of pages that still wait is in pages that exist', () => {
    expect(waiting.filter((path) => !pages.includes(path))).toEqual([]);
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
