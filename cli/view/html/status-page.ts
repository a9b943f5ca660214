import type { HistoryResult } from '../../../lib/index.ts';
import { count } from '../../io.ts';
import type { JsonResults } from '../json.ts';
import { shownValue } from './diff-objects.ts';
import { generationsSection, momentWords } from './generations.ts';
import { html, type Markup } from './markup.ts';
import { type PageSection, pageText } from './page.ts';
import { bulletList, factList, shownOf, tableOf } from './parts.ts';

type Printed = JsonResults['status'];
type PrintedSolution = Printed['solutions'][number];
type PrintedObject = PrintedSolution['objects'][number];

/** How a configuration is, and what its cluster remembers of it. */
export interface ShownStatus {
  readonly status: Printed;
  readonly generations: HistoryResult['generations'];
}

/** How many objects that are not as they should be are shown, and how many fields of each. */
const MOST = { objects: 400, fields: 60 } as const;

/** Makes the page of what is installed: what is amiss first, then the rest, of each configuration. */
export function statusPage(shown: readonly ShownStatus[]): string {
  const one = shown.length === 1 ? shown[0]!.status : undefined;
  const amiss = shown.filter(({ status }) => status.state !== 'ready').length;
  return pageText({
    title: one === undefined ? `${count(shown.length, 'configuration')}` : `${one.configuration}: ${one.state}`,
    head: html`<p class="kind">What is installed</p>
<h1>${one === undefined ? count(shown.length, 'configuration') : html`${one.configuration} ${markOf(one.state)}`}</h1>
${one === undefined ? html`<p class="lead">${amiss === 0 ? 'All of them are ready.' : `${amiss} of them not ready.`}</p>` : headOf(one)}`,
    sections: shown.flatMap((each, at) => sectionsOf(each, shown.length === 1 ? '' : `-${at + 1}`)),
    foot: html`<p>Made by <code>solpack status --html</code>. It shows the state at the time when it was made; values of Secrets are not shown.</p>`,
  });
}

function headOf({ generation, at, reason, solutions }: Printed): Markup {
  const objects = solutions.flatMap((solution) => solution.objects);
  const ready = objects.filter(({ state }) => state === 'ready').length;
  return html`${reason === null ? undefined : html`<p class="lead">${reason}</p>`}${factList([
    ['Generation', String(generation)],
    ['Begun', momentWords(at)],
    ['Solutions', String(solutions.length)],
    ['Objects ready', `${ready} of ${objects.length}`],
  ])}`;
}

function sectionsOf({ status, generations }: ShownStatus, suffix: string): PageSection[] {
  const of = suffix === '' ? '' : ` of ${status.configuration}`;
  return [
    amissSection(status, suffix, of),
    solutionsSection(status, suffix, of),
    generationsSection(generations, suffix, of),
    ...(status.archives === undefined ? [] : [archivesSection(status.archives, suffix, of)]),
    ...(status.mirrors === undefined ? [] : [mirrorsSection(status.mirrors, suffix, of)]),
  ];
}

function amissSection({ solutions }: Printed, suffix: string, of: string): PageSection {
  const amiss = solutions.flatMap((solution) =>
    solution.objects.filter(({ state }) => state !== 'ready').map((object) => ({ solution, object })),
  );
  const missing = solutions.flatMap(({ images }) =>
    images.missing.map((image) => html`image ${image} cannot be pulled: ${images.reasons[image]}`),
  );
  const all = amiss.length + missing.length;
  return {
    id: `amiss${suffix}`,
    title: `What is not as it should be${of}`,
    amount: all,
    alert: all > 0,
    body: html`${all === 0 ? html`<p>All objects are ready, and as they were applied.</p>` : undefined}
${missing.length === 0 ? undefined : bulletList(missing)}
${amiss.slice(0, MOST.objects).map(({ solution, object }) => objectOf(solution, object))}
${shownOf(MOST.objects, amiss.length, 'object', 'solpack status --json has all.')}`,
  };
}

function objectOf({ name }: PrintedSolution, { object, state, reason, drift }: PrintedObject): Markup {
  return html`<div class="change"><p>${markOf(state)} <strong>${object}</strong> <span class="dim">${name}</span></p>
${reason === null ? undefined : html`<p>${reason}</p>`}${
  drift.length === 0
    ? undefined
    : tableOf({
        caption: `Differences in ${object}`,
        columns: ['Field', 'Applied', 'Is now', 'By', 'Since'],
        rows: drift
          .slice(0, MOST.fields)
          .map(({ path, wanted, found, manager, since }) => [
            html`<code>${path}</code>`,
            html`<del>${shownValue(wanted)}</del>`,
            found === null ? html`<span class="bad">gone</span>` : html`<ins>${shownValue(found)}</ins>`,
            manager ?? 'nobody',
            since === null ? '' : momentWords(since),
          ]),
      })
}</div>
`;
}

function solutionsSection({ solutions }: Printed, suffix: string, of: string): PageSection {
  return {
    id: `solutions${suffix}`,
    title: `Solutions${of}`,
    amount: solutions.length,
    body:
      solutions.length === 0
        ? html`<p>There is none.</p>`
        : tableOf({
            caption: `Solutions${of}`,
            columns: ['Solution', 'Version', 'State', 'Objects ready', 'Images'],
            rows: solutions.map(({ name, version, state, reason, objects, images }) => [
              name,
              version,
              html`${markOf(state)}${reason === null ? undefined : html` ${reason}`}`,
              `${objects.filter((one) => one.state === 'ready').length} of ${objects.length}`,
              !images.asked
                ? 'nobody was asked'
                : images.missing.length === 0
                  ? 'all can be pulled'
                  : html`<span class="bad">${images.missing.length} cannot be pulled</span>`,
            ]),
          }),
  };
}

function archivesSection(archives: NonNullable<Printed['archives']>, suffix: string, of: string): PageSection {
  const broken = archives.some(({ name }) => name === null);
  return {
    id: `archives${suffix}`,
    title: `Archives${of}`,
    amount: archives.length,
    alert: broken,
    body: tableOf({
      caption: `Archives${of}`,
      columns: ['Archive', 'Solution', 'Use'],
      rows: archives.map(({ path, name, version, active, reason }) => [
        path,
        name === null ? html`<span class="bad">cannot be opened</span>` : `${name} ${version}`,
        reason ?? (active ? html`<span class="mark good">active</span>` : 'not chosen'),
      ]),
    }),
  };
}

function mirrorsSection(mirrors: NonNullable<Printed['mirrors']>, suffix: string, of: string): PageSection {
  return {
    id: `mirrors${suffix}`,
    title: `Mirrors of this node${of}`,
    amount: mirrors.length,
    alert: mirrors.some(({ state }) => state !== 'ready'),
    body: tableOf({
      caption: `Mirrors${of}`,
      columns: ['Registry', 'State', 'Servers'],
      rows: mirrors.map(({ registry, state, servers, reason }) => [
        registry,
        html`${markOf(state)}${reason === null ? undefined : html` ${reason}`}`,
        servers.map(({ url }) => url).join(', '),
      ]),
    }),
  };
}

function markOf(state: string): Markup {
  const look =
    state === 'ready'
      ? 'good'
      : state === 'progressing' || state === 'drifted' || state === 'applying'
        ? 'fair'
        : 'bad';
  return html`<span class="mark ${look}">${state}</span>`;
}
