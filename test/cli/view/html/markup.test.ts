import { expect, test } from 'vitest';
import { html } from '../../../../cli/view/html/markup.ts';
import { hostile } from '../../../support/pages/described.ts';

test('texts are escaped, and markup of other templates is not', () => {
  expect(html`<p title="${'a"b'}">${html`<b>${'<&>'}</b>`} ${3}${undefined}${[html`<i>${"'"}</i>`]}</p>`.text).toBe(
    '<p title="a&quot;b"><b>&lt;&amp;&gt;</b> 3<i>&#39;</i></p>',
  );
});

test.each(hostile)('%j stays a text', (text) => {
  const { text: made } = html`<p title="${text}">${text}</p>`;
  expect(made.match(/[<>]/g)).toHaveLength(4);
  expect(made.match(/"/g)).toHaveLength(2);
  expect(made).not.toMatch(/[\u0000-\u001f\u202e\u2028]/);
});

test.each([
  ['an attribute without quotation marks', () => html`<p title=${'x'}>`],
  ['the name of an attribute', () => html`<p ${'x'}="y">`],
  ['the name of an element', () => html`<${'x'}>`],
  ['a place behind a closed attribute', () => html`<p title="${'x'}"${'y'}>`],
])('nothing can be put into %s', (_, make) => {
  expect(make).toThrow(/nothing can be put in safely/);
});
