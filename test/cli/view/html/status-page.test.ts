import { expect, test } from 'vitest';
import { statusPage } from '../../../../cli/view/html/status-page.ts';
import { hostile } from '../../../support/pages/described.ts';
import { shownStatusOf } from '../../../support/pages/status.ts';

const shown = shownStatusOf((number) => `word-${number}`);
const page = statusPage([shown]);

test('what is amiss comes first, with who changed a field and when', () => {
  expect(/<section id="([a-z]+)"[^>]* class="alert"/.exec(page)?.[1]).toBe('amiss');
  expect(page).toMatch(/<td[^>]*>2026-01-02 03:04:05 UTC<\/td>/);
  expect(page).toContain('<span class="bad">gone</span>');
});

test('generations are a line in time, and a list with the newest first', () => {
  expect([...page.matchAll(/<circle cx="([\d.]+)%"/g)].map(([, share]) => Number(share))).toEqual([98, 50, 2]);
  expect([...page.matchAll(/<li><strong>(\d): /g)].map(([, number]) => number)).toEqual(['3', '2', '1']);
  expect(page).toContain('rollback to 1 of 2026-01-02 00:00:00 UTC');
});

test('several configurations are told apart on one page', () => {
  const both = statusPage([shown, shown]);
  const ids = [...both.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(both).toContain('<h1>2 configurations</h1>');
});

test('nothing that a cluster says becomes an element, whichever field it stands in', () => {
  const elements = (text: string): string[] => text.match(/<[^\s>]*/g) ?? [];
  expect(elements(statusPage([shownStatusOf((number) => `${hostile[number % hostile.length]}${number}`)]))).toEqual(
    elements(page),
  );
});
