import { count } from '../../io.ts';
import { html, type Markup, type TemplatePart } from './markup.ts';

/** What a table of a page is made of. */
export interface Table {
  /** Tells people who do not see the table what it is. */
  readonly caption: string;
  /** Those of numbers are aligned at their ends. */
  readonly columns: readonly (string | { readonly number: string })[];
  readonly rows: readonly (readonly TemplatePart[])[];
  /** For `searchFor`. */
  readonly id?: string;
  /** What a row is to be seen as, by its number. */
  readonly look?: (row: number) => 'added' | 'removed' | 'alert' | 'plain';
}

/**
 * Makes a table. On a narrow screen each row stands as a block, with the names of the columns before what is in them.
 */
export function tableOf({ caption, columns, rows, id, look = () => 'plain' }: Table): Markup {
  const heads = columns.map((column) => (typeof column === 'string' ? column : column.number));
  const looks = columns.map((column) => (typeof column === 'string' ? 'text' : 'number'));
  const cell = (part: TemplatePart, at: number): Markup =>
    at === 0
      ? html`<th scope="row">${part}</th>`
      : html`<td class="${looks[at]}" data-label="${heads[at]}">${part}</td>`;
  return html`${id === undefined ? html`<table>` : html`<table id="${id}">`}
<caption>${caption}</caption>
<thead><tr>${heads.map((head, at) => html`<th scope="col" class="${looks[at]}">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row, at) => html`<tr class="${look(at)}">${row.map(cell)}</tr>
`,
  )}</tbody>
</table>
`;
}

/** Makes a field that searches a table, for browsers that run the script of the page. */
export function searchFor(table: string, label: string): Markup {
  return html`<div class="search" data-search="${table}" hidden><label>${label} <input type="search" autocomplete="off" spellcheck="false"></label> <span role="status"></span></div>`;
}

/** Makes a list of names and what belongs to them. What is undefined is left out. */
export function factList(
  facts: readonly (readonly [name: string, fact: TemplatePart])[],
  look: 'short' | 'wide' = 'short',
): Markup {
  return html`<dl class="facts ${look}">${facts.map(([name, fact]) =>
    fact === undefined
      ? undefined
      : html`<div><dt>${name}</dt><dd>${fact}</dd></div>
`,
  )}</dl>`;
}

/** Makes something that opens: in print, and where it is short, it is open. */
export function foldOf(title: TemplatePart, body: Markup): Markup {
  return html`<details><summary>${title}</summary>${body}</details>
`;
}

/** Makes a list; with `most`, it ends with how many more there are. */
export function bulletList(items: readonly TemplatePart[], most: number = Number.POSITIVE_INFINITY): Markup {
  const left = items.length - most;
  return html`<ul>${items.slice(0, most).map(
    (item) => html`<li>${item}</li>
`,
  )}${left > 0 ? html`<li class="dim">and ${left} more</li>` : undefined}</ul>`;
}

/** Names what is said about things, with as many as a page can show. */
export function shownOf(shown: number, all: number, noun: string, rest: string): Markup | undefined {
  return all <= shown ? undefined : html`<p class="note">The first ${shown} of ${count(all, noun)}. ${rest}</p>`;
}

/** Writes what is for programs, such as a digest. */
export function code(text: string): Markup {
  return html`<code>${text}</code>`;
}
