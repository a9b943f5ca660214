import { expect, test } from 'vitest';
import { diffPage } from '../../../../cli/view/html/diff-page.ts';
import { comparisonOf, hostile } from '../../../support/pages/described.ts';

const plainPage = diffPage(comparisonOf((number) => `word-${number}`));

test('what an approver has to agree to comes first: rights, then definitions, then signers', () => {
  const ids = [...plainPage.matchAll(/<section id="([a-z]+)"[^>]* class="([a-z]+)"/g)].map(
    ([, id, look]) => `${id} ${look}`,
  );
  expect(ids.slice(0, 3)).toEqual(['rights alert', 'definitions alert', 'signers alert']);
  expect(plainPage.match(/<strong class="bad">reads the Secrets of all namespaces/g)).toHaveLength(1);
  expect(plainPage).toContain('<strong>get, list</strong> secrets');
});

test('nothing that an archive says becomes an element, whichever field it stands in', () => {
  const elements = (page: string): string[] => page.match(/<[^\s>]*/g) ?? [];
  const page = diffPage(comparisonOf((number) => `${hostile[number % hostile.length]}${number}`));
  expect(elements(page)).toEqual(elements(plainPage));
});

test('packages that changed are reported by their versions, and what is the same is not', () => {
  expect(plainPage).toMatch(/<th scope="row">zlib<\/th>.*changed.*<del>1.2<\/del> <ins>1.3<\/ins>/);
  expect(plainPage).not.toContain('<th scope="row">same</th>');
});

test('two of the same say so, and nothing else', () => {
  const comparison = comparisonOf((number) => `word-${number}`);
  const page = diffPage({ ...comparison, result: { ...comparison.result, same: true } });
  expect(page).toContain('Nothing is different');
  expect(page).not.toContain('id="rights"');
});

test('a definition has neither signers nor packages, which are left out', () => {
  const page = diffPage({ ...comparisonOf((number) => `word-${number}`), from: undefined });
  expect(page).not.toContain('id="signers"');
  expect(page).not.toContain('id="packages"');
});
