import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { solpack, writeFiles } from '../support/cli.ts';
import { judged, run, scratch } from '../support/judges.ts';
import { solpackWords } from '../support/under-test.ts';

const folder = scratch('terminal');
const clear = '\r\u001b[K';

/** What a command shows on a terminal that has both of its streams. */
async function typed(...args: string[]): Promise<string> {
  const words = [...solpackWords, ...args].map((word) => `'${word}'`).join(' ');
  return (await run('script', ['-qec', words, '/dev/null'], { cwd: folder })).stdout;
}

/** The same, of a terminal of `columns` columns, without what moves and colours. */
async function read(columns: number, ...args: string[]): Promise<string[]> {
  const words = [...solpackWords, ...args].map((word) => `'${word}'`).join(' ');
  const { stdout } = await run('script', ['-qec', `stty cols ${columns}; ${words}`, '/dev/null'], { cwd: folder });
  return stripVTControlCharacters(stdout).replaceAll('\r', '').trimEnd().split('\n');
}

describe('on a terminal', () => {
  judged('an error stands in a line of its own, where progress was shown before', ['script'], async () => {
    const image = '[[images]]\nreference = "registry.example.com/a:1"\nsource = "oci:nowhere:1"\n';
    writeFiles(folder, { 'solution.toml': `name = "a"\nversion = "1.0.0"\n${image}` });
    const shown = await typed('pack', '.', '-o', 'a.iso');
    const prefix = `${clear}\u001b[31msolpack:\u001b[39m `;
    expect(shown).toContain(prefix);
    expect(shown.split(prefix)[0]).toContain('resolve ');
    expect(shown.trimEnd()).toMatch(/\[[a-z-]+\]$/);
  });

  const definition = (version: string): string =>
    `name = "a"\n\tversion = ${version}\n[[images]]\nreference = "registry.example.com/a:1"\n`;

  judged('the line that an error is about is shown, with carets below the position', ['script'], async () => {
    writeFiles(folder, { 'bad/solution.toml': definition('"字" # why') });
    const shown = await read(400, 'pack', 'bad', '-o', 'bad.iso');
    expect(shown.at(-3)).toMatch(/^solpack: .*solution\.toml:2:2: version: has to be .*\[definition-invalid\]$/);
    expect(shown.slice(-2)).toEqual(['2 | \tversion = "字" # why', '  | \t^^^^^^^^^^^^^^']);
  });

  judged('a line that is wider is cut, and sends nothing that the terminal obeys', ['script'], async () => {
    writeFiles(folder, { 'bad/solution.toml': definition(`"1" 1 # \u001b[2J${'why '.repeat(100)}`) });
    const shown = await typed('pack', 'bad', '-o', 'bad.iso');
    expect(shown).not.toContain('\u001b[2J');
    const [line = '', carets = ''] = (await read(50, 'pack', 'bad', '-o', 'bad.iso')).slice(-2);
    expect(line).toMatch(/^2 \| \tversion = "1" 1 # \\u001b\[2Jw.*…$/);
    expect(line.length).toBeLessThan(50 - 3);
    expect(carets).toBe(`  | \t${' '.repeat('version = "1" '.length)}^`);
  });

  judged('objects of others are shown with escapes, and a program gets them unchanged', ['script'], async () => {
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: "a\\u202Eb"}\n';
    writeFiles(folder, {
      'odd/a.yaml': map,
      'odd/solution.toml':
        'name = "odd"\nversion = "1.0.0"\n[[components]]\nname = "a"\nkind = "manifests"\npath = "a.yaml"\n',
    });
    const shown = await typed('render', 'odd');
    expect(shown).toContain('k: "a\\u202eb"');
    expect(shown).not.toContain('\u202e');
    expect((await solpack(['render', 'odd'], { cwd: folder })).stdout).toContain('a\u202eb');
  });

  judged('no line of a policy is shown, and what is not a terminal gets one line', ['script'], async () => {
    writeFiles(folder, { 'policy.toml': 'version = 1\nkeyz = "hunter"\n', 'bad/solution.toml': definition('"v1"') });
    const shown = await read(400, 'verify', 'a.iso', '--policy', 'policy.toml');
    expect(shown.at(-1)).toMatch(/policy\.toml:2:1: .*\[policy-invalid\]$/);
    expect(shown.join('\n')).not.toContain('hunter');
    const { stderr } = await solpack(['pack', 'bad', '-o', 'bad.iso'], { cwd: folder });
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/solution\.toml:2:2: version: .*\[definition-invalid\]$/);
  });
});
