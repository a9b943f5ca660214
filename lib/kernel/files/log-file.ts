import { constants, type Stats, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { codeOf, lend, SolpackError, unwritable } from '../events/index.ts';
import { holdFolder, ownUser } from './held-folder.ts';

/** A file to which lines are added. */
export interface LogFile {
  /** Adds a line, which the system has when this returns. Throws the error of the system. */
  write(line: string): void;
  close(): Promise<void>;
}

/**
 * Appends to the end, makes the file where it is absent, and waits for nobody at a pipe. It is read as well, and by the
 * same descriptor, so that what was looked at is what is written.
 */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file for appending, or a device such as `/dev/null`; it is made for this user alone where it is absent. Its
 * name has to stand for a file of this user: what a run tells goes through no link, and into no pipe. Throws
 * `output-unwritable`, `disk-full`.
 */
export async function openLogFile(path: string): Promise<LogFile> {
  try {
    return await lend(await holdFolder(dirname(path)), async (folder) => {
      const handle = await folder.open(basename(path), FLAGS, 0o600);
      const stats = await handle.stat();
      const isOwn = ownUser() === undefined || (stats.uid === ownUser() && stats.nlink === 1);
      if (stats.isFile() && isOwn && !(await isLog(handle))) {
        await handle.close();
        throw notOurs(path, 'is not a log of solpack');
      }
      if ((stats.isFile() && isOwn) || stats.isCharacterDevice()) {
        return { write: (line) => void writeSync(handle.fd, line), close: () => handle.close() };
      }
      await handle.close();
      throw notOurs(path, kindOf(stats));
    });
  } catch (error) {
    // So the system says that there is a link, and a socket.
    if (codeOf(error) === 'ELOOP') throw notOurs(path, 'is a link, which is not followed');
    if (codeOf(error) === 'ENXIO') throw notOurs(path, CHANNEL);
    throw unwritable(path, error);
  }
}

/**
 * Returns whether a file is empty, or begins as a log does, whose lines are JSON. Whatever else it is would be damaged.
 */
async function isLog(handle: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, 0);
  return bytesRead === 0 || buffer.toString('latin1') === '{';
}

const CHANNEL = 'is a pipe or a socket';

function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'is a file of another user, or has a second name';
  return stats.isFIFO() ? CHANNEL : 'is not a file';
}

function notOurs(path: string, why: string): SolpackError {
  return new SolpackError('output-unwritable', path, why, { hint: 'name your own file, or one that does not exist' });
}
