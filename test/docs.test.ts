import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, declares, definitionIn, linksIn, pathsIn, rowsOf } from './support/docs.ts';

const root = dirname(import.meta.dirname);
const pages = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root }).sort()];
const development = read('docs/development.md');
const glossary = read('docs/glossary.md');
const whereToLook = read('docs/where-to-look.md');
const forDevelopers = [development, glossary, whereToLook, read('docs/building.md'), read('docs/testing.md')];

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function exists(path: string): boolean {
  return globSync(path, { cwd: root }).length > 0;
}

/** Every link of a page that leads nowhere. */
function broken(path: string, page: string): string[] {
  return linksIn(page)
    .filter(({ file, anchor }) => {
      const target = file === '' ? path : join(dirname(path), file);
      if (!exists(target)) return true;
      return anchor !== undefined && !anchorsOf(file === '' ? page : read(target)).has(anchor);
    })
    .map(({ file, anchor }) => `${path}: ${file}${anchor === undefined ? '' : `#${anchor}`}`);
}

/** Every path of a page that is not there. */
function missing(page: string): string[] {
  return pathsIn(page).filter((path) => !exists(path));
}

/** Every word of the glossary that the file it names does not define. */
function undefinedWords(page: string): string[] {
  return rowsOf(page)
    .map((cells) => definitionIn(cells.at(-1)!))
    .filter((word) => word !== undefined)
    .filter(({ name, path }) => !exists(path) || !declares(read(path), name))
    .map(({ name, path }) => `${name} in ${path}`);
}

/**
 * The rooms of `lib` and `formats` that the drawing of the house does not name in their layer's line, nor the page by
 * path.
 */
function unnamedRooms(page: string): string[] {
  const plan = /```text\n(cli\/[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const paths = new Set(pathsIn(page));
  const isNamed = (line: string | undefined, name: string): boolean => line?.split(/\s+/).includes(name) ?? false;
  const layers = ['flows', 'shared', 'parts', 'kernel'].map((name) => {
    const line = plan.split('\n').find((text) => text.trimStart().startsWith(`${name}/ `));
    return { folder: `lib/${name}`, text: line };
  });
  return [...layers, { folder: 'formats', text: plan.slice(plan.indexOf('formats/')) }].flatMap(({ folder, text }) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => folder !== 'formats' || entry.isDirectory())
      .map(({ name }) => ({ name, path: `${folder}/${name}` }))
      .filter(({ name, path }) => !isNamed(text, name) && !paths.has(path))
      .map(({ path }) => path),
  );
}

describe('the pages', () => {
  test('name no file of the project that is not there', () => {
    expect(forDevelopers.flatMap(pathsIn).length).toBeGreaterThan(300);
    expect(forDevelopers.flatMap(missing)).toEqual([]);
    const sources = (path: string): string[] => missing(read(path)).filter((found) => found.endsWith('.ts'));
    expect(pages.flatMap((path) => sources(path).map((found) => `${path}: ${found}`))).toEqual([]);
  });

  test('are those that messages and comments of the sources name', () => {
    const sources = globSync('{cli,formats,lib,scripts}/**/*.ts', { cwd: root });
    const named = sources.flatMap((path) => [...read(path).matchAll(/\bdocs\/[a-z-]+\.md\b/g)].map(([page]) => page));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((page) => !exists(page))).toEqual([]);
  });

  test('have no link that leads nowhere', () => {
    expect(pages.flatMap((path) => broken(path, read(path)))).toEqual([]);
  });

  test('are all listed in the README', () => {
    const listed = new Set(linksIn(read('README.md')).map(({ file }) => file));
    expect(globSync('docs/*.md', { cwd: root }).filter((path) => !listed.has(path))).toEqual([]);
  });

  test('show a developer every room of the house', () => {
    expect(unnamedRooms(development)).toEqual([]);
  });

  test('tell a developer where each word is defined, and have each once', () => {
    const words = rowsOf(glossary).flatMap(([word = '']) => word.split(', '));
    expect(words.length).toBeGreaterThan(80);
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
    expect(undefinedWords(glossary)).toEqual([]);
  });

  test('tell a developer where to look: code, a test and a page for each question', () => {
    const rows = rowsOf(whereToLook);
    expect(rows.length).toBeGreaterThan(25);
    const poor = rows.filter(([, code = '', judge = '', page = '']) => !code || !/`/.test(judge) || !page);
    expect(poor).toEqual([]);
  });
});

test('no schema of what commands print forbids fields that a later release adds', () => {
  const schemas = globSync('docs/schemas/*.json', { cwd: root });
  expect(schemas.length).toBeGreaterThan(10);
  expect(schemas.filter((path) => /"(?:additional|unevaluated)Properties": false/.test(read(path)))).toEqual([]);
});

describe('what is planted is found', () => {
  test('a file that is gone, also behind a pattern', () => {
    expect(
      missing('`lib/kernel/content/model.ts`, `lib/gone.ts`, `test/contracts/registry-*.test.ts`, `lib/gone-*.ts`'),
    ).toEqual(['lib/gone.ts', 'lib/gone-*.ts']);
  });

  test('paths of users, in blocks and elsewhere, are none of the project', () => {
    expect(pathsIn('`/srv/a.iso`, `blobs/sha256/HEX`\n\n```sh\ncat `lib/gone.ts`\n```\n')).toEqual([]);
  });

  test('a link to a page, to a heading of it, and to one of its own', () => {
    const page =
      '# A\n\n[1](gone.md) [2](trust.md#gone) [3](#a) [4](#b) [5](trust.md#policy) [6](https://example.com/#x)\n';
    expect(broken('docs/development.md', page)).toEqual([
      'docs/development.md: gone.md',
      'docs/development.md: trust.md#gone',
      'docs/development.md: #b',
    ]);
  });

  test('a word that its file does not define', () => {
    const rows =
      '| word | meaning | defined in |\n| --- | --- | --- |\n| a | b | `Gone` in `lib/kernel/content/model.ts` |\n';
    const page = `# A\n\n## B\n\n${rows}| c | d | \`Finding\` in \`lib/kernel/content/model.ts\` |\n\n## C\n`;
    expect(undefinedWords(page)).toEqual(['Gone in lib/kernel/content/model.ts']);
  });

  test('a room that the plan leaves out', () => {
    const page = development.replace(/^( +parts\/ .*) sbom /m, '$1 ').replaceAll('`lib/kernel/suggest.ts`', '');
    expect(unnamedRooms(page)).toEqual(['lib/parts/sbom', 'lib/kernel/suggest.ts']);
  });
});
