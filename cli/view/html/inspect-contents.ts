import { sizeWords } from '../../../lib/command.ts';
import type { ArchiveDescription, Inspection } from '../../../lib/index.ts';
import { count } from '../../io.ts';
import { html, type Markup } from './markup.ts';
import type { PageSection } from './page.ts';
import { bulletList, code, foldOf, tableOf } from './parts.ts';

/** How many objects of a component are shown, how many of those that use an image, and how many statements. */
const MOST = { objects: 200, uses: 3, statements: 300 } as const;

/** Shows components in the order in which they are installed, with their objects. */
export function componentsSection({ inspection: { components }, objects, rights }: ArchiveDescription): PageSection {
  const known = new Map(objects.map((one) => [one.component, one.objects]));
  const unknown = new Map(rights.unknown.map(({ component, reason }) => [component, reason]));
  return {
    id: 'components',
    title: 'Components, in order',
    amount: components.length,
    body: html`${components.map((component) => {
      const { name, kind, version, namespace, size } = component;
      const has = known.get(name);
      const facts = [
        version === undefined ? kind : `${kind} ${version}`,
        ...(namespace === undefined ? [] : [`in ${namespace}`]),
        sizeWords(size),
        has === undefined ? 'objects not known' : count(has.length, 'object'),
      ].join(', ');
      const body =
        has === undefined
          ? html`<p class="note">${unknown.get(name) ?? 'it was not rendered'}</p>`
          : bulletList(has, MOST.objects);
      return foldOf(html`<strong>${name}</strong> <span class="dim">${facts}</span>`, body);
    })}`,
  };
}

/** Shows images with their platforms, own and shared bytes, and who uses them. */
export function imagesSection({ inspection, images }: ArchiveDescription): PageSection {
  const holders = new Map<string, number>();
  for (const { digest } of images.flatMap(({ contents }) => contents))
    holders.set(digest, (holders.get(digest) ?? 0) + 1);
  const platforms = [...new Set(inspection.images.flatMap((image) => image.platforms))].sort();
  const rows = inspection.images.map(({ reference, digest, size, platforms: own, absent }, at) => {
    const { contents, uses } = images[at]!;
    const shared = contents.reduce((sum, one) => sum + (holders.get(one.digest)! > 1 ? one.size : 0), 0);
    const left = [...new Set(absent.map(({ platform }) => platform))];
    return [
      html`${reference}<br><code class="dim">${digest.slice(0, 19)}</code>`,
      html`${own.join(', ')}${left.length === 0 ? undefined : html`<br><span class="dim">without ${left.join(', ')}</span>`}`,
      sizeWords(size),
      shared === 0 ? 'none' : sizeWords(shared),
      uses.length === 0
        ? html`<span class="dim">no known object</span>`
        : bulletList(
            uses.map(({ object }) => objectName(object)),
            MOST.uses,
          ),
    ];
  });
  return {
    id: 'images',
    title: 'Images',
    amount: inspection.images.length,
    body:
      rows.length === 0
        ? html`<p>It has none.</p>`
        : html`<p>For ${platforms.join(', ')}.</p>${tableOf({
            caption: 'Images',
            columns: ['Image', 'Platforms', { number: 'Size' }, { number: 'Shared' }, 'Used by'],
            rows,
          })}`,
  };
}

function objectName(object: string): string {
  const [kind, ...place] = object.split('/');
  return `${kind} ${place.filter(Boolean).join('/')}`;
}

/**
 * Shows what else is in an archive: attestations, an installer, and what is amiss with a medium that solpack did not
 * pack.
 */
export function otherSections({ attestations, installer, medium }: Inspection): PageSection[] {
  return [
    ...(attestations.length === 0 ? [] : [attestationsSection(attestations)]),
    ...(installer === undefined ? [] : [installerSection(installer)]),
    ...(medium === undefined || medium.faults.length + medium.unused.length === 0 ? [] : [mediumSection(medium)]),
  ];
}

function attestationsSection(attestations: Inspection['attestations']): PageSection {
  return {
    id: 'attestations',
    title: 'What its author says about it',
    amount: attestations.length,
    body: tableOf({
      caption: 'Attestations',
      columns: ['Name', 'About', 'Type', 'Signed'],
      rows: attestations
        .slice(0, MOST.statements)
        .map(({ name, reference, predicateType, signed }) => [
          name,
          reference ?? 'the Solution',
          predicateType,
          signed === undefined ? 'not looked at' : signed ? 'yes' : html`<span class="bad">no</span>`,
        ]),
    }),
  };
}

function installerSection(installer: NonNullable<Inspection['installer']>): PageSection {
  return {
    id: 'installer',
    title: 'An installer is included',
    amount: installer.length,
    body: tableOf({
      caption: 'Programs and keys',
      columns: ['File', { number: 'Size' }, 'SHA-256'],
      rows: installer.map(({ path, size, digest }): (string | Markup)[] => [
        path,
        sizeWords(size),
        code(digest.slice(7)),
      ]),
    }),
  };
}

function mediumSection({ faults, unused }: NonNullable<Inspection['medium']>): PageSection {
  return {
    id: 'medium',
    title: 'About this medium for MetalK8s',
    alert: faults.length > 0,
    body: html`${bulletList(faults.map(({ path, message }) => html`${path} holds no image: ${message}`))}
${unused.length === 0 ? undefined : html`<h3>Not installed from here</h3>${bulletList(unused)}`}`,
  };
}
