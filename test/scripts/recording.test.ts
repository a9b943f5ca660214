import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { castText, parseCast } from '../../scripts/recording/cast.ts';
import { recordings } from '../../scripts/recording/index.ts';
import { linesOf } from '../../scripts/recording/lines.ts';
import { recordingSvg } from '../../scripts/recording/svg.ts';
import { askPage } from '../support/browser.ts';
import { judged, scratch } from '../support/judges.ts';

const root = join(import.meta.dirname, '../..');
const cast = (...outputs: readonly string[]) => ({
  title: 'a & b',
  width: 10,
  height: 2,
  outputs: outputs.map((text, index) => ({ at: index, text })),
});

describe('the recordings of the docs', () => {
  const all = recordings();

  test.each(all)('%s is as its recording says, and a page shows it', (path, svg) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(svg);
    const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: root });
    expect(pages.some((page) => readFileSync(join(root, page), 'utf8').includes(`recordings/${path.slice(16)})`))).toBe(
      true,
    );
  });

  test.each(all)('%s has its lines as text, and asks nobody for anything', (_, svg) => {
    expect(svg).toContain('solpack pack 1.0.0 -o guestbook-1.0.0.iso');
    expect(svg).not.toMatch(/<script|<image|href=|url\(|@import/);
  });

  test('there is no other picture', () => {
    expect(globSync('docs/recordings/*.svg', { cwd: root }).sort()).toEqual(all.map(([path]) => path));
  });
});

describe('a recording', () => {
  test('is read back as it was written', () => {
    const one = cast('a\r\n', '\u001B[1mb\u001B[22m\r\n');
    expect(parseCast(castText(one))).toEqual(one);
    expect(() => parseCast('{"version": 1}\n')).toThrow('not asciicast v2');
  });

  test('has a line for each that was printed, also where it came in pieces or is too wide', () => {
    const lines = linesOf(cast('one', ' line\r\n\r\n', '\u001B[32mtwelve letters\u001B[39m!\r\n'));
    expect(lines.map(({ runs }) => runs.map(({ look, text }) => `${look} ${text}`))).toEqual([
      ['plain one', 'plain  line'],
      [],
      ['green twelve let'],
      ['green ters', 'plain !'],
    ]);
    expect(lines.map(({ at }) => at)).toEqual([1, 1, 2, 2]);
  });

  test('of a program that moves the cursor is refused', () => {
    expect(() => linesOf(cast('10 %\r20 %'))).toThrow('moves the cursor');
    expect(() => linesOf(cast('\u001B[2Jnew'))).toThrow('moves the cursor');
  });

  test('is text, whatever it says', () => {
    const svg = recordingSvg(cast('<b> & c\r\n'));
    expect(svg).toContain('<title>a &amp; b</title>');
    expect(svg).toContain('>&lt;b&gt; &amp; c</text>');
  });

  judged(
    'plays in a browser without a script, can be selected, and stands still for who wants no motion',
    ['chromium'],
    async () => {
      const svg = recordingSvg(cast('one\r\n', 'two\r\n', 'three\r\n'));
      const shown = await askPage<{ text: string; moves: string[]; ys: number[] }>(
        scratch('recording'),
        `<!doctype html><body>${svg}</body>`,
        `const lines = document.querySelector('.lines');
       const ys = document.getAnimations().filter((one) => one.effect.target === lines).flatMap((one) => {
         one.pause();
         return [0, one.effect.getComputedTiming().duration - 1].map((time) => {
           one.currentTime = time;
           return new DOMMatrix(getComputedStyle(lines).transform).f;
         });
       });
       getSelection().selectAllChildren(lines);
       return { text: getSelection().toString(), moves: document.getAnimations().map((one) => one.animationName), ys };`,
      );
      expect(shown.text.split(/\s+/).filter((word) => word !== '')).toEqual(['one', 'two', 'three']);
      expect(shown.moves.sort()).toEqual(['move', 'uncover']);
      expect(shown.ys).toEqual([0, -18]);
      expect(svg).toMatch(/@media \(prefers-reduced-motion: no-preference\) \{\n\.lines \{ animation/);
    },
  );
});
