import { lstat, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { codeOf } from '../events/index.ts';
import { hasEnded, isHere, isRun, isRunning } from '../machine/index.ts';
import type { HeldFolder } from './held-folder.ts';
import type { Claim } from './lock-claim.ts';
import { readFile } from './open-file.ts';

/** Who has a lock, as far as that is known. */
export interface LockHolder {
  /**
   * `running`: somebody holds it. `abandoned`: the system says that nobody does. `ended`: whoever made it says who that
   * was, and that has ended. `unknown`: it may be of another machine. `foreign`: what is there is no lock.
   */
  readonly state: 'running' | 'abandoned' | 'ended' | 'unknown' | 'foreign';
  /** No two locks have the same. */
  readonly mark: string;
  /** Whose it is; undefined where no file says so. */
  readonly user?: number;
  /** The number of the process, where that counts here. */
  readonly process?: number;
  /** The name of its socket. */
  readonly socket?: string;
}

/** Finds out who has the lock `name` of a folder; undefined where nobody has. */
export async function holderOf(folder: HeldFolder, name: string, claim?: Claim): Promise<LockHolder | undefined> {
  if (claim?.address !== undefined) {
    return (await ask(claim.address)) === 'refused' ? undefined : { state: 'running', mark: claim.address };
  }
  const path = folder.at(name);
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!stats) return undefined;
  const found = { user: Number(stats.uid), mark: `${stats.ino} ${stats.mtimeNs}` };
  if (stats.isSymbolicLink()) {
    const socket = await readlink(path).catch(() => undefined);
    return socket === undefined ? undefined : { ...found, ...(await behind(folder, socket)) };
  }
  // As releases before have left them: a socket without a link, or a file that names the run.
  if (stats.isSocket()) return { ...found, state: stateBy(await ask(path), true) };
  if (!stats.isFile()) return { ...found, state: 'foreign' };
  const run = Buffer.from(await readFile(path, 1024).catch(() => new Uint8Array())).toString('latin1');
  if (!isRun(run)) return { ...found, state: 'unknown' };
  return { ...found, ...(isRunning(run) ? running(run) : { state: hasEnded(run) ? 'ended' : 'unknown' }) };
}

async function behind(folder: HeldFolder, socket: string): Promise<Omit<LockHolder, 'user'>> {
  const run = socket.split('.').at(-2) ?? '';
  if (!isRun(run) || socket.includes('/')) return { state: 'foreign', mark: socket };
  const state = stateBy(await ask(folder.at(socket)), isHere(run));
  return { mark: socket, socket, ...(state === 'running' ? running(run) : { state }) };
}

function running(run: string): { state: 'running'; process?: number } {
  return { state: 'running', ...(isHere(run) ? { process: Number(run.split('-')[0]) } : {}) };
}

function stateBy(answer: Answer, isHere: boolean): LockHolder['state'] {
  if (answer === 'heard') return 'running';
  return answer === 'refused' && isHere ? 'abandoned' : 'unknown';
}

/** `refused`: nobody on this machine listens there. `unclear`: this user cannot find out. */
type Answer = 'heard' | 'refused' | 'unclear';

function ask(path: string): Promise<Answer> {
  return new Promise((settle) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      settle('heard');
    });
    socket.once('error', (error) => {
      const code = codeOf(error) ?? '';
      // A queue that is full is somebody's.
      settle(code === 'EAGAIN' ? 'heard' : ['ECONNREFUSED', 'ENOENT'].includes(code) ? 'refused' : 'unclear');
    });
  });
}
