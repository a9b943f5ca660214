import { exactJson } from '../../../lib/command.ts';
import type { DiffResult } from '../../../lib/index.ts';
import { count } from '../../io.ts';
import { html, type Markup } from './markup.ts';
import type { PageSection } from './page.ts';
import { bulletList, shownOf } from './parts.ts';

type Changed = DiffResult['objects']['changed'][number];
type ChangedField = Changed['fields'][number];

/** How many objects and fields are shown, and how many characters of a value. */
const MOST = { objects: 400, fields: 40, named: 400, value: 400 } as const;
/** How many objects may have the same change before it is reported once for all. */
const ALIKE = 3;

/** Shows definitions of custom resources that break objects which are stored already. */
export function definitionsSection({ definitions }: DiffResult): PageSection {
  const lines = definitions.map(({ definition, version, path, message }) => {
    const place = [version, path].filter((part) => part !== undefined && part !== '').join(' ');
    return html`<strong>${definition}</strong>${place === '' ? '' : ` ${place}`}: <span class="bad">${message}</span>`;
  });
  return {
    id: 'definitions',
    title: 'Definitions that break stored objects',
    amount: lines.length,
    alert: lines.length > 0,
    body: lines.length === 0 ? html`<p>None does.</p>` : bulletList(lines, MOST.named),
  };
}

/** Shows what became of objects, to the field: what is alike in many objects once. */
export function objectsSection({ objects: { added, removed, changed }, unproved }: DiffResult): PageSection {
  const alike = alikeIn(changed);
  const own = changed
    .map((one) => ({ ...one, fields: one.fields.filter((field) => !alike.has(exactJson(field))) }))
    .filter(({ fields }) => fields.length > 0);
  const all = added.length + removed.length + changed.length;
  return {
    id: 'objects',
    title: 'Objects',
    amount: all,
    body: html`${all === 0 ? html`<p>All objects are the same.</p>` : undefined}
${named('New', 'good', added)}${named('Gone', 'bad', removed)}
${changed.length === 0 ? undefined : html`<h3>Changed</h3>`}
${[...alike.values()].map(({ field, times }) => html`<div class="change"><p><strong>In ${count(times, 'object')}</strong></p>${fieldList([field])}</div>`)}
${own.slice(0, MOST.objects).map(
  ({ component, object, fields }) =>
    html`<div class="change"><p><strong>${object}</strong> <span class="dim">${component}</span></p>${fieldList(fields)}</div>
`,
)}
${shownOf(MOST.objects, own.length, 'object', 'solpack diff --json has all.')}
${unproved.length === 0 ? undefined : html`<p class="note">Not compared, because only the node can render it: ${unproved.join(', ')}.</p>`}`,
  };
}

function named(title: string, look: string, objects: DiffResult['objects']['added']): Markup | undefined {
  if (objects.length === 0) return undefined;
  const lines = objects.map(
    ({ object, component }) => html`<span class="${look}">${object}</span> <span class="dim">${component}</span>`,
  );
  return html`<h3>${title}</h3>${bulletList(lines, MOST.named)}`;
}

function alikeIn(changed: readonly Changed[]): Map<string, { field: ChangedField; times: number }> {
  const found = new Map<string, { field: ChangedField; times: number }>();
  for (const field of changed.flatMap(({ fields }) => fields)) {
    const key = exactJson(field);
    found.set(key, { field, times: (found.get(key)?.times ?? 0) + 1 });
  }
  return new Map([...found].filter(([, { times }]) => times > ALIKE));
}

function fieldList(fields: readonly ChangedField[]): Markup {
  const lines = fields.map(({ path, ...values }) => {
    if (!('from' in values || 'to' in values))
      return html`<code>${path}</code> <span class="dim">is different; its value is not shown</span>`;
    const from = values.from === undefined ? undefined : html` <del>${shownValue(values.from)}</del>`;
    const to = values.to === undefined ? undefined : html` <ins>${shownValue(values.to)}</ins>`;
    return html`<code>${path}</code>${from}${to}`;
  });
  return bulletList(lines, MOST.fields);
}

/** Writes a value of a field, as far as a page has room for it. */
export function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (exactJson(value) ?? '');
  return text.length > MOST.value ? `${text.slice(0, MOST.value)}…` : text;
}
