import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseYaml, yamlLimits } from '../../../formats/manifest/yaml.ts';

/** Texts of about the largest size that is read, by the characters that a text may have. Those with an anchor are not written plainly. */
const texts: Readonly<Record<string, (length: number) => string>> = {
  comments: (length) => `a: &x 1\n${'# c\n'.repeat(length / 4 - 100)}`,
  'lines of a literal text': (length) => `a: &x 1\nb: |\n${'  b\n'.repeat(length / 4 - 100)}`,
  'empty lines, written plainly': (length) => `a: |\n  b\n${'\n'.repeat(length - 100)}  c\n`,
  'a text in quotes': (length) => `a: &x "${'z'.repeat(length - 100)}"\n`,
  'entries of several documents': () => `---\na: &x 1\nb:\n${'- c: 1\n'.repeat(27_000)}`.repeat(4),
  'entries, written plainly': (length) => `a:\n${'- b\n'.repeat(length / 4 - 100)}`,
  'keys, written plainly': () => Array.from({ length: 599_000 }, (_, at) => `k${at}: 1\n`).join(''),
  'collections in lines, written plainly': () => `a:\n${`- [${'[], '.repeat(1000)}[]]\n`.repeat(4000)}`,
  'documents, written plainly': (length) => '---\na: 1\n'.repeat(length / 9 - 100),
  'words of a directive': (length) => `%A ${'b '.repeat(length / 2 - 100)}\n---\na: 1\n`,
  'entries by merge keys': () => {
    const one = Array.from({ length: 3900 }, (_, at) => `k${at}: 1, `).join('');
    return `a: &x {${one}}\n${Array.from({ length: 990 }, (_, at) => `m${at}: {<<: *x}\n`).join('')}`;
  },
};

const MOST = 256 * 2 ** 20;
const reader = join(import.meta.dirname, '../../../formats/manifest/yaml.ts');

/** Bytes of memory by which a process grows that reads such a text, whether it is refused or not. */
async function growthOf(textOf: (length: number) => string): Promise<number> {
  const program = `
    import { readFileSync } from 'node:fs';
    import { collectWhileReading, parseYaml } from ${JSON.stringify(reader)};
    collectWhileReading(gc);
    const text = Buffer.from((${textOf})(${yamlLimits.length})).toString();
    gc();
    const before = process.memoryUsage().rss;
    try { parseYaml(text, 't'); } catch (error) { if (error.code !== 'yaml-invalid') throw error; }
    const { maxRSS } = process.resourceUsage();
    const [, own] = process.platform === 'linux' ? /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) : [];
    console.log(1024 * Number(own ?? maxRSS) - before);`;
  const args = ['--expose-gc', '--no-warnings', '--input-type=module-typescript', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

test.each(Object.entries(texts))('reading or refusing %s takes less than 256 MiB', async (_, textOf) => {
  expect(await growthOf(textOf)).toBeLessThan(MOST);
});

test('definitions of 10 MiB are read, plainly written or not', () => {
  const field = `                field:
                  description: What it is for, in some words that explain it to a reader.
                  type: string
`;
  const definition = (quote: string): string =>
    `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n${Array.from(
      { length: 4000 },
      (_, at) => field.replace('field', `field${at}`).replace('string', `${quote}string${quote}`),
    ).join('')}`;
  for (const quote of ['', '"']) {
    const text = definition(quote).repeat(20) + (quote === '' ? '' : '---\na: &x 1\n');
    expect(text.length).toBeGreaterThan(10 * 2 ** 20);
    expect(parseYaml(text, 't').length).toBeGreaterThan(19);
  }
});
