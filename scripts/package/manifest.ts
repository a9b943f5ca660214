/** What of the `package.json` of the project the package has too. */
interface Project {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: unknown;
}

/** Makes the `package.json` of the package: one command, two modules, and no way to any file below. */
export function manifestOf(project: Project, carried: readonly string[]): Readonly<Record<string, unknown>> {
  const { name, version, description, license, engines } = project;
  return {
    name,
    version,
    description,
    license,
    type: 'commonjs',
    bin: { [name]: 'bin/bin.js' },
    directories: { man: 'share/man' },
    main: './bin/index.js',
    types: './index.d.ts',
    exports: {
      '.': { types: './index.d.ts', default: './bin/index.js' },
      './parts': { types: './parts.d.ts', default: './bin/parts.js' },
      './package.json': './package.json',
    },
    files: ['bin', 'api.d.ts', 'index.d.ts', 'parts.d.ts', 'share', 'THIRD-PARTY.txt', ...carried].sort(),
    sideEffects: ['./bin/bin.js'],
    engines,
    // The declarations use types of Node.js, whose version is the user's to choose.
    peerDependencies: { '@types/node': '>=22' },
    peerDependenciesMeta: { '@types/node': { optional: true } },
  };
}
