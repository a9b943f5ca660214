import { sizeWords } from '../../../lib/command.ts';
import type { ArchiveDescription, DiffResult, DiffSide } from '../../../lib/index.ts';
import { count, grouped } from '../../io.ts';
import { definitionsSection, objectsSection } from './diff-objects.ts';
import { packageChangesSection } from './diff-packages.ts';
import { addedRightsSection } from './diff-rights.ts';
import { html, type Markup } from './markup.ts';
import { type PageSection, pageText } from './page.ts';
import { bulletList, code, factList, tableOf } from './parts.ts';

/** What is different between two Solutions, and each of them as far as it is an archive. */
export interface ShownDifference {
  readonly result: DiffResult;
  readonly from: ArchiveDescription | undefined;
  readonly to: ArchiveDescription | undefined;
}

/** Makes the page of what is new since an older release: first what somebody has to agree to, then everything else. */
export function diffPage(comparison: ShownDifference): string {
  const { result, from, to } = comparison;
  const sections: PageSection[] = [
    addedRightsSection(result, to),
    definitionsSection(result),
    ...(from && to ? [signersSection(from, to)] : []),
    imagesSection(result),
    objectsSection(result),
    ...(from && to ? [packageChangesSection(from.packages, to.packages)] : []),
    ...installerSections(result),
  ];
  return pageText({
    title: `${sideWords(result.from)} to ${sideWords(result.to)}`,
    head: headOf(comparison),
    sections: result.same
      ? [{ id: 'same', title: 'Nothing is different', body: html`<p>Both are the same Solution.</p>` }]
      : sections,
    foot: html`<p>Made by <code>solpack diff --html</code>. This page compares what two releases say about themselves: whether they are intact, and signed by somebody you trust, only <code>solpack verify</code> can say. What charts draw at random does not count, and values of Secrets are not shown.</p>`,
  });
}

function headOf({
  result: { from, to, kubernetes, layers, images, objects },
  from: old,
  to: now,
}: ShownDifference): Markup {
  const title =
    from.name === to.name
      ? html`${to.name} <span class="version">${from.version} → ${to.version}</span>`
      : html`${sideWords(from)} <span class="version">→ ${sideWords(to)}</span>`;
  const changes = (kinds: typeof images | typeof objects): string =>
    `${kinds.added.length} new, ${kinds.changed.length} changed, ${kinds.removed.length} gone`;
  return html`<p class="kind">What is new since the last release</p>
<h1>${title}</h1>
${factList([
  ['Images', changes(images)],
  ['Objects', changes(objects)],
  ['New bytes of images', sizeWords(layers.new)],
  ['Compared for', kubernetes === undefined ? 'the Kubernetes version of Helm' : `Kubernetes ${kubernetes}`],
  ['Old root', old && code(old.inspection.root)],
  ['New root', now && code(now.inspection.root)],
])}`;
}

/** Tells whose signatures each has. Another signer is something that an approver has to know of. */
function signersSection(from: ArchiveDescription, to: ArchiveDescription): PageSection {
  const [old, now] = [keysOf(from), keysOf(to)];
  const other = now.length === 0 || now.some((key) => !old.includes(key)) || old.some((key) => !now.includes(key));
  const rows = [...new Set([...now, ...old])].map((key) => [
    code(grouped(key)),
    old.includes(key)
      ? html`<span class="mark good">signed</span>`
      : html`<span class="mark bad">has not signed</span>`,
    now.includes(key)
      ? html`<span class="mark good">signed</span>`
      : html`<span class="mark bad">has not signed</span>`,
  ]);
  return {
    id: 'signers',
    title: 'Who signed each',
    alert: other,
    body: html`<p>${
      now.length === 0
        ? html`<strong class="bad">Nobody has signed the new one.</strong>`
        : other
          ? html`<strong class="bad">Not the same keys have signed both.</strong>`
          : 'The same keys have signed both.'
    }</p>${
      rows.length === 0
        ? undefined
        : tableOf({ caption: 'Signatures', columns: ['Key', 'Old release', 'New release'], rows })
    }`,
  };
}

function keysOf({ inspection: { signatures } }: ArchiveDescription): string[] {
  return [...new Set(signatures.map(({ keyId }) => keyId))];
}

function imagesSection({ images, layers }: DiffResult): PageSection {
  const rows: { look: 'added' | 'removed' | 'plain'; cells: (string | Markup)[] }[] = [
    ...images.added.map(({ reference, digest }) => ({
      look: 'added' as const,
      cells: [reference, html`<span class="mark good">new</span>`, code(short(digest))],
    })),
    ...images.changed.map(({ reference, from, to }) => ({
      look: 'plain' as const,
      cells: [
        reference,
        html`<span class="mark fair">changed</span>`,
        html`<del>${code(short(from))}</del> <ins>${code(short(to))}</ins>`,
      ],
    })),
    ...images.removed.map(({ reference, digest }) => ({
      look: 'removed' as const,
      cells: [reference, html`<span class="mark bad">gone</span>`, code(short(digest))],
    })),
  ];
  return {
    id: 'images',
    title: 'Images and their layers',
    amount: rows.length,
    body: html`${bytesBar(layers)}${
      rows.length === 0
        ? html`<p>All images are the same.</p>`
        : tableOf({
            caption: 'Images that are different',
            columns: ['Image', 'What', 'Digest'],
            rows: rows.map(({ cells }) => cells),
            look: (row) => rows[row]!.look,
          })
    }`,
  };
}

/**
 * Draws how much of the new release's layers the old one has already: what is new is what has to be carried where the
 * old one is.
 */
function bytesBar({ shared, new: fresh, gone }: DiffResult['layers']): Markup | undefined {
  const total = shared + fresh;
  if (total === 0) return undefined;
  const share = `${Math.round((1000 * shared) / total) / 10}%`;
  return html`<figure>
<svg class="bar" role="img" aria-label="${sizeWords(fresh)} of ${sizeWords(total)} are new"><rect width="100%" height="100%" class="new"/><rect width="${share}" height="100%" class="shared"/></svg>
<figcaption>${sizeWords(shared)} of the layers are in both, <strong class="good">${sizeWords(fresh)} are new</strong>, ${sizeWords(gone)} are gone. If you have the old release, you need only what is new.</figcaption>
</figure>
`;
}

function installerSections({ installer: { added, removed, changed } }: DiffResult): PageSection[] {
  const all = added.length + removed.length + changed.length;
  if (all === 0) return [];
  const lines = [
    ...added.map((path) => html`<ins>${path}</ins> is new`),
    ...changed.map(
      ({ path, from, to }) => html`${path}: <del>${code(short(from))}</del> <ins>${code(short(to))}</ins>`,
    ),
    ...removed.map((path) => html`<del>${path}</del> is gone`),
  ];
  return [
    {
      id: 'installer',
      title: 'Installer',
      amount: all,
      body: html`<p>${count(all, 'file')} that are included are different.</p>${bulletList(lines)}`,
    },
  ];
}

function sideWords({ name, version }: DiffSide): string {
  return `${name} ${version}`;
}

function short(digest: string): string {
  return digest.slice(0, digest.indexOf(':') + 13);
}
