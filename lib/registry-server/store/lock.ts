import * as fs from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { SolpackError } from '../../errors.ts';
import type { HeldFolder } from '../../held-folder.ts';
import { codeOf } from '../../system-errors.ts';

/** The exclusive use of a store. */
export interface StoreLock {
  release(): Promise<void>;
}

/**
 * Takes the exclusive use of a store by listening on a socket in its folder, which stays held until the release.
 * However a process ends, the system closes its socket, and a socket that nobody listens on blocks nobody. Throws
 * `store-busy`.
 */
export async function lockStore(folder: HeldFolder): Promise<StoreLock> {
  // Paths of sockets must be short (unix(7)), and that of a held folder is.
  const path = folder.at('lock');
  for (let attempt = 1; ; attempt += 1) {
    try {
      const server = await listen(path);
      server.unref();
      return {
        release: async () => {
          await new Promise((settle) => server.close(settle));
        },
      };
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
      if (attempt === 3 || (await answers(path))) throw busy(folder.path, error);
      await fs.rm(path, { force: true });
    }
  }
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((settle, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => settle(server));
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      settle(true);
    });
    socket.once('error', () => settle(false));
  });
}

function busy(folder: string, cause: unknown): SolpackError {
  return new SolpackError('store-busy', folder, 'another process serves this store', {
    cause,
    hint: 'end that one, or give this one a folder of its own',
  });
}
