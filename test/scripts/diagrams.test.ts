import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawn } from '../../scripts/diagrams/draw.ts';
import { diagrams } from '../../scripts/diagrams/index.ts';

const root = join(import.meta.dirname, '../..');

describe('the diagrams of the docs', async () => {
  const all = await diagrams();
  const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );

  test.each(all)('%s is as its source says, and a page shows it', (path, svg) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(svg);
    const name = path.slice(path.lastIndexOf('/') + 1);
    expect(pages.some((page) => page.includes(`diagrams/${name})`))).toBe(true);
  });

  test.each(all)('%s has text and a title, and asks nobody for anything', (_, svg) => {
    expect(svg).toMatch(/^<svg role="img"[^>]*>\n<title>.+<\/title>/);
    expect(svg).toContain('<text');
    expect(svg).not.toMatch(/<script|<image|href=|url\(|@import/);
  });

  test('there is no other file of a diagram', () => {
    const files = globSync('docs/diagrams/*.svg', { cwd: root }).sort();
    expect(files).toEqual(all.map(([path]) => path).sort());
  });
});

test('a title is text, whatever it says', async () => {
  expect(await drawn('digraph { a -> b }', 'a < b & c')).toContain('<title>a &lt; b &amp; c</title>');
});
