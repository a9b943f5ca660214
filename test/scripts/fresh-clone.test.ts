import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { executableName, platforms } from '../../scripts/executable/platforms.ts';
import { machineLacks } from '../../scripts/node/needs.ts';
import { type Outcome, ok, run, scratch } from '../support/judges.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('fresh-clone');

/** A clone in which nothing but `npm run setup` was ever run: only its packages are lent to the others. */
const first = join(folder, 'first');
const packages = ['node_modules', 'scripts/runtime/node_modules'];

/** How a script is run, so that it does little, and what has to be here for it. */
interface Trial {
  readonly args?: readonly string[];
  readonly lacks?: () => readonly string[];
  /** How it ends, if not with 0: where it asks for something that no clone has. */
  readonly refusal?: RegExp;
  /** What it leaves in the clone. */
  readonly makes?: readonly string[];
}

const cheapTest = ['test/formats/digest.test.ts'];
const executables = platforms.map((platform) => `.cache/executables/${executableName(platform)}`);

const trials: Readonly<Record<string, Trial>> = {
  setup: {},
  build: { makes: ['.cache/package/package.json'] },
  'build:bin': { makes: executables },
  'build:deb': { makes: ['.cache/debs'] },
  'build:image': { makes: ['.cache/image'] },
  release: { args: ['--rebuild'], makes: ['.cache/release/SHA256SUMS'] },
  demo: {},
  'demo:node': { lacks: machineLacks },
  test: { args: cheapTest },
  'test:bin': { args: cheapTest },
  'test:cluster': { args: ['test/cli/serve-page-cluster.test.ts'] },
  'test:node': { args: ['test/node/node.test.ts'], lacks: machineLacks },
  'test:kernel': { args: ['test/kernel/iso9660.test.ts'] },
  'test:heavy': { args: ['kernel'] },
  'test:conformance': { refusal: /conformance: OCI_CONFORMANCE has to name the program of the suite/ },
  'test:slowest': {},
  check: { args: ['--static'] },
  bench: { args: ['--only', 'verify', '--size', '16', '--rounds', '1'] },
  large: { args: ['--images', '2', '--blobs', '20', '--sparse', '0', '--store', 'disk'] },
  fuzz: { args: ['--executions', '1000'] },
  node: { args: ['true'], lacks: machineLacks },
  judges: {},
  fixtures: {},
  patterns: {},
  docs: {},
  lint: {},
  types: {},
};

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

beforeAll(async () => {
  await cloneInto(first);
  expectWell(await npmRun(first, 'setup', []));
}, 600_000);

test.each(Object.keys(scripts))('npm run %s does its work in a fresh clone', { timeout: 1_800_000 }, async (name) => {
  const trial = trials[name];
  if (trial === undefined) throw new Error(`say in trials how ${name} is run here`);
  const lacks = trial.lacks?.() ?? [];
  if (lacks.length > 0) throw new Error(`npm run ${name} needs ${lacks.join(', ')}`);
  const clone = join(folder, 'clone');
  await cloneInto(clone);
  for (const path of packages.filter((one) => existsSync(join(first, one)))) {
    await ok('cp', ['-al', join(first, path), join(clone, path)]);
  }
  try {
    const untouched = await status(clone);
    const outcome = await npmRun(clone, name, trial.args ?? []);
    if (trial.refusal === undefined) expectWell(outcome);
    else expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(trial.refusal) });
    expect(trial.makes?.filter((path) => !existsSync(join(clone, path))) ?? []).toEqual([]);
    expect(await status(clone)).toBe(untouched);
  } finally {
    rmSync(clone, { recursive: true, force: true, maxRetries: 10 });
  }
});

/** Clones what is committed here, and puts over it what is not committed yet. */
async function cloneInto(clone: string): Promise<void> {
  await ok('git', ['clone', '--quiet', root, clone]);
  const list = async (...args: string[]): Promise<string[]> =>
    (await ok('git', ['-C', root, 'ls-files', '-z', ...args])).split('\0').filter((path) => path !== '');
  for (const path of await list('--modified', '--others', '--exclude-standard')) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(clone, path));
    else rmSync(join(clone, path));
  }
}

function status(clone: string): Promise<string> {
  return ok('git', ['-C', clone, 'status', '--porcelain']);
}

/** Runs a script as somebody does who has just cloned: nothing of this checkout or of this run is seen. */
function npmRun(clone: string, name: string, args: readonly string[]): Promise<Outcome> {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((one) => !one.startsWith(`${root}/`));
  const ofThisRun = /^(?:VITEST|SOLPACK|OCI_CONFORMANCE|NODE_(?:OPTIONS|ENV|PATH)|npm_|TEST$|MODE$|DEV$|PROD$|SSR$)/;
  const unset = Object.keys(process.env).filter((one) => ofThisRun.test(one));
  const words = [...unset.flatMap((one) => ['-u', one]), `PATH=${path.join(delimiter)}`, 'npm', 'run', '-s', name];
  return run('env', [...words, ...(args.length > 0 ? ['--', ...args] : [])], { cwd: clone });
}

function expectWell({ code, stdout, stderr }: Outcome): void {
  if (code !== 0) throw new Error(`ended with ${code}:\n${stderr.slice(-4000)}${stdout.slice(-4000)}`);
}
