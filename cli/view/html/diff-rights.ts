import type { ArchiveDescription, DiffResult } from '../../../lib/index.ts';
import { html } from './markup.ts';
import type { PageSection } from './page.ts';
import { shownOf, tableOf } from './parts.ts';
import { resourceWords, rightPlace } from './rights.ts';

type AddedRight = DiffResult['rights'][number];

/** Verbs that are asked for in addition of what is otherwise one right. */
interface JoinedRight extends AddedRight {
  readonly verbs: readonly string[];
  /** What it allows that is more than it seems; undefined where it does not, or if it is unknown. */
  readonly power: string | undefined;
}

const MOST = 500;

/** Shows the rights that the newer release asks for in addition: what reaches furthest first. */
export function addedRightsSection({ rights, unproved }: DiffResult, to: ArchiveDescription | undefined): PageSection {
  const rows = joinedRights(rights, to);
  const unknown =
    unproved.length === 0
      ? undefined
      : html`<p class="note">Not compared, because only the node can render it: ${unproved.join(', ')}.</p>`;
  return {
    id: 'rights',
    title: 'Additional rights',
    amount: rows.length,
    alert: rows.length > 0,
    body:
      rows.length === 0
        ? html`<p>It needs no right that the old release did not have.</p>${unknown}`
        : html`${tableOf({
            caption: 'Additional rights',
            columns: ['Who', 'May now', 'Where', 'What that allows'],
            rows: rows
              .slice(0, MOST)
              .map(({ subject, verbs, name, namespace, power, ...what }) => [
                subject,
                html`<strong>${verbs.join(', ')}</strong> ${resourceWords(what)}${name === '*' ? '' : ` ${name}`}`,
                rightPlace(namespace),
                power === undefined ? '' : html`<strong class="bad">${power}</strong>`,
              ]),
            look: () => 'alert',
          })}${shownOf(MOST, rows.length, 'right', 'solpack diff --json has all.')}${unknown}`,
  };
}

/** Puts the verbs of what is otherwise one right together, with what the whole right allows. */
function joinedRights(rights: readonly AddedRight[], to: ArchiveDescription | undefined): JoinedRight[] {
  const joined = new Map<string, JoinedRight>();
  for (const right of rights) {
    const key = [right.subject, right.namespace, right.group, right.resource, right.name].join('\0');
    const verbs = [...(joined.get(key)?.verbs ?? []), right.verb];
    joined.set(key, { ...right, verbs, power: powerOf(right, verbs, to) });
  }
  const all = [...joined.values()];
  return [...all.filter(({ power }) => power !== undefined), ...all.filter(({ power }) => power === undefined)];
}

function powerOf(right: AddedRight, verbs: readonly string[], to: ArchiveDescription | undefined): string | undefined {
  const given = to?.rights.subjects.find(({ subject }) => subject === right.subject)?.rights ?? [];
  return given.find(
    ({ namespace, group, resource, name, verbs: own, power }) =>
      power !== undefined &&
      namespace === right.namespace &&
      group === right.group &&
      resource === right.resource &&
      name === right.name &&
      own.some((verb) => verbs.includes(verb)),
  )?.power;
}
