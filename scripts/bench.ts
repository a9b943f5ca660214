import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { releaseBefore } from './bench/before.ts';
import { installing } from './bench/install.ts';
import { living } from './bench/life.ts';
import { loading } from './bench/load.ts';
import { type Measure, measure } from './bench/measure.ts';
import { packingFromRegistry } from './bench/registry.ts';
import { compareWithBefore } from './bench/release.ts';
import { described, heading, line, mebibytes } from './bench/report.ts';
import {
  archive,
  build,
  type Group,
  output,
  packing,
  packOf,
  type Row,
  rowOutput,
  solpack,
  verifying,
  verifyOf,
} from './bench/rows.ts';
import { serving } from './bench/serve.ts';
import { resolving } from './bench/sets.ts';
import { imageSize, makeShared } from './bench/shared.ts';
import { makeSolution, shape } from './bench/solution.ts';
import { makeSparse } from './bench/sparse.ts';
import { argumentsOf, cache, words } from './home.ts';

// Measures solpack beside the tools one would use instead, on the same files, in one run; docs/performance.md tells how
// to read it:
//   node scripts/bench.ts [--only release,pack,registry,verify,load,serve,install,life,resolve,memory] [--size 2048] [--rounds 5]
//     [--memory 2,8,32] [--against COMMIT]
// what to measure; MiB of layers; how often each row is run, one after another in turn; GiB of sparse layers to measure
// the memory of pack on; the release before, else the newest tag: a row of `release` that takes a twentieth more than
// there ends this with 1.

const parts = ['release', 'pack', 'registry', 'verify', 'load', 'serve', 'install', 'life', 'resolve', 'memory'];

const { values } = argumentsOf('bench', {
  options: {
    only: { type: 'string', default: parts.join(',') },
    size: { type: 'string', default: '2048' },
    rounds: { type: 'string', default: '5' },
    memory: { type: 'string', default: '2,8,32' },
    against: { type: 'string' },
  },
});

try {
  const wanted = values.only.split(',');
  const unknown = wanted.filter((part) => !parts.includes(part));
  if (unknown.length > 0) throw new Error(`--only takes ${parts.join(', ')}, and not ${unknown.join(', ')}`);
  const sizes = values.memory.split(',').map((size) => positive('memory', size));
  await main(new Set(wanted), positive('size', values.size), positive('rounds', values.rounds), sizes);
} catch (error) {
  console.error(`bench: ${words(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(output, { recursive: true, force: true });
}

async function main(wanted: ReadonlySet<string>, size: number, rounds: number, sparse: number[]): Promise<void> {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, Node.js ${process.versions.node}; ` +
      `medians of ${rounds} rounds`,
  );
  await measure([[build]]);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(rowOutput, { recursive: true });
  if (wanted.has('release')) await compareReleases(size, rounds);
  if (['pack', 'verify', 'serve'].some((part) => wanted.has(part))) {
    const input = join(cache, 'bench', `files-${size}`);
    await makeSolution(input, size * 1024 * 1024);
    const bytes = mebibytes(warm(input));
    console.log(`${bytes} MiB in ${shape.images * shape.layersPerImage} layers and ${shape.files} small files`);
    if (wanted.has('pack')) await compare(packing(input), rounds, input);
    else await measure([[packOf(input)]]);
    for (const group of wanted.has('verify') ? await verifying(input) : []) {
      await compare(group, rounds, input);
      for (const file of group.inputs) if (file !== archive) rmSync(file);
    }
    if (wanted.has('serve')) await compare(await serving(input), rounds, input);
  }
  if (wanted.has('registry')) await compareFromRegistry(size, rounds);
  if (wanted.has('load')) {
    const input = join(cache, 'bench', `shared-${size}`);
    await makeShared(input, Math.ceil((size * 1024 * 1024) / 10));
    console.log(`\n20 images with layers of ${mebibytes(warm(join(input, 'images')))} MiB, half of each shared`);
    for (const group of await loading(input)) await compare(group, rounds, input);
  }
  if (wanted.has('install')) {
    for (const group of await installing()) await compare(group, rounds, output);
  }
  if (wanted.has('life')) {
    for (const group of await living()) await compare(group, rounds, output);
  }
  if (wanted.has('resolve')) {
    console.log('\n200 Solutions of 20 versions each, in the process');
    for (const outcome of resolving(rounds)) console.log(outcome);
  }
  if (wanted.has('memory')) await remember(sparse);
}

/** Compares with the release before, and has this end with 1 if something got worse. */
async function compareReleases(size: number, rounds: number): Promise<void> {
  const before = await releaseBefore(values.against);
  if (before === undefined) {
    console.log('\nrelease: not measured: there is no tag of an earlier one; --against COMMIT names a commit');
    return;
  }
  if (!(await compareWithBefore(before, { name: 'this', solpack }, size, rounds))) process.exitCode = 1;
}

/** Packs from a registry: 20 images of half the size, without and with SBOMs, and of the whole. */
async function compareFromRegistry(size: number, rounds: number): Promise<void> {
  const [half, whole] = [size / 2, size].map((mebibytesInAll) => join(cache, 'bench', `shared-of-${mebibytesInAll}`));
  await makeShared(half!, imageSize(size / 2));
  await makeShared(whole!, imageSize(size));
  const { groups, input, server } = await packingFromRegistry(half!, whole!);
  try {
    for (const group of groups) await compare(group, rounds, input);
  } finally {
    await server.stop();
  }
}

/** Runs the rows of a group alternately, and prints what each took. */
async function compare({ title, inputs, rows }: Group, rounds: number, input: string): Promise<void> {
  const runs = new Map<Row, Measure[]>(rows.filter((row) => absent(row).length === 0).map((row) => [row, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Alternates the direction, so that no row always follows the same one.
    const inTurn = round % 2 === 0 ? [...runs] : [...runs].reverse();
    for (const [{ steps, server, makes }, measures] of inTurn) {
      if (makes !== undefined) rmSync(makes, { force: true });
      const running = await server?.start();
      // Waits until the disk has what the run before wrote, so that this run does not pay for it.
      await measure([[['sync']]]);
      for (const path of inputs) warm(path);
      try {
        const before = await running?.requests?.();
        const took = await measure(steps, running?.id);
        const after = await running?.requests?.();
        measures.push(before === undefined || after === undefined ? took : { ...took, requests: after - before });
      } finally {
        await running?.stop();
      }
      rmSync(rowOutput, { recursive: true });
      mkdirSync(rowOutput);
      // An existing lock would not save the next round any work, but it would make it another job.
      rmSync(join(input, 'solution.lock'), { force: true });
    }
  }
  const own = runs.get(rows[0]!) ?? [];
  const counted = [...runs.values()].some(([first]) => first?.requests !== undefined);
  console.log(`\n${title}\n${heading(counted)}`);
  for (const row of rows) {
    const measures = runs.get(row);
    console.log(
      measures ? described(row, measures, own) : `${row.name.padEnd(34)}not measured: no ${absent(row).join(', ')}`,
    );
  }
}

/** Packs and verifies Solutions of several sizes, and prints the memory of packing and the speed of verifying. */
async function remember(sizes: readonly number[]): Promise<void> {
  const columns = ['pack s', 'peak MiB', 'verify s', 'peak MiB', 'openssl s', 'verify is', 'bar'];
  console.log(`\nmemory, by size\n${line(['', ...columns])}`);
  for (const size of sizes) {
    const name = `${size} GiB, sparse`;
    const { bavail, bsize } = statfsSync(cache);
    if (bavail * bsize < (size + 1) * 1024 ** 3) {
      console.log(`${name.padEnd(34)}not measured: that much has to be free on the disk`);
      continue;
    }
    const folder = join(cache, 'bench', `sparse-${size}`);
    await makeSparse(folder, size * 1024 ** 3);
    const packed = await measure([[solpack('pack', folder, '-o', archive)]]);
    warm(output);
    const [own, other] = verifyOf('', archive).rows;
    const verified = await measure(own!.steps);
    const hashed = await measure(other!.steps);
    const share = verified.seconds / hashed.seconds;
    console.log(
      line([
        name,
        ...[packed, verified].flatMap(({ seconds, memory }) => [seconds.toFixed(2), mebibytes(memory)]),
        hashed.seconds.toFixed(2),
        `${share.toFixed(2)} x`,
        `${other!.bar} ${share <= (other!.bar ?? 1) ? 'held' : 'missed'}`,
      ]),
    );
    rmSync(archive);
    rmSync(join(folder, 'solution.lock'), { force: true });
  }
}

/** Reads a file, or every file of a folder, so that they are in memory for every program; returns their bytes. */
function warm(path: string): number {
  const buffer = Buffer.alloc(1024 * 1024);
  let bytes = 0;
  const read = (name: string): void => {
    const file = openSync(name, 'r');
    for (let count = -1; count !== 0; bytes += count) count = readSync(file, buffer);
    closeSync(file);
  };
  if (statSync(path).isFile()) read(path);
  else {
    for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) read(join(entry.parentPath, entry.name));
    }
  }
  return bytes;
}

/** Returns the programs of a row that this machine lacks. */
function absent({ steps, server }: Row): string[] {
  const programs = [...(server ? [server.program] : []), ...steps.flatMap((step) => step.map(([program]) => program))];
  return [...new Set(programs)].filter((program) => !present(program));
}

function present(program: string): boolean {
  if (program.includes('/')) return true;
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} has to be whole numbers above 0, not ${value}`);
}
