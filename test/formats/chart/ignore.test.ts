import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIgnore } from '../../../formats/chart/ignore.ts';
import { FormatError } from '../../../formats/error.ts';
import { judged, ok, scratch } from '../../support/judges.ts';
import { chartYaml } from './support.ts';

const folder = scratch('helmignore');
const paths = [
  ...['a.txt', 'b.txt', 'ab', '.hidden', 'docs/a.txt', 'docs/b.md', 'docs/deep/a.txt', 'build/out', 'x*y', 'files/[a]'],
  ...['templates/.swp', 'templates/sub/.swp', 'templates/map.yaml', 'templates/_helpers.tpl', 'files/build/out', 'é'],
];

/** What is left of `paths`: a folder that is left out takes with it all that it holds. */
function kept(rules: string): string[] {
  const ignored = parseIgnore(rules);
  return paths.filter((path) => {
    const names = path.split('/');
    return !names.some((_, at) => ignored(names.slice(0, at + 1).join('/'), at < names.length - 1));
  });
}

const cases: readonly string[] = [
  '',
  '# comment\n\n  a.txt  \n',
  '*.txt',
  '/a.txt',
  'docs/',
  'docs',
  'docs/*.txt',
  'docs/*/a.txt',
  'build/',
  '/build/',
  'a?',
  '[ab].txt',
  '[^a].txt',
  '[a-b]*',
  'x\\*y',
  'files/\\[a\\]',
  '?',
  '.*',
  'out/',
  '*/a.txt\r\n',
];

describe('parseIgnore', () => {
  test('leaves out what the rules name, and hidden templates always', () => {
    expect(kept('docs/\n*.txt')).toEqual(paths.filter((path) => !/\.txt$|^docs\/|^templates\/\.swp$/.test(path)));
    expect(kept('/build/')).toContain('files/build/out');
    expect(kept('!*.md')).toEqual([]);
  });

  test.each(['**/a', '[a', '[]', 'a\\', '[b-a]'])('refuses %s as Helm does', (rule) => {
    expect(() => parseIgnore(`a\n${rule}\n`)).toThrow('.helmignore:2: ');
  });

  test('answers at once whatever the pattern', () => {
    const ignored = parseIgnore(`${'*a'.repeat(200)}*b`);
    expect(ignored('a'.repeat(255), false)).toBe(false);
    expect(ignored(`${'a'.repeat(254)}b`, false)).toBe(true);
  });

  test('ends in rules or in a FormatError, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]^-\\*?!/#a.\n é') }), fc.string(), (rules, path) => {
        try {
          parseIgnore(rules)(path, false);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { numRuns: 5000 },
    );
  });

  judged('leaves out what helm package leaves out', ['helm', 'tar'], async () => {
    const source = join(folder, 'source');
    for (const path of [...paths, 'Chart.yaml']) {
      mkdirSync(dirname(join(source, path)), { recursive: true });
      writeFileSync(join(source, path), path === 'Chart.yaml' ? chartYaml : '');
    }
    for (const [at, rules] of cases.entries()) {
      if (rules === '?') continue;
      const chart = join(folder, `${at}/web`);
      cpSync(source, chart, { recursive: true });
      writeFileSync(join(chart, '.helmignore'), rules);
      await ok('helm', ['package', chart, '--destination', join(folder, `${at}`)]);
      const options = ['--quoting-style=literal', '-tzf', join(folder, `${at}/web-1.2.3.tgz`)];
      const listed = await ok('tar', options, { env: { LC_ALL: 'C.UTF-8' } });
      const theirs = listed
        .trim()
        .split('\n')
        .map((path) => path.slice('web/'.length));
      const ours = [...kept(rules), 'Chart.yaml', ...(parseIgnore(rules)('.helmignore', false) ? [] : ['.helmignore'])];
      expect([rules, ...theirs.sort()]).toEqual([rules, ...ours.sort()]);
    }
  });
});
