import type { ServedState } from '../../../lib/index.ts';
import { count } from '../../io.ts';
import { html, type Markup, type TemplatePart } from './markup.ts';
import { type PageSection, pageText } from './page.ts';
import { bulletList, code, factList, foldOf, searchFor, shownOf, tableOf } from './parts.ts';

/** What a page of a registry shows. */
export interface ShownServing {
  readonly served: ServedState;
  /** How clients take images from here: configurations to copy. */
  readonly clients: readonly ShownClient[];
  /** How Solutions are in the cluster; undefined where none is known. */
  readonly cluster: ShownCluster | undefined;
}

/** What makes a client pull from here. */
export interface ShownClient {
  readonly title: string;
  readonly lines: readonly string[];
  readonly notices: readonly string[];
}

/** What the cluster said when it was asked last. */
export interface ShownCluster {
  /** When that was; undefined where it was not asked yet. */
  readonly at: string | undefined;
  /** Why it said nothing; undefined where it answered. */
  readonly failure: string | undefined;
  readonly solutions: readonly {
    readonly configuration: string;
    readonly name: string;
    readonly version: string;
    readonly state: string;
    readonly ready: number;
    readonly objects: number;
  }[];
}

/** How many bytes the rows of each table may take, so that the page has at most 1 MiB. */
const ROOM = { images: 400_000, archives: 100_000, missing: 60_000, solutions: 80_000, pushed: 100_000 } as const;

/** About how many bytes a cell takes besides what stands in it. */
const CELL = 70;

/** Tables of a state, which are made once however often somebody asks for the page. */
const made = new WeakMap<ServedState, readonly PageSection[]>();

/**
 * Makes the page that a browser is shown of a registry: what it serves from which archives, and how clients pull it.
 * Nothing in it is secret.
 */
export function servePage({ served, clients, cluster }: ShownServing): string {
  const { archives, missing, tls, passwords, push } = served;
  const images = archives.reduce((sum, archive) => sum + archive.images.length, 0);
  const sections = made.get(served) ?? [archivesSection(served), imagesSection(served, images), pushedSection(served)];
  made.set(served, sections);
  const [first, ...rest] = sections;
  return pageText({
    title: 'solpack registry',
    head: html`<p class="kind">solpack serve</p>
<h1>Registry <span class="mark ${missing.length === 0 ? 'good' : 'bad'}">${missing.length === 0 ? 'all is served' : 'something is missing'}</span></h1>
${factList([
  ['Serves', `${count(archives.length, 'archive')}, ${count(images, 'image')}`],
  ['Connections', tls ? 'TLS' : 'without TLS'],
  ['Who may pull', passwords ? 'users with a password' : 'everybody'],
  ['Who may push', push === 'users' ? 'users with a password' : push],
])}`,
    sections: [
      ...missingSection(served),
      first!,
      ...solutionsSection(served, cluster),
      clientsSection(clients),
      ...rest.filter(({ amount }) => amount !== 0),
    ],
    foot: html`<p>Made by <code>solpack serve</code>. It shows what is served at this moment; load it again to see what has changed.</p>`,
  });
}

function missingSection({ missing }: ServedState): PageSection[] {
  if (missing.length === 0) return [];
  const rows = missing.map(({ source, reason }) => [source, reason ?? 'is not there']);
  return [
    {
      ...{ id: 'missing', title: 'What is not served', amount: missing.length, alert: true },
      body: boundedTable(
        { caption: 'What is not served', columns: ['Source', 'Why'], rows, noun: 'source' },
        ROOM.missing,
      ),
    },
  ];
}

function archivesSection({ archives }: ServedState): PageSection {
  const rows = archives.map(({ name, version, source, images }) => [
    name,
    version,
    source,
    String(images.length),
    code(`solutions/${name}:${version.replace('+', '_')}`),
  ]);
  return {
    ...{ id: 'archives', title: 'Served archives', amount: archives.length },
    body:
      archives.length === 0
        ? html`<p>There is none.</p>`
        : boundedTable(
            {
              caption: 'Served archives',
              columns: ['Solution', 'Version', 'Source', { number: 'Images' }, 'Name in this registry'],
              ...{ rows, noun: 'archive' },
            },
            ROOM.archives,
          ),
  };
}

function solutionsSection({ configuration }: ServedState, cluster: ShownCluster | undefined): PageSection[] {
  const wanted = configuration?.solutions ?? [];
  const parts = [
    configuration &&
      boundedTable(
        {
          caption: `Solutions of the configuration ${configuration.name}`,
          columns: ['Solution', 'Wanted', 'Served'],
          rows: wanted.map(({ name, wanted: version, versions }) => [
            name,
            version ?? 'in environments alone',
            versions.length === 0 ? html`<span class="bad">no version</span>` : versions.join(', '),
          ]),
          noun: 'Solution',
        },
        ROOM.solutions,
      ),
    cluster && clusterPart(cluster),
  ];
  if (parts.every((part) => part === undefined)) return [];
  const amount = configuration === undefined ? cluster?.solutions.length : wanted.length;
  const title = configuration === undefined ? 'Solutions' : `Solutions of ${configuration.name}`;
  return [{ id: 'solutions', title, amount: amount ?? 0, body: html`${parts}` }];
}

function clusterPart({ at, failure, solutions }: ShownCluster): Markup {
  if (failure !== undefined)
    return html`<h3>In the cluster</h3><p class="bad">The cluster did not answer: ${failure}</p>`;
  if (at === undefined) return html`<h3>In the cluster</h3><p>The cluster is being asked. Load the page again.</p>`;
  const rows = solutions.map(({ configuration, name, version, state, ready, objects }) => [
    name,
    version,
    html`<span class="mark ${state === 'ready' ? 'good' : state === 'progressing' || state === 'drifted' ? 'fair' : 'bad'}">${state}</span>`,
    `${ready} of ${objects}`,
    configuration,
  ]);
  const columns = ['Solution', 'Version', 'State', 'Objects ready', 'Configuration'];
  return html`<h3>In the cluster</h3>
${rows.length === 0 ? html`<p>No Solution is installed.</p>` : boundedTable({ caption: 'Solutions in the cluster', columns, rows, noun: 'Solution' }, ROOM.solutions)}
<p class="note">As of ${at}.</p>`;
}

function clientsSection(clients: readonly ShownClient[]): PageSection {
  return {
    id: 'clients',
    title: 'How to pull from here',
    body: html`${clients.map(({ title, lines, notices }) =>
      foldOf(
        title,
        html`${notices.length === 0 ? undefined : bulletList(notices)}${lines.length === 0 ? undefined : linesBlock(title, lines)}`,
      ),
    )}`,
  };
}

function linesBlock(title: string, lines: readonly string[]): Markup {
  return html`<pre tabindex="0" role="region" aria-label="${title}"><code>${lines.map(
    (line) => html`${line}
`,
  )}</code></pre>`;
}

function imagesSection({ archives }: ServedState, all: number): PageSection {
  const rows = archives.flatMap(({ name, version, images }) => images.map((image) => [image, `${name} ${version}`]));
  const table = { id: 'images-table', caption: 'Images', columns: ['Image', 'Of'], rows, noun: 'image' };
  const rest = 'The registry lists all repositories at /v2/_catalog.';
  return {
    ...{ id: 'images', title: 'Images', amount: all },
    body: html`${searchFor('images-table', 'Search by image or Solution')}${boundedTable(table, ROOM.images, rest)}`,
  };
}

function pushedSection({ pushed }: ServedState): PageSection {
  const rows = pushed.map(({ repository, tags }) => [repository, String(tags)]);
  const table = {
    id: 'pushed-table',
    caption: 'Pushed repositories',
    columns: ['Repository', { number: 'Tags' }],
    rows,
  };
  const rest = 'The registry lists all at /v2/_catalog.';
  return {
    ...{ id: 'pushed', title: 'Pushed by clients', amount: pushed.length },
    body: html`${searchFor('pushed-table', 'Search by repository')}${boundedTable({ ...table, noun: 'name' }, ROOM.pushed, rest)}`,
  };
}

/**
 * Makes a table of the first rows that take at most so many bytes, and says how many that are where these are not all.
 */
function boundedTable(
  { rows, noun, ...table }: Parameters<typeof tableOf>[0] & { readonly noun: string },
  room: number,
  rest = '"solpack serve" prints the rest when it starts.',
): Markup {
  const shown: (readonly TemplatePart[])[] = [];
  let left = room;
  for (const row of rows) {
    const cells = row.map((part) => html`${part}`);
    left -= cells.reduce((sum, { text }) => sum + CELL + Buffer.byteLength(text), 0);
    if (left < 0) break;
    shown.push(cells);
  }
  return html`${tableOf({ ...table, rows: shown })}${shownOf(shown.length, rows.length, noun, rest)}`;
}
