import { bounded } from './gather.ts';
import { invalidPackages, type Package, type PackageKind, requireField, textOf } from './kind.ts';
import { lines } from './lines.ts';

/** The largest metadata of a package, in bytes. They include its long description. */
const LIMIT = 4 * 1024 * 1024;
const fields = new Set(['metadata-version', 'name', 'version', 'license', 'license-expression']);

/** Python packages as pip and its relatives install them, and the older form of setuptools. */
export const python: PackageKind = {
  name: 'python',
  wants: (path) => /(?:^|\/)[^/]+(?:\.dist-info\/METADATA|\.egg-info\/PKG-INFO|\.egg-info)$/.test(path),
  read: async (body) => ({ packages: [parsePythonMetadata(await bounded(body, LIMIT))] }),
};

/**
 * Parses the headers of core metadata (PyPA "Core metadata specifications") into the package. A license of several
 * lines, or of more than 200 characters, is left out. Throws `FormatError` `packages-invalid`.
 */
export function parsePythonMetadata(bytes: Uint8Array): Package {
  const found = new Map<string, string>();
  let last = '';
  for (const line of lines(textOf(bytes))) {
    if (line.trim() === '') break;
    if (/^[ \t]/.test(line)) {
      // A license of several lines is the text of a license, not its name.
      if (last === 'license') found.delete(last);
      continue;
    }
    const key = /^([A-Za-z][A-Za-z0-9-]*):/.exec(line)?.[1];
    if (key === undefined) throw invalidPackages(`a line ${JSON.stringify(line.slice(0, 60))}`);
    last = key.toLowerCase();
    if (!fields.has(last)) continue;
    if (found.has(last)) throw invalidPackages(`two fields ${key}`);
    found.set(last, line.slice(key.length + 1).trim());
  }
  const [name, version] = ['name', 'version'].map((key) => required(found, key));
  const license = found.get('license-expression') || found.get('license');
  const isShort = license && license !== 'UNKNOWN' && license.length <= 200;
  return {
    type: 'pypi',
    name: name!,
    version: version!,
    ...(isShort && { license: requireField(license, 'the license') }),
  };
}

function required(found: ReadonlyMap<string, string>, key: string): string {
  const value = found.get(key);
  if (value === undefined) throw invalidPackages(`a package without the field ${key}`);
  return requireField(value, `the ${key}`);
}
