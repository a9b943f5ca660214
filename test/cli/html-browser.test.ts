import { expect } from 'vitest';
import { diffPage } from '../../cli/view/html/diff-page.ts';
import { inspectPage } from '../../cli/view/html/inspect-page.ts';
import { servePage } from '../../cli/view/html/serve-page.ts';
import { statusPage } from '../../cli/view/html/status-page.ts';
import { askPage, barriersOf, overhangOf, showPage } from '../support/browser.ts';
import { judged, scratch } from '../support/judges.ts';
import { comparisonOf, describedOf, hostile } from '../support/pages/described.ts';
import { shownServingOf } from '../support/pages/serving.ts';
import { shownStatusOf } from '../support/pages/status.ts';

const folder = scratch('html-browser');

const hostilePages = (): [string, string][] => {
  const word = (number: number): string => `${hostile[number % hostile.length]}${number}`;
  return [
    ['inspect', inspectPage(describedOf(7, word))],
    ['diff', diffPage(comparisonOf(word))],
    ['serve', servePage(shownServingOf(word))],
    ['status', statusPage([shownStatusOf(word), shownStatusOf((number) => `other ${word(number)}`)])],
  ];
};

judged('pages of hostile archives run nothing, ask for nothing, and break no policy', ['chromium'], async () => {
  for (const [name, text] of hostilePages()) {
    const { dom, told } = await showPage(folder, text);
    expect([name, told]).toEqual([name, []]);
    expect(dom).not.toContain('<title>broken');
    expect(dom.match(/<(?:img|iframe|object|link|form)\b/g)).toBeNull();
    // The script of the page ran: without it, the field for searching is hidden.
    expect(dom).not.toMatch(/data-search="[^"]*" hidden/);
  }
});

judged(
  'nobody is kept out: axe-core finds nothing, on a narrow and on a wide screen',
  ['chromium', 'axe-core'],
  async () => {
    expect(await barriersOf(folder, '<html><body><img src="x"></body></html>')).not.toEqual([]);
    for (const text of hostilePages().map(([, hostileText]) => hostileText)) {
      for (const width of [500, 1280]) expect(await barriersOf(folder, text, width)).toEqual([]);
    }
  },
);

judged('nothing is wider than a screen, from 320 pixels on', ['chromium'], async () => {
  for (const [name, text] of hostilePages()) {
    for (const width of [320, 768, 1440]) {
      expect([name, width, await overhangOf(folder, text, width)]).toEqual([name, width, 0]);
    }
  }
});

judged('the field for searching hides what has not all words', ['chromium'], async () => {
  const text = inspectPage(describedOf(3, (number) => `word-${number}`));
  const script = `const input = document.querySelector('input');
      input.value = 'WORD  -44';
      input.dispatchEvent(new Event('input'));
      const rows = [...document.querySelectorAll('#packages-table tbody tr')];
      return [rows.filter((row) => !row.hidden).length, rows.length, document.querySelector('[role=status]').textContent];`;
  const [shown, all, told] = await askPage<[number, number, string]>(folder, text, script);
  expect([all, told]).toEqual([45, `${shown} of 45`]);
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(45);
});
