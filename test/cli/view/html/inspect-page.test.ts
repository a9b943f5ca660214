import { expect, test } from 'vitest';
import { inspectPage } from '../../../../cli/view/html/inspect-page.ts';
import { policy } from '../../../../cli/view/html/page.ts';
import { describedOf, hostile } from '../../../support/pages/described.ts';

const plainPage = (count: number): string => inspectPage(describedOf(count, (number) => `word-${number}`));

test('the same archive gives the same page, which names a policy that lets nothing in', () => {
  const page = plainPage(3);
  expect(plainPage(3)).toBe(page);
  expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy().replaceAll("'", '&#39;')}">`);
  expect(policy()).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/,
  );
});

test('nothing that an archive says becomes an element, whichever field it stands in', () => {
  const elements = (page: string): string[] => page.match(/<[^\s>]*/g) ?? [];
  const page = inspectPage(describedOf(7, (number) => `${hostile[number % hostile.length]}${number}`));
  expect(elements(page)).toEqual(elements(plainPage(7)));
  expect(page.match(/<script/g)).toHaveLength(1);
});

test('a page asks for nothing elsewhere', () => {
  expect(plainPage(2)).not.toMatch(/ (?:src|href|action)="(?!#)/);
});

test('each part has a heading, by which it is named, and an entry in the contents', () => {
  const page = plainPage(3);
  const entries = [...page.matchAll(/<a href="#([a-z]+)">/g)].map(([, id]) => id);
  for (const id of entries.slice(1)) {
    expect(page).toContain(`<section id="${id}" aria-labelledby="${id}-title"`);
    expect(page).toContain(`<h2 id="${id}-title">`);
  }
  expect(page.match(/<h1>/g)).toHaveLength(1);
  expect(page).toContain('<html lang="en">');
});

test('what reaches far stands in a row of its own, and what nobody knows is said', () => {
  const page = plainPage(1);
  expect(page).toMatch(/<tr class="alert"><th scope="row">word-\d+<\/th>/);
  expect(page).toContain('<h3>Not known</h3>');
});

test('200 images with 3000 packages have a page below 2 MiB', () => {
  expect(Buffer.byteLength(plainPage(200))).toBeLessThan(2 * 1024 * 1024);
});
