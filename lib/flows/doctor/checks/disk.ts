import { dirname } from 'node:path';
import { shellWord } from '../../../../formats/shell-word.ts';
import { sizeWords } from '../../../../formats/size-words.ts';
import { type DiskFacts, diskFor } from '../../../kernel/machine/index.ts';
import { type DoctorSurroundings, type HealthCheck, openedArchives } from '../check.ts';
import { imagesIn } from '../images-in.ts';
import type { HealthFinding } from '../request.ts';

/** Bytes that have to be free, and below which it is said that room gets scarce. */
const LEAST = 64 * 1024 * 1024;
const SCARCE = 1024 * 1024 * 1024;

/** Where containerd keeps images, unless its configuration says otherwise. */
const CONTAINERD = '/var/lib/containerd';

/** A folder that is written to. */
interface WrittenFolder {
  readonly path: string;
  readonly what: string;
  /** Bytes that may come into it. */
  readonly coming?: number;
}

/** Looks how much room there is where something is written, and whether the disk holds files of 4 GiB. */
export const roomCheck: HealthCheck = {
  code: 'disk',
  purposes: ['pack', 'install'],
  look: async (surroundings, { host: { temp } }) => {
    const folders = new Map<string, WrittenFolder>();
    const all = [...(await foldersOf(surroundings)), { path: temp, what: 'temporary files' }];
    for (const one of all) if (!folders.has(one.path)) folders.set(one.path, one);
    return Promise.all([...folders.values()].map(async (folder) => roomFound(folder, await diskFor(folder.path))));
  },
};

async function foldersOf(surroundings: DoctorSurroundings): Promise<WrittenFolder[]> {
  const { request, purposes, said } = surroundings;
  const archives = purposes.has('pack') ? [{ path: request.folder, what: 'archives' }] : [];
  if (!purposes.has('install')) return archives;
  const store = imagesIn(surroundings) ?? (said.containerd === undefined ? undefined : CONTAINERD);
  const coming = (await openedArchives(surroundings)).reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ...archives,
    ...(store === undefined ? [] : [{ path: store, what: 'images', coming }]),
    ...(request.trustState === undefined
      ? []
      : [{ path: dirname(request.trustState), what: 'the memory of installs' }]),
  ];
}

/** Judges a disk by what it is for. */
export function roomFound({ path, what, coming = 0 }: WrittenFolder, disk: DiskFacts | undefined): HealthFinding {
  if (disk === undefined)
    return { state: 'unknown', subject: path, message: 'the system reports nothing about its disk' };
  const { free, largest, isOutOfFiles } = disk;
  const room = `${sizeWords(free)} are free for ${what}`;
  const scarce = `${room}: remove what takes most space`;
  const hint = `du -x -d 1 ${shellWord(path)} | sort -n`;
  if (isOutOfFiles) {
    const inodes = hint.replace('du -x', 'du -x --inodes');
    return {
      state: 'fails',
      subject: path,
      message: 'its disk has no room for another file: remove what takes most space',
      hint: inodes,
    };
  }
  if (free < LEAST) return { state: 'fails', subject: path, message: scarce, hint };
  if (largest !== undefined) {
    const message = `${room}, and no file may have 4 GiB: the disk is formatted as FAT32`;
    return {
      state: 'warns',
      subject: path,
      message,
      hint: 'format the disk as exFAT or ext4, or write to another one',
    };
  }
  if (free < coming) {
    const message = `${room}, and all images of the configuration take ${sizeWords(coming)}`;
    return { state: 'warns', subject: path, message, hint: 'solpack install --plan' };
  }
  if (free < SCARCE) return { state: 'warns', subject: path, message: scarce, hint };
  return { state: 'ok', subject: path, message: room };
}
