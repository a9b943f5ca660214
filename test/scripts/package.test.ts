import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { doors, readDoor } from '../../scripts/package/door.ts';
import { smallSolution } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
const built = scratch('package');
const user = scratch('package-user');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const installed = join(user, 'node_modules/solpack');

/** The examples of the page, by the name of their file: its first line says it. */
const examples = new Map(
  [...page.matchAll(/```[jt]s\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, name, code]) => [name!, code!]),
);

async function npmPack(folder: string): Promise<string> {
  const [packed] = JSON.parse(await ok('npm', ['pack', '--json', '--ignore-scripts', '--offline'], { cwd: folder }));
  return join(folder, packed.filename);
}

let tarball = '';

beforeAll(async () => {
  await ok(process.execPath, [join(root, 'scripts/build.ts'), '-o', join(built, 'solpack')]);
  tarball = await npmPack(join(built, 'solpack'));
  writeFileSync(join(user, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  await ok('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: user });
  await smallSolution(join(user, 'hello'), { keep: true });
  for (const [name, code] of examples) writeFileSync(join(user, name), code);
});

/** Runs an example as a user would, and returns what it prints. */
async function example(name: string): Promise<string[]> {
  const { code, stdout, stderr } = await run(process.execPath, [name], { cwd: user });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trim().split('\n');
}

describe('the package', () => {
  judged('is the same bytes, whenever and wherever it was built', ['npm'], async () => {
    const other = join(built, 'elsewhere/copy');
    mkdirSync(join(built, 'elsewhere'));
    cpSync(join(built, 'solpack'), other, { recursive: true, filter: (path) => !path.endsWith('.tgz') });
    for (const path of readdirSync(other, { recursive: true, encoding: 'utf8' }))
      utimesSync(join(other, path), 1e9, 1e9);
    expect(sha256(readFileSync(await npmPack(other)))).toBe(sha256(readFileSync(tarball)));
  });

  judged('is the command, where npm installs it for all', ['npm'], async () => {
    const prefix = join(built, 'prefix');
    await ok('npm', ['install', '--offline', '--no-audit', '--no-fund', '-g', '--prefix', prefix, tarball]);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` };
    expect(await ok(join(prefix, 'bin/solpack'), ['--version'], { env })).toBe(`${version}\n`);
  });

  judged('brings nothing else along, and needs the Node.js that the project needs', ['npm'], () => {
    const read = (path: string): { dependencies?: unknown; engines: unknown } => JSON.parse(readFileSync(path, 'utf8'));
    const { dependencies, engines } = read(join(installed, 'package.json'));
    expect([dependencies, engines]).toEqual([undefined, read(join(root, 'package.json')).engines]);
    expect(readdirSync(join(user, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['solpack']);
  });

  judged('lets nobody in but by the door', ['npm'], async () => {
    const deep = await run(process.execPath, ['-e', "import('solpack/bin/index.js')"], { cwd: user });
    expect(deep.stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  for (const [name, path] of Object.entries(doors)) {
    judged(
      `gives an import and a require of ${name} all that the door exports, and nothing else`,
      ['npm'],
      async () => {
        const values = readDoor(path, readFileSync(join(root, path), 'utf8')).filter(({ isType }) => !isType);
        const names = values.map(({ exported }) => exported).sort();
        const print =
          'console.log(JSON.stringify(Object.keys(door).filter((name) => name !== "default" && name !== "module.exports").sort()))';
        const source = `import * as door from '${name}'; ${print}`;
        const imported = await ok(process.execPath, ['--input-type=module', '-e', source], { cwd: user });
        expect(JSON.parse(imported)).toEqual(names);
        expect(Object.keys(createRequire(join(user, 'x.js'))(name)).sort()).toEqual(names);
      },
    );
  }

  judged('loads no flow before it is called', ['npm'], async () => {
    const script = "require('solpack'); console.log(Object.keys(require.cache).length)";
    expect(Number(await ok(process.execPath, ['-e', script], { cwd: user }))).toBeLessThan(20);
  });
});

describe('its declarations', () => {
  judged('are enough for a strict compiler that checks them too, with the examples of the page', ['npm'], async () => {
    mkdirSync(join(user, 'types'));
    symlinkSync(join(root, 'node_modules/@types/node'), join(user, 'types/node'));
    const compilerOptions = {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      types: ['node'],
      typeRoots: ['./types'],
    };
    writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { code, stdout } = await run(process.execPath, [tsc, '-p', user], { cwd: user });
    expect([stdout, code]).toEqual(['', 0]);
  });

  judged('refuse what the functions refuse', ['npm'], async () => {
    const wrong = join(user, 'wrong');
    mkdirSync(wrong);
    const source = `import { inspect, type ClusterTarget } from 'solpack';
import { kubernetesTarget } from 'solpack/parts';
export const a = inspect(42);
export const b: ClusterTarget = {};
export const c = kubernetesTarget({});
`;
    writeFileSync(join(wrong, 'wrong.ts'), source);
    const options = { module: 'nodenext', strict: true, noEmit: true, types: ['node'] };
    const typeRoots = [join(root, 'node_modules/@types')];
    writeFileSync(join(wrong, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, typeRoots } }));
    const { stdout } = await run(process.execPath, [tsc, '-p', wrong], { cwd: wrong });
    expect([...stdout.matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => line)).toEqual(['3', '4', '5']);
  });
});

test('every example of the page has a name, and is one that is run here', () => {
  expect([...examples.keys()]).toEqual([
    'flow.ts',
    'pack.ts',
    'inspect.ts',
    'verify.ts',
    'install.ts',
    'serve.ts',
    'errors.ts',
    'inspect.cjs',
  ]);
  expect([...page.matchAll(/```[jt]s\n/g)]).toHaveLength(examples.size);
});

describe('the examples of the page', () => {
  judged('pack, inspect, verify, install and serve, by the package as it is installed', ['npm'], async () => {
    expect(await example('pack.ts')).toEqual([expect.stringMatching(/^hello 1\.0\.0 is sha256:[0-9a-f]{64}$/)]);
    const [head, ...paths] = await example('inspect.ts');
    expect(head).toBe('hello 1.0.0: 2 images, 1 signature');
    expect(paths).toContain('components/base/base.yaml');
    expect(await example('verify.ts')).toEqual(['intact, and signed by release.pub']);
    expect(await example('install.ts')).toEqual(['hello 1.0.0 is rendered']);
    expect(readdirSync(join(user, 'rendered'))).not.toEqual([]);
    expect(await example('serve.ts')).toEqual([
      expect.stringMatching(/^2 images, application\/vnd\.oci\.image\.index/),
    ]);
    expect(await example('errors.ts')).toEqual(['file-missing, exit code 2']);
    expect(await example('inspect.cjs')).toEqual(['hello']);
  });
});
