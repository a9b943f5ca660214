import type { SolutionRights } from '../../../lib/index.ts';
import { count } from '../../io.ts';
import { html, type Markup } from './markup.ts';
import type { PageSection } from './page.ts';
import { bulletList, foldOf, shownOf, tableOf } from './parts.ts';

type Given = SolutionRights['subjects'][number];

/** How many accounts are shown, and how many rights of each. */
const MOST = { subjects: 60, rights: 40, needed: 300 } as const;

/** Shows what a Solution's accounts may do, what reaches further than it seems first, and what solpack needs. */
export function rightsSection({ subjects, needed, unknown }: SolutionRights): PageSection {
  const strong = subjects.flatMap(({ subject, rights }) =>
    rights.flatMap((right) => (right.power === undefined ? [] : [{ subject, right, power: right.power }])),
  );
  return {
    id: 'rights',
    title: 'What it may do in the cluster',
    ...(strong.length === 0 ? {} : { amount: strong.length }),
    alert: strong.length > 0,
    body: html`${
      strong.length === 0
        ? html`<p>No account gets a right that is known to be dangerous.</p>`
        : tableOf({
            caption: 'Rights that reach far',
            columns: ['Who', 'What that allows', 'By the right to', 'Where'],
            rows: strong.map(({ subject, right, power }) => [
              subject,
              html`<strong class="bad">${power}</strong>`,
              rightWords(right),
              rightPlace(right.namespace),
            ]),
            look: () => 'alert',
          })
    }
${unknown.length === 0 ? undefined : html`<h3>Not known</h3>${bulletList(unknown.map(({ component, reason }) => html`component ${component}: ${reason}`))}`}
<h3>All rights, by account</h3>
${subjects.length === 0 ? html`<p>It grants no rights.</p>` : subjects.slice(0, MOST.subjects).map(subjectOf)}
${shownOf(MOST.subjects, subjects.length, 'account', 'solpack inspect --rights prints all.')}
<h3>Rights that solpack needs to install it</h3>
${foldOf(
  count(needed.length, 'right'),
  tableOf({
    caption: 'What solpack has to be allowed',
    columns: ['What', 'Verbs', 'Where'],
    rows: needed
      .slice(0, MOST.needed)
      .map(({ group, resource, verbs, namespace }) => [
        resourceWords({ group, resource }),
        verbs.join(', '),
        rightPlace(namespace),
      ]),
  }),
)}`,
  };
}

function subjectOf({ subject, rights }: Given): Markup {
  return foldOf(
    html`${subject} <span class="dim">${count(rights.length, 'right')}</span>`,
    bulletList(
      rights.map((right) => html`${rightWords(right)} ${rightPlace(right.namespace)}`),
      MOST.rights,
    ),
  );
}

function rightWords({ verbs, name, ...what }: Given['rights'][number]): string {
  return `${verbs.join(', ')} ${resourceWords(what)}${name === '*' ? '' : ` ${name}`}`;
}

/** Names a resource with its API group, as `kubectl` does. */
export function resourceWords({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Returns where a right holds. */
export function rightPlace(namespace: string): string {
  return namespace === '*' ? 'everywhere' : `in ${namespace}`;
}
