import { expect, test } from 'vitest';
import { servePage } from '../../../../cli/view/html/serve-page.ts';
import { hostile } from '../../../support/pages/described.ts';
import { shownServingOf } from '../../../support/pages/serving.ts';

const shown = shownServingOf((number) => `word-${number}`);
const page = servePage(shown);
const sections = (text: string): string[] => [...text.matchAll(/<section id="([a-z]+)"/g)].map(([, id]) => id!);

test('what is not served comes first, then archives, Solutions, clients, images and what was pushed', () => {
  expect(sections(page)).toEqual(['missing', 'archives', 'solutions', 'clients', 'images', 'pushed']);
  expect(/<section id="([a-z]+)"[^>]* class="alert"/.exec(page)?.[1]).toBe('missing');
  expect(page).toContain('<span class="bad">no version</span>');
  expect(page).toContain('As of 2026-01-02T03:04:05Z.');
});

test('what there is none of has no section', () => {
  const { served, clients } = shown;
  const none = { archives: [], missing: [], configuration: undefined, registries: [], pushed: [] };
  const bare = servePage({ served: { ...served, ...none }, clients, cluster: undefined });
  expect(sections(bare)).toEqual(['archives', 'clients']);
  expect(bare).toContain('all is served');
});

test('a cluster that was not asked yet, or does not answer, is reported as such', () => {
  const cluster = { at: undefined, failure: undefined, solutions: [] };
  expect(servePage({ ...shown, cluster })).toContain('The cluster is being asked.');
  expect(servePage({ ...shown, cluster: { ...cluster, failure: 'no-route' } })).toContain('did not answer: no-route');
});

test('nothing that an archive, a client or a cluster says becomes an element, whichever field it stands in', () => {
  const elements = (text: string): string[] => text.match(/<[^\s>]*/g) ?? [];
  const word = (number: number): string => `${hostile[number % hostile.length]}${number}`;
  expect(elements(servePage(shownServingOf(word)))).toEqual(elements(page));
});

test('the page has at most 1 MiB, whatever is served, and says what it leaves out', () => {
  const long = 'n'.repeat(200);
  for (const word of [
    `registry.example.com/${long}`,
    `"<'&`.repeat(100),
    '\u202e'.repeat(300),
    '\u{1F4A5}'.repeat(100),
  ]) {
    const text = servePage(shownServingOf((number) => `${word}${number}`, 10_000));
    expect(Buffer.byteLength(text)).toBeLessThan(2 ** 20);
    expect(text).toMatch(/The first \d+ of 20000 images\. The registry lists all/);
    expect(text).toMatch(/The first \d+ of 10000 names\./);
  }
  const short = servePage(shownServingOf((number) => `registry.example.com/team/app-${number}:1.0.0`, 500));
  expect(short).not.toContain('The first');
});

test('tables are made once for a state, however often the page is asked for', () => {
  const many = shownServingOf((number) => `word-${number}`, 10_000);
  const first = servePage(many);
  // A state is never changed: what is seen of a change would have been made anew.
  (many.served.archives[0]!.images as string[])[0] = 'changed';
  expect(servePage(many)).toBe(first);
});
