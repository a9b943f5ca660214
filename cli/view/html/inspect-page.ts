import { sizeWords } from '../../../lib/command.ts';
import type { ArchiveDescription, Inspection } from '../../../lib/index.ts';
import { count } from '../../io.ts';
import { bytesMap } from './bytes-map.ts';
import { componentsSection, imagesSection, otherSections } from './inspect-contents.ts';
import { html, type Markup } from './markup.ts';
import { packagesSection } from './packages.ts';
import { type PageSection, pageText } from './page.ts';
import { code, factList } from './parts.ts';
import { relationsSection } from './relations.ts';
import { rightsSection } from './rights.ts';
import { signaturesSection } from './signatures.ts';

/** Makes the page of an archive: what it is, who signed it, what it may do, and all that is in it. */
export function inspectPage(description: ArchiveDescription): string {
  const { inspection, rights, packages } = description;
  const { name, version, root } = inspection;
  const bytes: PageSection = {
    id: 'bytes',
    title: 'Where its bytes are',
    body: html`${bytesMap(description.images)}${
      inspection.sharedBytes > 0
        ? html`<p>Images share ${sizeWords(inspection.sharedBytes)}, which are stored once.</p>`
        : undefined
    }`,
  };
  return pageText({
    title: `${name} ${version}`,
    head: headOf(inspection, packages.packages.length),
    sections: [
      signaturesSection(inspection),
      rightsSection(rights),
      relationsSection(inspection),
      ...(inspection.images.length === 0 ? [] : [bytes]),
      componentsSection(description),
      imagesSection(description),
      packagesSection(packages),
      ...otherSections(inspection),
    ],
    foot: html`<p>Made by <code>solpack inspect --html</code> of the root ${code(root)}. This page is what the archive says about itself: whether it is intact, and signed by somebody you trust, only <code>solpack verify</code> can say.</p>`,
  });
}

function headOf(inspection: Inspection, packages: number): Markup {
  const { name, version, description, kubernetes, size, carrier, images, components, created, sequence, expires } =
    inspection;
  return html`<p class="kind">Solution</p>
<h1>${name} <span class="version">${version}</span></h1>
${description === undefined ? undefined : html`<p class="lead">${description}</p>`}
${factList([
  ['For Kubernetes', kubernetes ?? 'any version'],
  ['Size', `${sizeWords(size)} (${carrier})`],
  ['Holds', `${count(components.length, 'component')}, ${count(images.length, 'image')}`],
  ['Packages', packages === 0 ? 'none listed' : String(packages)],
  ['Made', created === 0 ? 'without a date' : dateWords(created)],
  ['Sequence', sequence],
  ['Expires', expires === undefined ? undefined : dateWords(expires)],
  ['Root', code(inspection.root)],
])}`;
}

/** Writes seconds since 1970 as a day and a time, in UTC. */
export function dateWords(seconds: number): string {
  return new Date(1000 * seconds).toISOString().slice(0, 16).replace('T', ' ').concat(' UTC');
}
