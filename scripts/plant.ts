import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { chance } from '../test/support/sample.ts';
import { argumentsOf, cache, root } from './home.ts';
import { type Fault, faultsIn, planted } from './plant/faults.ts';

// Plants faults in the product, one after the other, and tells which of them the gate finds and by what:
//   node scripts/plant.ts [--count 30] [--seed 1] [--lanes formats,lib,test,cluster] [--near]
// Each is in a file of lib of its own, in a copy of this checkout: a comparison that is flipped, an await that is
// dropped, a check that is skipped. The types are asked first, then the tests that mirror the file, then all tests of
// the lanes until one fails; with --near, not those: what is not found then may still be found by the gate.

const { values } = argumentsOf('plant', {
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: 'formats,lib,test,cluster' },
    near: { type: 'boolean', default: false },
  },
});

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--passWithNoTests'];
const lanes = values.lanes.split(',').flatMap((lane) => ['--project', lane]);

mkdirSync(cache, { recursive: true });
const copy = mkdtempSync(join(cache, 'planted-'));
try {
  main();
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function main(): void {
  const parts = ['cli', 'lib', 'formats', 'fixtures', 'scripts', 'docs', 'test'];
  const files = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
  ];
  for (const part of [...parts, ...files])
    cpSync(join(root, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, '.cache'));
  for (const name of globSync('*', { cwd: cache, exclude: (one) => /^(?:planted-|counts$|package$)/.test(one) })) {
    symlinkSync(join(cache, name), join(copy, '.cache', name));
  }
  let found = 0;
  const all = chosen(Number(values.count), Number(values.seed));
  for (const { path, fault } of all) {
    const source = readFileSync(join(root, path), 'utf8');
    writeFileSync(join(copy, path), planted(source, fault));
    const by = finder(path);
    if (by !== undefined) found += 1;
    const line = source.slice(0, fault.start).split('\n').length;
    console.log(
      `${by === undefined ? 'not found' : 'found'}  ${path}:${line}  ${fault.kind}${by === undefined ? '' : `, by ${by}`}`,
    );
    writeFileSync(join(copy, path), source);
  }
  console.log(`${found} of ${all.length} faults were found`);
}

/** Draws files of lib, and a fault in each. */
function chosen(count: number, seed: number): { readonly path: string; readonly fault: Fault }[] {
  const random = chance(seed);
  const paths = globSync('lib/**/*.ts', { cwd: root }).sort();
  const ranked = paths.map((path) => ({ path, rank: random() })).sort((a, b) => a.rank - b.rank);
  const faults = ranked.flatMap(({ path }) => {
    const places = faultsIn(readFileSync(join(root, path), 'utf8'));
    const fault = places[Math.floor(random() * places.length)];
    return fault === undefined ? [] : [{ path, fault }];
  });
  return faults.slice(0, count);
}

/** Names what finds the fault that is in the copy now; undefined if nothing does. */
function finder(path: string): string | undefined {
  if (!passes(['node_modules/typescript/bin/tsc', '--noEmit'])) return 'types';
  const folder = join('test', dirname(path));
  if (existsSync(join(copy, folder)) && !passes([...vitest, ...lanes, folder])) return `the tests of ${folder}`;
  if (values.near) return undefined;
  if (!passes(['scripts/build.ts'])) return 'the build of the package';
  return passes([...vitest, ...lanes]) ? undefined : 'other tests';
}

function passes(args: readonly string[]): boolean {
  const env = { ...process.env, SOLPACK_UNDER_TEST: args.includes('--bail') && !values.near ? 'package' : 'source' };
  if (!values.near && !existsSync(join(copy, '.cache/package')))
    spawnSync(process.execPath, ['scripts/build.ts'], { cwd: copy });
  return spawnSync(process.execPath, args, { cwd: copy, env, stdio: 'ignore' }).status === 0;
}
