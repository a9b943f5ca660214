import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, type Measure, measure } from './bench/measure.ts';
import { makeSolution, references, shape } from './bench/solution.ts';
import { cache, root, words } from './home.ts';

// Measures pack and verify beside the tools one would chain instead, on the same files, in one run:
//   node scripts/bench.ts [--size 2048] [--repeat 1]      MiB of layers; the best of so many runs counts
// Inputs are read once before, so that all find them in memory; each writer ends with its output on the disk.

interface Row {
  readonly name: string;
  /** The programs it takes. Rows of one group are compared with the first. */
  readonly commands: readonly Command[];
}

const { values } = parseArgs({
  options: { size: { type: 'string', default: '2048' }, repeat: { type: 'string', default: '1' } },
});

try {
  await main(positive('size', values.size), positive('repeat', values.repeat));
} catch (error) {
  console.error(`bench: ${words(error)}`);
  process.exitCode = 1;
}

async function main(size: number, repeat: number): Promise<void> {
  const input = join(cache, 'bench', `solution-${size}`);
  const output = join(cache, 'bench', 'output');
  await makeSolution(input, size * 1024 * 1024);
  const bytes = warm(input);
  console.log(
    `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, Node.js ${process.versions.node}; ` +
      `${mebibytes(bytes)} in ${shape.images} images and ${shape.manifests} manifests; best of ${repeat}`,
  );
  const archive = join(output, 'bench.iso');
  for (const group of [packing(input, output, archive), verifying(archive)]) {
    console.log(`\n${line(['', 'seconds', 'MB/s', 'peak MiB', 'written MB', 'x time'])}`);
    let first: number | undefined;
    for (const row of group) {
      const result = await best(row, repeat, output, archive);
      first ??= typeof result === 'string' ? undefined : result.seconds;
      console.log(
        typeof result === 'string' ? `${row.name.padEnd(36)}${result}` : described(row.name, result, bytes, first),
      );
    }
  }
  rmSync(output, { recursive: true, force: true });
}

function packing(input: string, output: string, archive: string): Row[] {
  const chain = join(output, 'chain');
  const iso = join(output, 'chain.iso');
  return [
    {
      name: 'solpack pack',
      commands: [[process.execPath, join(root, 'cli/bin.js'), 'pack', join(input, 'solution.toml'), '-o', archive]],
    },
    {
      name: 'skopeo copy + xorriso + sha256sum',
      commands: [
        ...references.map((reference): Command => {
          const target = `oci:${chain}/images:${reference}`;
          return ['skopeo', 'copy', '--preserve-digests', '--all', '-q', `oci:${input}/images:${reference}`, target];
        }),
        ['cp', '-R', join(input, 'manifests'), chain],
        ['xorriso', '-as', 'mkisofs', '-quiet', '-R', '-J', '-joliet-long', '-o', iso, chain],
        ['sha256sum', iso],
        ['sync', iso],
      ],
    },
    {
      name: 'cp -R',
      commands: [
        ['cp', '-R', input, join(output, 'copy')],
        ['sync', '-f', output],
      ],
    },
  ];
}

function verifying(archive: string): Row[] {
  return [
    { name: 'solpack verify', commands: [[process.execPath, join(root, 'cli/bin.js'), 'verify', archive]] },
    { name: 'openssl dgst -sha256', commands: [['openssl', 'dgst', '-sha256', archive]] },
    { name: 'sha256sum', commands: [['sha256sum', archive]] },
  ];
}

/** The fastest of `repeat` runs; a line of words where a program is absent. Only the archive outlives its row. */
async function best(row: Row, repeat: number, output: string, archive: string): Promise<Measure | string> {
  const absent = [...new Set(row.commands.map(([program]) => program))].filter((program) => !present(program));
  if (absent.length > 0) return `not measured: ${absent.join(', ')} absent`;
  const runs: Measure[] = [];
  for (let turn = 0; turn < repeat; turn += 1) {
    mkdirSync(output, { recursive: true });
    if (row.name === 'solpack pack') {
      rmSync(archive, { force: true });
      rmSync(join(row.commands[0]?.at(-3) ?? '', '../solution.lock'), { force: true });
    }
    mkdirSync(join(output, 'chain'), { recursive: true });
    runs.push(await measure(row.commands));
    for (const name of readdirSync(output)) {
      if (join(output, name) !== archive) rmSync(join(output, name), { recursive: true });
    }
  }
  return runs.reduce((a, b) => (a.seconds <= b.seconds ? a : b));
}

function described(
  name: string,
  { seconds, memory, written }: Measure,
  bytes: number,
  first: number | undefined,
): string {
  return line([
    name,
    seconds.toFixed(2),
    (bytes / 1e6 / seconds).toFixed(0),
    memory === undefined ? '-' : (memory / 1024 / 1024).toFixed(0),
    written === undefined ? '-' : (written / 1e6).toFixed(0),
    first === undefined ? '-' : (seconds / first).toFixed(2),
  ]);
}

function line([name = '', ...columns]: readonly string[]): string {
  return name.padEnd(36) + columns.map((column) => column.padStart(11)).join('');
}

/** Reads every file below `folder`; returns how many bytes there are. */
function warm(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) bytes += statSync(path).size > 0 ? readFileSync(path).length : 0;
  }
  return bytes;
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
  throw new Error(`--${name} has to be a whole number above 0, not ${value}`);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}
