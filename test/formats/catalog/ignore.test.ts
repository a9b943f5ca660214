import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseIndexIgnore } from '../../../formats/catalog/ignore.ts';
import { judged, run, scratch } from '../../support/judges.ts';

const paths = [
  'README.md',
  'a/README.md',
  'a/b/c.yaml',
  'a/b/d.json',
  'a/drafts/e.yaml',
  'drafts',
  'x/y/z/catalog.yaml',
  'x/catalog.yaml',
  'x/#hash',
  'x/!mark',
  'x/space ',
  'x/[set].yaml',
  'k1.yaml',
  'k2.yaml',
  'kx.yaml',
];

const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['names', { '': '*.md\ndrafts\n' }],
  ['folders alone', { '': 'drafts/\n' }],
  ['paths from the root', { '': '/README.md\na/b/*.json\n' }],
  ['any depth', { '': '**/catalog.yaml\n' }],
  ['any depth between', { '': 'x/**/catalog.yaml\n' }],
  ['all below', { '': 'x/**\n!x/catalog.yaml\n' }],
  ['exceptions', { '': '*.yaml\n!k1.yaml\n' }],
  ['no exception in a folder that is left out', { '': 'x\n!x/catalog.yaml\n' }],
  ['escapes, comments and spaces', { '': '# all\n\\#hash\n\\!mark\nspace\\ \nREADME.md   \n\r\n' }],
  ['sets', { '': 'k[0-9].yaml\n' }],
  ['sets that are inverted', { '': 'k[!0-9].yaml\n' }],
  ['files in folders', { '': '*.yaml\n', x: '!*.yaml\n', 'x/y': 'z/\n' }],
];

const ignored = (files: Readonly<Record<string, string>>): string[] => {
  const isIgnored = parseIndexIgnore(new Map(Object.entries(files)));
  return paths.filter((path) => isIgnored(path));
};

describe('an .indexignore file leaves out what git leaves out', () => {
  const folder = scratch('indexignore');
  for (const [name, files] of cases) {
    judged(`by ${name}`, ['git'], async () => {
      const home = join(folder, name.replaceAll(' ', '-'));
      for (const path of paths) {
        mkdirSync(join(home, dirname(path)), { recursive: true });
        writeFileSync(join(home, path), '');
      }
      for (const [at, text] of Object.entries(files)) writeFileSync(join(home, at, '.gitignore'), text);
      await run('git', ['init', '-q', home]);
      const asked = await run('git', [
        '-C',
        home,
        '-c',
        'core.quotePath=false',
        'check-ignore',
        '--no-index',
        ...paths,
      ]);
      const said = asked.stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.replace(/^"|"$/g, ''));
      expect(ignored(files)).toEqual(paths.filter((path) => said.includes(path)));
    });
  }
});

test('a pattern of an .indexignore file that is not well-formed is refused by its line', () => {
  expect(() => ignored({ a: 'x\nk[\n' })).toThrow('a/.indexignore:2: the pattern k[ is not well-formed');
});
