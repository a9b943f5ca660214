import { createHash } from 'node:crypto';
import { html, type Markup } from './markup.ts';
import { pageScript } from './script.ts';
import { pageStyle } from './style.ts';

/** A part of a page, with a heading and an entry in its contents. */
export interface PageSection {
  /** Unique on the page; a name for an address. */
  readonly id: string;
  readonly title: string;
  /** Its amount, beside the entry; left out where that says nothing. */
  readonly amount?: string | number;
  /** Whether somebody has to look at it. */
  readonly alert?: boolean;
  readonly body: Markup;
}

/** A whole page. */
export interface PageContent {
  /** What a browser shows as its title. */
  readonly title: string;
  /** Name, facts: what stands above everything else, with the one heading of the first level. */
  readonly head: Markup;
  readonly sections: readonly PageSection[];
  /** Where it is from, at the end. */
  readonly foot: Markup;
}

/**
 * Makes a page as one HTML document, which loads nothing and runs one script of its own, for searching alone. The same
 * values give the same bytes.
 */
export function pageText({ title, head, sections, foot }: PageContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>${head}</header>
<nav aria-label="On this page"><ul>${sections.map(entryOf)}</ul></nav>
<main id="main" tabindex="-1">${sections.map(sectionOf)}</main>
<footer>${foot}</footer>
<script>${pageScript}</script>
</body>
</html>
`.text;
}

/** What a browser may do with a page: nothing but show it, in its own style, and run its own script. */
export function policy(): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(pageStyle)}'`,
    `script-src '${hashOf(pageScript)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Names the bytes of an element as CSP does (Content Security Policy Level 3, "hash-source"). */
function hashOf({ text }: Markup): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function entryOf({ id, title, amount, alert }: PageSection): Markup {
  const more = amount === undefined ? undefined : html` <span class="amount">${amount}</span>`;
  return html`<li class="${alert ? 'alert' : 'calm'}"><a href="#${id}">${title}${more}</a></li>`;
}

function sectionOf({ id, title, alert, body }: PageSection): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title" class="${alert ? 'alert' : 'calm'}">
<h2 id="${id}-title">${title}</h2>
${body}
</section>
`;
}
