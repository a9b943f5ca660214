import * as fs from 'node:fs/promises';

/** What Linux reports a block device, by its number: stat(2) gives a size of 0 for every one. */
const SYS = '/sys/dev/block';
/** Sectors of sysfs, whatever those of the device are. */
const SECTOR = 512;

/** Returns the folder of sysfs for the device whose number is `rdev`, as stat(2) gives it. */
function folderOf(rdev: bigint): string {
  const major = ((rdev >> 8n) & 0xfffn) | ((rdev >> 32n) & ~0xfffn);
  const minor = (rdev & 0xffn) | ((rdev >> 12n) & ~0xffn);
  return `${SYS}/${major}:${minor}`;
}

function fact(rdev: bigint, name: string): Promise<string | undefined> {
  return fs.readFile(`${folderOf(rdev)}/${name}`, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}

/** Bytes of the medium in a block device; 0 where there is none, or nobody can tell. */
export async function deviceSize(rdev: bigint): Promise<number> {
  return Number((await fact(rdev, 'size')) ?? 0) * SECTOR;
}

/** Changes whenever the medium in a block device does; undefined where there is none. */
export async function deviceStamp(rdev: bigint): Promise<string | undefined> {
  const size = await deviceSize(rdev);
  if (size === 0) return undefined;
  return `${rdev}-${size}-${(await fact(rdev, 'diskseq')) ?? ''}`;
}
