import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { docFiles } from '../../cli/doc-files.ts';
import { findDoc } from '../../cli/docs.ts';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, succeeds } from '../support/cli.ts';
import { anchorsOf } from '../support/docs.ts';

const root = join(import.meta.dirname, '../..');

describe('docs', () => {
  test('lists all pages with their titles', async () => {
    const listed = await succeeds(['docs']);
    expect(listed).toMatch(/^trust +Trust/m);
    const { pages } = jsonSchemas.docs.parse(JSON.parse(await succeeds(['docs', '--json'])));
    const files = globSync(['docs/*.md', 'README.md', 'SECURITY.md'], { cwd: root });
    expect(pages.map(({ name }) => name)).toEqual(files.map((path) => basename(path, '.md').toLowerCase()).sort());
    expect(await succeeds(['docs', 'README.md'])).toMatch(/^solpack\n/);
  });

  test('prints a page, a section of it, and either as it was written', async () => {
    const page = await succeeds(['docs', 'pages']);
    expect(page).toMatch(/^HTML pages\n\n/);
    expect(page).toContain('\n    solpack inspect guestbook-1.1.0.iso --html guestbook.html\n');
    const section = await succeeds(['docs', 'docs/pages.md#the-page-of-a-cluster']);
    expect(section).toMatch(/^The page of a cluster\n\n/);
    expect(section).not.toContain('HTML pages');
    const source = readFileSync(join(root, 'docs/pages.md'), 'utf8');
    expect(await succeeds(['docs', 'pages', '--markdown'])).toBe(source);
  });

  test('tells what was probably meant', async () => {
    for (const [topic, meant] of [
      ['trsut', 'did you mean trust?'],
      ['trust#polcy', 'did you mean trust#policy?'],
      ['../package', '"solpack docs" lists all pages'],
    ] as const) {
      const { code, stderr } = await solpack(['docs', topic]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(meant)]);
    }
  });

  test('knows every page and section that a message, a help text or a page names', async () => {
    const files = await docFiles();
    const paths = globSync(['cli/**/*.ts', 'lib/**/*.ts', 'formats/**/*.ts', 'docs/*.md'], { cwd: root });
    const named = new Set(
      paths.flatMap(
        (path) => readFileSync(join(root, path), 'utf8').match(/docs\/[a-z0-9-]+\.md(?:#[a-z0-9-]+)?/g) ?? [],
      ),
    );
    const commands = paths.flatMap((path) => [
      ...readFileSync(join(root, path), 'utf8').matchAll(/solpack docs ([a-z0-9-]+(?:#[a-z0-9-]+)?)["`]/g),
    ]);
    for (const [, topic = ''] of commands) named.add(topic);
    expect(named.size).toBeGreaterThan(10);
    for (const topic of named) expect((await findDoc(files, topic)).text).not.toBe('');
  });

  test('is how messages name a page, because whoever has only the executable has no files', () => {
    const paths = globSync(['cli/**/*.ts', 'lib/**/*.ts', 'formats/**/*.ts'], { cwd: root });
    const naming = paths.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .filter((line) => /docs\/[a-z0-9-]+\.md/.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line))
        .map(() => path),
    );
    // What the command itself takes.
    expect([...new Set(naming)]).toEqual(['cli/commands/docs.ts']);
  });

  test('names sections as links do', async () => {
    const files = await docFiles();
    for (const [name, text] of files) {
      for (const anchor of anchorsOf(text))
        expect((await findDoc(files, `${name}#${anchor}`)).name).toBe(`${name}#${anchor}`);
    }
  });
});
