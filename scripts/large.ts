import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { carry, type Load } from './bench/carry.ts';
import { makeMany } from './bench/many.ts';
import { measure } from './bench/measure.ts';
import { mebibytes } from './bench/report.ts';
import { build, solpack } from './bench/rows.ts';
import { makeSparse } from './bench/sparse.ts';
import { argumentsOf, cache, words } from './home.ts';

// Pushes what is larger than usual to Distribution 3, cut and killed on the way, and tells the time and the memory that
// it took:
//   node scripts/large.ts [--images 200] [--blobs 20000] [--sparse 100] [--store disk,s3] [--folder DIR]
// images of a Solution, and layers of them all; GiB of layers, nearly all of it holes, 0 for none; where the registry
// of the first keeps them. What is sparse goes to a file system of its own, which keeps nothing of zeros: for that it
// has to be root, and needs btrfs-progs.

const { values } = argumentsOf('large', {
  options: {
    images: { type: 'string', default: '200' },
    blobs: { type: 'string', default: '20000' },
    sparse: { type: 'string', default: '100' },
    store: { type: 'string', default: 'disk,s3' },
    folder: { type: 'string', default: join(cache, 'large') },
  },
});

try {
  await main();
} catch (error) {
  console.error(`large: ${words(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { folder } = values;
  const [images, blobs, sparse] = [Number(values.images), Number(values.blobs), Number(values.sparse)];
  const output = join(folder, 'output');
  mkdirSync(folder, { recursive: true });
  await measure([[build]]);
  const how = { output, program: (name: string) => name, solpack };
  if (blobs > 0) {
    const input = join(folder, `many-${images}-${blobs}`);
    await makeMany(input, images, blobs);
    for (const store of values.store.split(',') as Load['store'][]) {
      await report({ ...how, title: `${images} images, ${blobs} blobs`, input, bytes: 1024 * blobs, store });
    }
  }
  if (sparse > 0) await onFolding(folder, output, (room) => carrySparse(sparse, { ...how, output: room }));
  rmSync(output, { recursive: true, force: true });
}

async function carrySparse(size: number, how: Pick<Load, 'output' | 'program' | 'solpack'>): Promise<void> {
  const input = join(values.folder, `sparse-${size}`);
  await makeSparse(input, size * 1024 ** 3);
  await report({ ...how, title: `${size} GiB`, input, bytes: size * 1024 ** 3, store: 'disk' });
}

async function report(load: Load): Promise<void> {
  console.log(`\n${load.title}, Distribution 3 on ${load.store === 's3' ? 'an S3 store' : 'its disk'}`);
  await carry(load, ({ title, seconds, memory, sent, moved, present }) => {
    const done = moved === undefined ? 'killed' : `${moved} moved, ${present} there`;
    console.log(
      `  ${title.padEnd(34)} ${seconds.toFixed(1)} s  ${mebibytes(memory)} MiB at most  ${mebibytes(sent)} MiB sent  ${done}`,
    );
  });
}

/** Lends `work` a folder on a btrfs of its own, in a file of holes, which compresses: zeros take next to no room. */
async function onFolding(folder: string, place: string, work: (folder: string) => Promise<void>): Promise<void> {
  const file = join(folder, 'btrfs.img');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  writeFileSync(file, '');
  truncateSync(file, 400 * 1024 ** 3);
  execFileSync('mkfs.btrfs', ['-q', '-f', file]);
  execFileSync('mount', ['-o', 'loop,compress-force=zstd:1,noatime', file, place]);
  try {
    await work(join(place, 'room'));
  } finally {
    execFileSync('umount', [place]);
    rmSync(file);
  }
}
