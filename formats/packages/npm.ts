import { bounded } from './gather.ts';
import { invalidPackages, type Package, type PackageKind, requireField, textOf } from './kind.ts';

/** The largest package.json, in bytes. */
const LIMIT = 4 * 1024 * 1024;
/** Matches the package.json of a package, which lies in some `node_modules` or in a scope there. */
const place = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/;

/** Installed packages of npm, pnpm and Yarn. */
export const npm: PackageKind = {
  name: 'npm',
  wants: (path) => place.test(path),
  read: async (body, path) => {
    const found = parsePackageJson(await bounded(body, LIMIT), place.exec(path)?.[1] ?? '');
    return { packages: [found] };
  },
};

/**
 * Parses a package.json (npm-docs "package.json") into its package. A package without a name gets that of its folder,
 * as npm does it. One that came from a repository may have no version. Throws `FormatError` `packages-invalid`.
 */
export function parsePackageJson(bytes: Uint8Array, folder: string): Package {
  const value = objectOf(bytes);
  const [name, version] = [field(value, 'name') ?? requireField(folder, 'the folder'), field(value, 'version')];
  const license = licenseOf(value);
  return {
    type: 'npm',
    name,
    ...(version && { version }),
    ...(license && { license: requireField(license, 'the license') }),
  };
}

function objectOf(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(textOf(bytes));
  } catch (cause) {
    throw invalidPackages('not JSON', cause);
  }
  if (!isObject(value)) throw invalidPackages('not an object');
  return value;
}

function field(value: Record<string, unknown>, key: string): string | undefined {
  const found = value[key];
  if (found === undefined || found === '') return undefined;
  if (typeof found !== 'string') throw invalidPackages(`the field ${key} is not a string`);
  return requireField(found.trim(), `the field ${key}`);
}

/** Reads `license: "MIT"`, or the older forms: `license: { type }`, `licenses: [{ type }]`. */
function licenseOf({ license, licenses }: Record<string, unknown>): string | undefined {
  const all = Array.isArray(licenses) ? licenses : [license ?? licenses];
  const names = all.map((one) => (isObject(one) ? one['type'] : one));
  if (!names.every((one) => typeof one === 'string' && one.trim() !== '')) return undefined;
  const trimmed = (names as string[]).map((one) => one.trim());
  return trimmed.length > 1 ? `(${trimmed.join(' OR ')})` : trimmed[0];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
