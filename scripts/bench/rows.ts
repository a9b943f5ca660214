import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, packageFolder, root } from '../home.ts';
import { type Command, measure, type Steps } from './measure.ts';
import { references } from './solution.ts';

/** One way to do a job. */
export interface Row {
  readonly name: string;
  readonly steps: Steps;
  /** A file that it makes and others read later: removed before each run, as those in `rowOutput` are after it. */
  readonly makes?: string;
  /** What is there beforehand: its time does not count, what a server uses does. */
  readonly server?: { readonly program: string; start(): Promise<Server> };
  /** What the first row's time may be at most, as a share of this one's. */
  readonly bar?: number;
}

/** A server that runs until it is stopped. */
export interface Server {
  readonly id: number;
  stop(): Promise<void>;
}

/** Ways to do the same job; the first is solpack's. */
export interface Group {
  readonly title: string;
  /** Files, and folders of files, that are read before each run, so that every program finds them in memory. */
  readonly inputs: readonly string[];
  readonly rows: readonly Row[];
}

/** Where outputs go. */
export const output: string = join(cache, 'bench', 'output');

/** Where those of a row go, which are removed after each run of it. */
export const rowOutput: string = join(output, 'row');

/** The archive that packing makes, and verifying and serving read. */
export const archive: string = join(output, 'bench.iso');

/** Makes of these sources what is measured. */
export const build: Command = [process.execPath, join(root, 'scripts/build.ts')];

/** solpack's own command line, as it was built. */
export function solpack(...args: string[]): Command {
  return [process.execPath, join(packageFolder, 'bin/bin.js'), ...args, '--quiet'];
}

const image = join(rowOutput, 'other.iso');
const digest: Command[] = [['openssl', 'dgst', '-sha256', image]];

/** Packs the Solution in `input`. */
export function packOf(input: string): Command {
  return solpack('pack', join(input, 'solution.toml'), '-o', archive);
}

/** Makes an archive of the Solution in `input`, and a digest of all in it. */
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

/** What one would chain instead: each image copied, all of it put into an image file, and that hashed. */
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

/** Checks the archive that was packed last, and one of the images in `input` without the files beside them. */
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

/** Checks the archive `file`. */
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
