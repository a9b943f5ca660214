import { invalid, type Package, requireCount, requireField } from './kind.ts';
import { lines } from './lines.ts';

/** What Go writes into the programs that it builds. */
export interface GoBuild {
  /** Of Go, such as `go1.26.1`. */
  readonly version: string;
  /** One record a line, its fields divided by tabs; '' where the build had no modules. */
  readonly modules: string;
}

/**
 * The modules that a program was built of, and Go's standard library (Go's `runtime/debug`, `BuildInfo.String`). A module
 * that was replaced is the one that took its place. Throws `FormatError` `packages-invalid`.
 */
export function goPackages({ version, modules }: GoBuild): Package[] {
  const packages: Package[] = [];
  let path: string | undefined;
  let main = false;
  for (const line of lines(modules)) {
    const [key, name = '', number = '', sum = ''] = line.split('\t');
    if (key === 'path') path = requireField(name, 'the path');
    if (key === 'mod') main = true;
    if (key === '=>' && !packages.pop()) throw invalid('a module is replaced, but which one is not said');
    if (key === 'mod' || key === 'dep' || key === '=>') packages.push(moduleOf(name, number, sum));
    requireCount(packages.length);
  }
  // Built without a module: its path is all that is known.
  if (!main && path !== undefined && path !== 'command-line-arguments') packages.unshift(moduleOf(path, '', ''));
  return [...packages, moduleOf('stdlib', libraryVersion(version), '')];
}

function moduleOf(name: string, version: string, sum: string): Package {
  // What was built from a working copy has no version.
  const known = version !== '' && version !== '(devel)';
  return {
    type: 'golang',
    name: requireField(name, 'the module'),
    ...(known && { version: requireField(version, `the version of ${name.slice(0, 60)}`) }),
    ...(sum !== '' && { sum: requireField(sum, `the sum of ${name.slice(0, 60)}`) }),
  };
}

/** `go1.26.1 X:nocoverageredesign` is 1.26.1; that of a development tree is as it says. */
function libraryVersion(version: string): string {
  return /^go(\d\S*)/.exec(version)?.[1] ?? version;
}
