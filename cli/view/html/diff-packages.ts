import type { ArchiveDescription } from '../../../lib/index.ts';
import { html, type Markup } from './markup.ts';
import { imagesWords } from './packages.ts';
import type { PageSection } from './page.ts';
import { searchFor, shownOf, tableOf } from './parts.ts';

type Packages = ArchiveDescription['packages'];

/** A package of which not the same versions are in two archives. */
interface ChangedPackage {
  readonly name: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly images: readonly string[];
}

const MOST = 2000;

/** Shows which packages have come, gone or changed their version, by the SBOMs of both. */
export function packageChangesSection(from: Packages, to: Packages): PageSection {
  const changed = changedPackages(from, to);
  const unknown = from.sboms === 0 || to.sboms === 0;
  return {
    id: 'packages',
    title: 'Packages that changed',
    ...(unknown ? {} : { amount: changed.length }),
    body: unknown
      ? html`<p>Unknown: ${from.sboms === 0 ? 'the old' : 'the new'} release has no SBOM.</p>`
      : changed.length === 0
        ? html`<p>The SBOMs of both list the same packages.</p>`
        : html`${searchFor('packages-table', 'Search by name, version or image')}${tableOf({
            id: 'packages-table',
            caption: 'Packages that changed',
            columns: ['Package', 'What', 'Version', 'In'],
            rows: changed
              .slice(0, MOST)
              .map((one) => [one.name, markOf(one), versionsOf(one), imagesWords(one.images)]),
          })}${shownOf(MOST, changed.length, 'package', 'solpack inspect --sbom prints every SBOM.')}`,
  };
}

function changedPackages(from: Packages, to: Packages): ChangedPackage[] {
  const [old, now] = [byName(from), byName(to)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names.flatMap((name) => {
    const [before, after] = [old.get(name) ?? [], now.get(name) ?? []].map(
      (all) => new Set(all.map(({ version = '' }) => version)),
    );
    const [gone, come] = [
      [...before!].filter((one) => !after!.has(one)),
      [...after!].filter((one) => !before!.has(one)),
    ];
    if (gone.length + come.length === 0) return [];
    const images = [...new Set((now.get(name) ?? old.get(name) ?? []).flatMap((one) => one.images))];
    return [{ name, from: gone, to: come, images }];
  });
}

function byName({ packages }: Packages): Map<string, Packages['packages'][number][]> {
  const found = new Map<string, Packages['packages'][number][]>();
  for (const one of packages) {
    const known = found.get(one.name);
    if (known === undefined) found.set(one.name, [one]);
    else known.push(one);
  }
  return found;
}

function markOf({ from, to }: ChangedPackage): Markup {
  if (from.length === 0) return html`<span class="mark good">new</span>`;
  return to.length === 0 ? html`<span class="mark bad">gone</span>` : html`<span class="mark fair">changed</span>`;
}

function versionsOf({ from, to }: ChangedPackage): Markup {
  const written = (versions: readonly string[]): string =>
    versions.map((version) => version || 'no version').join(', ');
  return html`${from.length === 0 ? undefined : html`<del>${written(from)}</del> `}${to.length === 0 ? undefined : html`<ins>${written(to)}</ins>`}`;
}
