import { createHash, randomBytes } from 'node:crypto';
import { readlink, symlink, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { codeOf } from '../events/index.ts';
import { ownRun } from '../machine/index.ts';
import type { HeldFolder } from './held-folder.ts';

// A lock is a symbolic link, which the system makes for one process alone, to a socket beside it that its holder
// listens on: the system ends that with the process, so whoever connects learns whether there still is a holder, in
// whatever container. The name of the socket tells its run, for file systems that other machines share. Where a file
// system has no sockets, an abstract one (unix(7)) is the lock, which needs no file and is gone with its process.

/** A run that wants a lock, and can be found by others. */
export interface Claim {
  /** The address of the abstract socket that is the lock, where no file is. */
  readonly address?: string;
  /** Becomes the holder; false where there is one. */
  publish(): Promise<boolean>;
  /** Gives the lock back, or no longer wants it. */
  withdraw(): Promise<void>;
}

/** Errors where a file system has no sockets, or their path is too long for one. */
const LACKING = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENAMETOOLONG'];

/** Characters of a lock's name that the names of its sockets begin with. */
const SHORT = 32;

/** Prepares to take the lock `name` of a folder. Throws the error of the system where nothing can be made there. */
export async function claimLock(folder: HeldFolder, name: string): Promise<Claim> {
  try {
    return await claimByLink(folder, name);
  } catch (error) {
    if (!LACKING.includes(codeOf(error) ?? '') || process.platform !== 'linux') throw error;
    return claimByAddress(await addressOf(folder, name));
  }
}

async function claimByLink(folder: HeldFolder, name: string): Promise<Claim> {
  // Paths of sockets are short (unix(7)): this one is where the folder is held, if its name is.
  const socket = `${name.slice(0, SHORT)}.${ownRun()}.${randomBytes(4).toString('hex')}`;
  const server = await listen(folder.at(socket));
  return {
    publish: async () => {
      try {
        await symlink(socket, folder.at(name));
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
    },
    withdraw: async () => {
      // First, so that nobody finds a lock without a holder.
      const path = folder.at(name);
      if ((await readlink(path).catch(() => undefined)) === socket) await unlink(path).catch(() => undefined);
      await close(server);
    },
  };
}

function claimByAddress(address: string): Claim {
  let server: Server | undefined;
  return {
    address,
    publish: async () => {
      try {
        server = await listen(address);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EADDRINUSE') return false;
        throw error;
      }
    },
    withdraw: async () => {
      if (server) await close(server);
    },
  };
}

/** An address that is the same for all who hold this folder. */
async function addressOf(folder: HeldFolder, name: string): Promise<string> {
  const { dev, ino } = await folder.stat();
  return `\0solpack-${createHash('sha256').update(`${dev} ${ino} ${name}`).digest('hex')}`;
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((settle, reject) => {
    server.on('error', reject);
    server.listen({ path }, () => settle(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((settle) => server.close(() => settle()));
}
