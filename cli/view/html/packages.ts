import type { ArchiveDescription } from '../../../lib/index.ts';
import { count } from '../../io.ts';
import { html } from './markup.ts';
import type { PageSection } from './page.ts';
import { searchFor, shownOf, tableOf } from './parts.ts';

type Packages = ArchiveDescription['packages'];

/** How many packages are shown, and of how many images each tells. */
const MOST = { packages: 4000, images: 2 } as const;

/** Shows the packages of all SBOMs, with a field to search them. */
export function packagesSection({ sboms, packages }: Packages): PageSection {
  const licenses = new Set(packages.map(({ license }) => license));
  return {
    id: 'packages',
    title: 'Packages',
    amount: packages.length,
    body:
      packages.length === 0
        ? html`<p>${sboms === 0 ? 'The archive has no SBOM.' : 'Its SBOMs list no package.'}</p>`
        : html`<p>${count(sboms, 'SBOM')} of its images list ${count(packages.length, 'package')} under ${count(licenses.size, 'license')}.</p>
${searchFor('packages-table', 'Search by name, version, license or image')}
${tableOf({
  id: 'packages-table',
  caption: 'Packages',
  columns: ['Package', 'Version', 'License', 'In'],
  rows: packages
    .slice(0, MOST.packages)
    .map(({ name, version = '', license, images }) => [name, version, license ?? 'not stated', imagesWords(images)]),
})}
${shownOf(MOST.packages, packages.length, 'package', 'solpack inspect --sbom prints every SBOM.')}`,
  };
}

/** Names images by the last part of their references: the table of images has them whole. */
export function imagesWords(images: readonly string[]): string {
  const shown = images.slice(0, MOST.images).map((image) => image.slice(image.lastIndexOf('/') + 1));
  return images.length > MOST.images ? `${shown.join(', ')} and ${images.length - MOST.images} more` : shown.join(', ');
}
