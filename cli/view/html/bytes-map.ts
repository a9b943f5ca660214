import { sizeWords } from '../../../lib/command.ts';
import type { ArchiveDescription } from '../../../lib/index.ts';
import { count } from '../../io.ts';
import { html, type Markup } from './markup.ts';
import { type Area, treemapOf } from './treemap.ts';

/** What of an archive's bytes stands together in the picture: an image's own content, or what several share. */
interface Group {
  readonly name: string;
  readonly look: string;
  readonly size: number;
  readonly cells: readonly Cell[];
}

interface Cell {
  readonly size: number;
  readonly title: string;
}

/** How wide the picture is for its height, on a wide screen. */
const RATIO = 2.4;
/** How many colours there are. */
const LOOKS = 6;
/** How many images and how many contents of each are drawn by themselves. */
const MOST = { groups: 120, cells: 12 } as const;

/** Draws where an archive's bytes are: each image's own layers, and what several images share, which is stored once. */
export function bytesMap(images: ArchiveDescription['images']): Markup {
  const groups = groupsOf(images);
  const drawn = treemapOf(groups, ({ size }) => size, RATIO);
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  return html`<figure>
<svg class="map" role="img" aria-label="Bytes by image and layer: ${count(groups.length, 'area')} that together are ${sizeWords(total)}. The table of images has the same numbers.">
<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7"/><path d="M0 0V7"/></pattern></defs>
${drawn.map(({ item, ...area }) => groupOf(item, area))}</svg>
<figcaption>Each area is an image, each part of it a layer. Hatched is what several images share: it is stored once.</figcaption>
</figure>
`;
}

/** Adds up what only one image has, and what several have: of each content, how many. */
function groupsOf(images: ArchiveDescription['images']): Group[] {
  const holders = new Map<string, number>();
  for (const { digest } of images.flatMap(({ contents }) => contents))
    holders.set(digest, (holders.get(digest) ?? 0) + 1);
  const shared = new Map(
    images.flatMap(({ contents }) =>
      contents.filter(({ digest }) => holders.get(digest)! > 1).map((one) => [one.digest, one.size] as const),
    ),
  );
  const own = images
    .map(({ reference, contents }) => ({
      name: reference,
      cells: contents
        .filter(({ digest }) => holders.get(digest) === 1)
        .map(({ digest, size }) => ({ size, title: digest })),
    }))
    .map((one) => ({ ...one, size: sizeOf(one.cells) }))
    .sort((a, b) => b.size - a.size);
  const small = own.slice(MOST.groups);
  const cells = [...shared].map(([digest, size]) => ({
    size,
    title: `${digest}, in ${count(holders.get(digest)!, 'image')}`,
  }));
  return [
    ...own.slice(0, MOST.groups).map((one, at) => ({ ...one, look: `c${at % LOOKS}`, cells: largest(one.cells) })),
    ...(small.length === 0
      ? []
      : [
          {
            name: `${count(small.length, 'smaller image')}`,
            look: 'rest',
            size: sizeOf(small),
            cells: [{ size: sizeOf(small), title: 'together' }],
          },
        ]),
    ...(cells.length === 0
      ? []
      : [{ name: 'shared by several images', look: 'shared', size: sizeOf(cells), cells: largest(cells) }]),
  ];
}

function largest(cells: readonly Cell[]): Cell[] {
  const inOrder = [...cells].sort((a, b) => b.size - a.size);
  const rest = inOrder.slice(MOST.cells);
  const together = { size: sizeOf(rest), title: `${count(rest.length, 'smaller content')} together` };
  return [...inOrder.slice(0, MOST.cells), ...(rest.length === 0 ? [] : [together])];
}

function sizeOf(cells: readonly { readonly size: number }[]): number {
  return cells.reduce((sum, { size }) => sum + size, 0);
}

function groupOf({ name, look, size, cells }: Group, area: Area): Markup {
  const inner = treemapOf(cells, (cell) => cell.size, (RATIO * area.width) / area.height);
  const isWide = area.width > 0.12 && area.height > 0.1;
  return html`<svg x="${percent(area.x)}" y="${percent(area.y)}" width="${percent(area.width)}" height="${percent(area.height)}" class="${look}">
${inner.map(
  ({ item, x, y, width, height }) =>
    html`<rect x="${percent(x)}" y="${percent(y)}" width="${percent(width)}" height="${percent(height)}"><title>${name}: ${sizeWords(item.size)} (${item.title})</title></rect>
`,
)}${
  isWide
    ? html`<text x="8" y="20">${shortName(name)}</text><text x="8" y="37" class="size">${sizeWords(size)}</text>`
    : undefined
}<rect width="100%" height="100%" class="edge"/></svg>
`;
}

/** The last part of a reference, by which people know an image. */
function shortName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function percent(share: number): string {
  return `${Math.round(share * 100_000) / 1000}%`;
}
