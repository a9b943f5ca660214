import type { Component, Property } from '../../../formats/cyclonedx/bom.ts';
import type { Package } from '../../../formats/packages/kind.ts';
import { type Distribution, osReleasePaths } from '../../../formats/packages/os-release.ts';
import { purlOf } from '../../../formats/packages/purl.ts';
import type { Files } from './files.ts';
import type { FileFinding } from './finding.ts';

/** Returns the components of an image: its operating system, and each package once, with all files that mention it. */
export function componentsOf(files: Files<FileFinding>): Component[] {
  const system = systemOf(files);
  const found = new Map<string, Component & { locations: string[] }>();
  for (const [path, { packages = [] }] of files.entries()) {
    for (const one of packages) {
      const purl = purlOf(one, system?.distribution);
      const known = found.get(purl);
      if (known) known.locations.push(path);
      else found.set(purl, { ...describe(one), purl, locations: [path] });
    }
  }
  return [...(system ? [operatingSystem(system.distribution, system.path)] : []), ...found.values()];
}

function systemOf(files: Files<FileFinding>): { distribution: Distribution; path: string } | undefined {
  for (const path of osReleasePaths) {
    const distribution = files.get(path)?.distribution;
    if (distribution) return { distribution, path };
  }
  return undefined;
}

function operatingSystem({ id, version, title }: Distribution, path: string): Component {
  return { type: 'operating-system', name: id, version, description: title, locations: [path] };
}

function describe({ name, version, license, publisher, sum }: Package): Omit<Component, 'locations'> {
  const properties: Property[] = sum === undefined ? [] : [{ name: 'solpack:go-sum', value: sum }];
  return { type: 'library', name, version, license, publisher, properties };
}
