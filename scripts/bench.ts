import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Measure, measure } from './bench/measure.ts';
import { described, heading, line, mebibytes } from './bench/report.ts';
import { archive, type Group, output, packing, type Row, solpack, verifying } from './bench/rows.ts';
import { makeSolution, shape } from './bench/solution.ts';
import { makeSparse } from './bench/sparse.ts';
import { cache, words } from './home.ts';

// Measures pack and verify beside the tools one would chain instead, on the same files, in one run; docs/performance.md
// tells how to read it:
//   node scripts/bench.ts [--size 2048] [--rounds 5] [--memory 2,8,32]
// MiB of layers; how often each row is run, one after another in turn; GiB of sparse layers to measure memory on.

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2048' },
    rounds: { type: 'string', default: '5' },
    memory: { type: 'string', default: '2,8,32' },
  },
});

try {
  const sizes = values.memory === '0' ? [] : values.memory.split(',').map((size) => positive('memory', size));
  await main(positive('size', values.size), positive('rounds', values.rounds), sizes);
} catch (error) {
  console.error(`bench: ${words(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(output, { recursive: true, force: true });
}

async function main(size: number, rounds: number, sparse: readonly number[]): Promise<void> {
  const input = join(cache, 'bench', `files-${size}`);
  await makeSolution(input, size * 1024 * 1024);
  const bytes = warm(input);
  console.log(
    `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, Node.js ${process.versions.node}; ` +
      `${mebibytes(bytes)} MiB in ${shape.images * shape.layersPerImage} layers and ${shape.files} small files; ` +
      `medians of ${rounds} rounds`,
  );
  for (const group of [packing(input), verifying()]) await compare(group, rounds, input);
  if (sparse.length > 0) await remember(sparse);
}

/** Runs the rows of a group in turn, and prints what each took. */
async function compare({ title, rows }: Group, rounds: number, input: string): Promise<void> {
  const runs = new Map<Row, Measure[]>(rows.filter((row) => absent(row).length === 0).map((row) => [row, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [row, measures] of runs) {
      mkdirSync(output, { recursive: true });
      measures.push(await measure(row.steps));
      for (const name of readdirSync(output)) {
        if (join(output, name) !== archive) rmSync(join(output, name), { recursive: true });
      }
      // A lock that is there already saves the next round nothing, but it would not be the same job.
      rmSync(join(input, 'solution.lock'), { force: true });
    }
  }
  const own = runs.get(rows[0]!) ?? [];
  console.log(`\n${title}\n${heading()}`);
  for (const row of rows) {
    const measures = runs.get(row);
    console.log(
      measures ? described(row, measures, own) : `${row.name.padEnd(34)}not measured: no ${absent(row).join(', ')}`,
    );
  }
}

/** Packs Solutions of several sizes, and prints how much memory each took. */
async function remember(sizes: readonly number[]): Promise<void> {
  console.log(`\nmemory of pack, by size\n${line(['', 'seconds', 'peak MiB'])}`);
  for (const size of sizes) {
    const name = `${size} GiB, sparse`;
    const { bavail, bsize } = statfsSync(cache);
    if (bavail * bsize < (size + 1) * 1024 ** 3) {
      console.log(`${name.padEnd(34)}not measured: that much has to be free on the disk`);
      continue;
    }
    const folder = join(cache, 'bench', `sparse-${size}`);
    await makeSparse(folder, size * 1024 ** 3);
    mkdirSync(output, { recursive: true });
    const { seconds, memory } = await measure([[solpack('pack', folder, '-o', archive)]]);
    console.log(line([name, seconds.toFixed(2), mebibytes(memory)]));
    rmSync(output, { recursive: true });
    rmSync(join(folder, 'solution.lock'), { force: true });
  }
}

/** Reads every file below `folder`, so that all find them in memory; returns how many bytes there are. */
function warm(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) bytes += statSync(path).size > 0 ? readFileSync(path).length : 0;
  }
  return bytes;
}

/** The programs of a row that this machine lacks. */
function absent({ steps }: Row): string[] {
  const programs = steps.flatMap((step) => step.map(([program]) => program));
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
