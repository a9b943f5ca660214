import { invalidPackages, type Package, requireCount, requireField } from './kind.ts';
import { lines } from './lines.ts';

/** The build information that Go writes into its programs. */
export interface GoBuild {
  /** The version of Go, such as `go1.26.1`. */
  readonly version: string;
  /** One record on each line, with tabs between its fields. '' if the build had no modules. */
  readonly modules: string;
}

/**
 * Lists the modules of which a program was built, and Go's standard library (Go's `runtime/debug`, `BuildInfo.String`).
 * A module that was replaced is listed as its replacement. Throws `FormatError` `packages-invalid`.
 */
export function goPackages({ version, modules }: GoBuild): Package[] {
  const packages: Package[] = [];
  let path: string | undefined;
  let main = false;
  for (const line of lines(modules)) {
    const [key, name = '', number = '', sum = ''] = line.split('\t');
    if (key === 'path') path = requireField(name, 'the path');
    if (key === 'mod') main = true;
    if (key === '=>' && !packages.pop()) throw invalidPackages('a replacement without its module');
    if (key === 'mod' || key === 'dep' || key === '=>') packages.push(moduleOf(name, number, sum));
    requireCount(packages.length);
  }
  // Of a program that was built without a module, only the path is known.
  if (!main && path !== undefined && path !== 'command-line-arguments') packages.unshift(moduleOf(path, '', ''));
  return [...packages, moduleOf('stdlib', libraryVersion(version), '')];
}

function moduleOf(name: string, version: string, sum: string): Package {
  // A program that was built from a working copy has no version.
  const known = version !== '' && version !== '(devel)';
  return {
    type: 'golang',
    name: requireField(name, 'the module'),
    ...(known && { version: requireField(version, `the version of ${name.slice(0, 60)}`) }),
    ...(sum !== '' && { sum: requireField(sum, `the sum of ${name.slice(0, 60)}`) }),
  };
}

/**
 * Returns the version of the standard library: `go1.26.1 X:nocoverageredesign` gives 1.26.1. That of a development tree
 * stays as it is.
 */
function libraryVersion(version: string): string {
  return /^go(\d\S*)/.exec(version)?.[1] ?? version;
}
