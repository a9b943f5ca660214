import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { shellWord } from '../../../../formats/shell-word.ts';
import { codeOf, type Flow, faultsOf, reasonOf } from '../../../kernel/events/index.ts';
import { ownUser, requireOwnPlace } from '../../../kernel/files/index.ts';
import { isThere } from '../../../kernel/machine/index.ts';
import { whyNoSocket } from '../../setup/index.ts';
import { type DoctorSurroundings, failing, type HealthCheck } from '../check.ts';
import { imagesIn } from '../images-in.ts';
import { inTime } from '../in-time.ts';
import type { HealthFinding } from '../request.ts';

/** Looks whether this user may write to the folders that are needed, and use the socket. */
export const rightsCheck: HealthCheck = {
  code: 'rights',
  purposes: ['pack', 'install'],
  look: async (surroundings, flow) => {
    const found: HealthFinding[] = [];
    for (const [folder, what] of foldersOf(surroundings, flow)) found.push(await writable(folder, what));
    const { purposes, said } = surroundings;
    if (!purposes.has('install') || said.containerd === undefined) return found;
    return [...found, ...(await usable(said.containerd, flow))];
  },
};

/** The folders that are written to, each once, with what for. */
function foldersOf(surroundings: DoctorSurroundings, { host: { temp } }: Flow): ReadonlyMap<string, string> {
  const { request, purposes, profile, said, configuration } = surroundings;
  const folders: (readonly [string | undefined, string])[] = [[temp, 'temporary files']];
  if (purposes.has('pack')) folders.push([request.folder, 'archives']);
  if (purposes.has('install')) {
    folders.push([request.trustState, 'the memory of installs']);
    if (profile !== undefined) folders.push([dirname(configuration), 'the configuration']);
    folders.push([said.hostsDir, 'mirrors of containerd'], [imagesIn(surroundings), 'images']);
  }
  return new Map(folders.flatMap(([path, what]) => (path === undefined ? [] : [[path, what] as const])));
}

/** Looks at a folder that is there, or at the one in which it will be made. */
async function writable(folder: string, what: string): Promise<HealthFinding> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const isFolder = (await fs.stat(at)).isDirectory();
      if (!isFolder) throw Object.assign(new Error(), { code: 'ENOTDIR' });
      await fs.access(at, constants.W_OK | constants.X_OK);
    } catch (error) {
      const code = codeOf(error);
      // What prevents a path has no folder below it.
      if (code === 'ENOENT' || (code === 'ENOTDIR' && !(await isThere(at)))) continue;
      const where = at === folder ? '' : `${at}: `;
      const why = code === 'ENOTDIR' ? 'is not a folder' : reasonOf(error);
      const message = `${what} cannot be written there: ${where}${why}`;
      return { state: 'fails', subject: folder, message, hint: mendFor(code, at) };
    }
    const [fault] = await faultsOf(() => requireOwnPlace(at));
    if (fault !== undefined) return failing(fault, folder);
    return { state: 'ok', subject: folder, message: `${what} can be written there` };
  }
}

function mendFor(code: string | undefined, at: string): string {
  if (code === 'EROFS') return `mount -o remount,rw ${shellWord(at)}`;
  if (code === 'ENOTDIR') return `move ${shellWord(at)} away`;
  const user = ownUser();
  return user === 0 || user === undefined
    ? `chmod u+rwx ${shellWord(at)}`
    : `run solpack as root, or: sudo chown ${user} ${shellWord(at)}`;
}

function usable(socket: string, flow: Flow): Promise<readonly HealthFinding[]> {
  const restart = 'systemctl restart containerd';
  return inTime(socket, restart, flow, async ({ signal }) => {
    const why = await whyNoSocket(socket, signal);
    if (why === undefined) return [{ state: 'ok', subject: socket, message: 'containerd listens there' }];
    const hint = ['EACCES', 'EPERM'].includes(codeOf(why) ?? '') ? 'run solpack as root' : restart;
    return [{ state: 'fails', subject: socket, message: `containerd cannot be reached there: ${reasonOf(why)}`, hint }];
  });
}
