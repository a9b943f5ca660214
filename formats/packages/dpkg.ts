import { bounded } from './gather.ts';
import { invalidPackages, type Package, type PackageKind, requireCount, requireField, textOf } from './kind.ts';
import { lines } from './lines.ts';

/** The largest database, in bytes. That of a full desktop has 5 MiB. */
const LIMIT = 32 * 1024 * 1024;
const fields = new Set(['Package', 'Version', 'Architecture', 'Status', 'Source', 'Maintainer']);
/** States of a package none of whose files is there (dpkg(1), "Package states"). */
const gone = new Set(['not-installed', 'config-files']);

/** The database of dpkg, and the folder that distroless images have instead, with one file for each stanza. */
export const dpkg: PackageKind = {
  name: 'dpkg',
  wants: (path) => path === 'var/lib/dpkg/status' || /^var\/lib\/dpkg\/status\.d\/[^/]+(?<!\.md5sums)$/.test(path),
  read: async (body) => ({ packages: parseDpkg(await bounded(body, LIMIT)) }),
};

/**
 * Parses a dpkg database into the packages that have files in the image (deb-control(5), dpkg(1)). A stanza without
 * `Status` counts as installed: those of distroless images have none. Throws `FormatError` `packages-invalid`.
 */
export function parseDpkg(bytes: Uint8Array): Package[] {
  const packages: Package[] = [];
  for (const stanza of stanzas(textOf(bytes))) {
    const status = stanza.get('Status')?.split(' ');
    if (status !== undefined && status.length !== 3)
      throw invalidPackages(`a Status of ${JSON.stringify(status.join(' '))}`);
    const name = required(stanza, 'Package', '');
    if (status && gone.has(status[2]!)) continue;
    const source = sourceOf(stanza.get('Source'));
    const publisher = stanza.get('Maintainer');
    packages.push({
      type: 'deb',
      name,
      version: required(stanza, 'Version', ` of ${name}`),
      ...(stanza.has('Architecture') && { architecture: required(stanza, 'Architecture', ` of ${name}`) }),
      ...(source && { source }),
      ...(publisher && { publisher: requireField(publisher, 'the Maintainer') }),
    });
    requireCount(packages.length);
  }
  return packages;
}

/** Yields the relevant fields of each stanza. Of a field with several lines, that is the first line. */
function* stanzas(text: string): Generator<Map<string, string>> {
  let stanza = new Map<string, string>();
  let any = false;
  for (const line of lines(text)) {
    if (/^[ \t]*$/.test(line)) {
      if (any) yield stanza;
      stanza = new Map();
      any = false;
      continue;
    }
    if (/^[ \t]/.test(line) && any) continue;
    const colon = line.indexOf(':');
    if (colon < 1 || /\s/.test(line.slice(0, colon)))
      throw invalidPackages(`a line ${JSON.stringify(line.slice(0, 60))}`);
    const key = line.slice(0, colon);
    any = true;
    if (!fields.has(key)) continue;
    if (stanza.has(key)) throw invalidPackages(`two fields ${key} of one package`);
    stanza.set(key, line.slice(colon + 1).trim());
  }
  if (any) yield stanza;
}

function required(stanza: ReadonlyMap<string, string>, key: string, of: string): string {
  const value = stanza.get(key);
  if (value === undefined) throw invalidPackages(`a package without the field ${key}${of}`);
  return requireField(value, `the ${key}${of}`);
}

/** Parses `name` or `name (version)`. The version is there only if it differs from the package's own. */
function sourceOf(value: string | undefined): Package['source'] | undefined {
  if (value === undefined) return undefined;
  const [, name, version] = /^(\S+)(?: \(([^()\s]+)\))?$/.exec(value) ?? [];
  if (name === undefined) throw invalidPackages(`a Source of ${JSON.stringify(value.slice(0, 60))}`);
  requireField(value, 'the Source');
  return version === undefined ? { name } : { name, version };
}
