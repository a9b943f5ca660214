import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, packageFolder, root } from '../home.ts';
import { type Command, measure, type Steps } from './measure.ts';
import { references } from './solution.ts';

/** One way to do a job. */
export interface Row {
  readonly name: string;
  readonly steps: Steps;
  /** A file that it makes for later rows: removed before each run, as the files in `rowOutput` are after it. */
  readonly makes?: string;
  /** A server that has to run: its start is not timed, but what it uses is counted. */
  readonly server?: { readonly program: string; start(): Promise<Server> };
  /** Most time that the first row may take, as a share of this row's. */
  readonly bar?: number;
  /** Most MiB that this row may take at its peak. */
  readonly memory?: number;
}

/** A server that runs until it is stopped. */
export interface Server {
  /** Its process; left out where what it uses is not of interest. */
  readonly id?: number;
  /** Counts what it was asked so far. */
  requests?(): Promise<number>;
  stop(): Promise<void>;
}

/** Ways to do the same job; the first is solpack's. */
export interface Group {
  readonly title: string;
  /** Files and folders that are read before each run, so that they are in memory for every program. */
  readonly inputs: readonly string[];
  readonly rows: readonly Row[];
}

/** Where outputs go. */
export const output: string = join(cache, 'bench', 'output');

/** Where the outputs of a row go, which are removed after each run of it. */
export const rowOutput: string = join(output, 'row');

/** The archive that packing makes, and verifying and serving read. */
export const archive: string = join(output, 'bench.iso');

/** Builds the package that is measured. */
export const build: Command = [process.execPath, join(root, 'scripts/build.ts')];

/** Returns a command line of the solpack that was built. */
export function solpack(...args: string[]): Command {
  return [process.execPath, join(packageFolder, 'bin/bin.js'), ...args, '--quiet'];
}

const image = join(rowOutput, 'other.iso');
const digest: Command[] = [['openssl', 'dgst', '-sha256', image]];

/** Returns the command that packs the Solution in `input`. */
export function packOf(input: string): Command {
  return solpack('pack', join(input, 'solution.toml'), '-o', archive);
}

/** Makes the group that packs the Solution in `input` and hashes everything in it. */
export function packing(input: string): Group {
  const pack = packOf(input);
  const floor = (number: number): Command => [
    process.execPath,
    join(root, 'scripts/bench/floor.ts'),
    input,
    image,
    `${number}`,
    '2',
  ];
  return {
    title: 'pack',
    inputs: [input],
    rows: [
      { name: 'solpack pack', steps: [[pack]], makes: archive },
      { name: 'solpack pack --no-sync', steps: [[[...pack, '--no-sync']]], makes: archive },
      {
        name: 'genisoimage + openssl',
        bar: 0.75,
        steps: [[['genisoimage', '-quiet', '-R', '-J', '-o', image, input]], digest],
      },
      {
        name: 'xorriso + openssl',
        bar: 0.45,
        steps: [[['xorriso', '-as', 'mkisofs', '-quiet', '-R', '-J', '-o', image, input]], digest],
      },
      {
        name: 'floor: 2 processes copy and hash',
        bar: 1.5,
        steps: [[['truncate', '-s', '0', image]], [floor(0), floor(1)]],
      },
      chain(input),
    ],
  };
}

/**
 * Returns the row of the tools that one would chain instead: each image is copied, everything put into an image file,
 * and that hashed.
 */
function chain(input: string): Row {
  const folder = join(rowOutput, 'chain');
  const copies = references.map((reference): Command[] => {
    const target = `oci:${folder}/images:${reference}`;
    return [['skopeo', 'copy', '--preserve-digests', '--all', '-q', `oci:${input}/images:${reference}`, target]];
  });
  return {
    name: 'skopeo copy + xorriso + openssl',
    steps: [
      [['mkdir', '-p', folder]],
      ...copies,
      [['cp', '-R', join(input, 'dashboards'), folder]],
      [['xorriso', '-as', 'mkisofs', '-quiet', '-R', '-J', '-o', image, folder]],
      digest,
    ],
  };
}

/** Makes the groups that verify the last archive, and one of the images in `input` alone. */
export async function verifying(input: string): Promise<Group[]> {
  const folder = join(output, 'layers');
  const layers = join(output, 'layers.iso');
  const images = references.map(
    (reference) => `[[images]]\nreference = "${reference}"\nsource = "oci:${input}/images:${reference}"\n`,
  );
  mkdirSync(folder);
  writeFileSync(join(folder, 'solution.toml'), ['name = "layers"\nversion = "1.0.0"\n', ...images].join('\n'));
  await measure([[solpack('pack', folder, '-o', layers)]]);
  return [verifyOf('verify, of layers alone', layers), verifyOf('verify, of layers and small files', archive)];
}

/** Makes the group that verifies the archive `file`. */
export function verifyOf(title: string, file: string): Group {
  return {
    title,
    inputs: [file],
    rows: [
      { name: 'solpack verify', steps: [[solpack('verify', file)]] },
      { name: 'openssl dgst -sha256', bar: 0.65, steps: [[['openssl', 'dgst', '-sha256', file]]] },
      { name: 'sha256sum', steps: [[['sha256sum', file]]] },
    ],
  };
}
