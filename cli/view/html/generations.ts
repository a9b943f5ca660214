import type { HistoryResult } from '../../../lib/index.ts';
import { html, type Markup } from './markup.ts';
import type { PageSection } from './page.ts';

type Remembered = HistoryResult['generations'][number];

/** Shows what a cluster remembers as a line in time, and each generation in words, the newest first. */
export function generationsSection(generations: readonly Remembered[], suffix: string, of: string): PageSection {
  return {
    id: `generations${suffix}`,
    title: `Generations${of}`,
    amount: generations.length,
    body: html`${generations.length < 2 ? undefined : lineOf(generations)}<ol class="chain" reversed>${generations.map(generationOf)}</ol>`,
  };
}

function generationOf({ number, at, by, host, state, reason, cause, of, solutions }: Remembered): Markup {
  const why = cause === 'rollback' && of !== undefined ? `rollback to ${of}` : cause;
  const named = solutions.map(({ name, version }) => `${name} ${version}`).join(', ') || 'no Solution';
  const look = state === 'ready' ? 'good' : state === 'applying' ? 'fair' : 'bad';
  return html`<li><strong>${number}: ${named}</strong>
<span class="mark ${look}">${state}</span> ${why} of ${momentWords(at)} by ${by} on ${host}${reason === undefined ? undefined : html`<br><span class="bad">${reason}</span>`}</li>
`;
}

/** Draws when generations began: from the oldest at the left to the newest at the right. */
function lineOf(generations: readonly Remembered[]): Markup {
  const times = generations.map(({ at }) => Date.parse(at));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const dots = generations.map(({ number, at, state }, index) => {
    const share = last === first ? 0.5 : (times[index]! - first) / (last - first);
    return html`<circle cx="${Math.round(9600 * share) / 100 + 2}%" cy="50%" r="6" class="${state}"><title>${number}: ${state}, ${momentWords(at)}</title></circle>
`;
  });
  return html`<figure><svg class="line" role="img" aria-label="${generations.length} generations from ${momentWords(generations.at(-1)!.at)} to ${momentWords(generations[0]!.at)}; the list below has each."><line x1="2%" x2="98%" y1="50%" y2="50%"/>${dots}</svg>
<figcaption>From ${momentWords(generations.at(-1)!.at)} to ${momentWords(generations[0]!.at)}.</figcaption></figure>
`;
}

/** Writes a date and time of RFC 3339 in UTC to the second. */
export function momentWords(at: string): string {
  return at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
}
