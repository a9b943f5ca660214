import { bounded } from './gather.ts';
import { invalidPackages, type Package, type PackageKind, requireCount, requireField, textOf } from './kind.ts';
import { lines } from './lines.ts';

/** The largest database, in bytes. It lists every file. */
const LIMIT = 32 * 1024 * 1024;
const fields = 'PVALom';

/** The database of apk, from Alpine Linux and its relatives. Newer releases keep it below `usr`. */
export const apk: PackageKind = {
  name: 'apk',
  wants: (path) => path === 'lib/apk/db/installed' || path === 'usr/lib/apk/db/installed',
  read: async (body) => ({ packages: parseApk(await bounded(body, LIMIT)) }),
};

/**
 * Parses an apk database (apk-package(5), "Installed database") into its packages. Throws `FormatError`
 * `packages-invalid`.
 */
export function parseApk(bytes: Uint8Array): Package[] {
  const packages: Package[] = [];
  let fieldsOf = new Map<string, string>();
  let any = false;
  const end = (): void => {
    if (any) packages.push(packageOf(fieldsOf));
    requireCount(packages.length);
    fieldsOf = new Map();
    any = false;
  };
  for (const line of lines(textOf(bytes))) {
    if (line === '') {
      end();
      continue;
    }
    if (!/^[A-Za-z]:/.test(line)) throw invalidPackages(`a line ${JSON.stringify(line.slice(0, 60))}`);
    const key = line[0]!;
    any = true;
    if (!fields.includes(key)) continue;
    if (fieldsOf.has(key)) throw invalidPackages(`two fields ${key} of one package`);
    fieldsOf.set(key, line.slice(2).trim());
  }
  end();
  return packages;
}

function packageOf(found: ReadonlyMap<string, string>): Package {
  const field = (key: string): string | undefined => {
    const value = found.get(key);
    return value ? requireField(value, `the field ${key}`) : undefined;
  };
  const name = field('P');
  const version = field('V');
  if (name === undefined || version === undefined)
    throw invalidPackages(`a package without the field ${name ? 'V' : 'P'}`);
  const [architecture, license, origin, publisher] = [field('A'), field('L'), field('o'), field('m')];
  return {
    type: 'apk',
    name,
    version,
    ...(architecture && { architecture }),
    ...(origin && origin !== name && { source: { name: origin } }),
    ...(license && { license }),
    ...(publisher && { publisher }),
  };
}
