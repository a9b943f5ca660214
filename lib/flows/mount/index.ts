import * as fs from 'node:fs/promises';
import {
  codeOf,
  type Flow,
  findTool,
  lend,
  reportIfSlow,
  SolpackError,
  unreadable,
} from '../../kernel/events/index.ts';
import { holdFolder, requireOwnPlace } from '../../kernel/files/index.ts';
import { isFolder, type ProgramEnd, runProgram } from '../../kernel/machine/index.ts';
import { type Archive, openArchive } from '../../parts/archives/index.ts';
import { type MountedFolder, mountAt } from './mounts.ts';

export {
  /** Lists what is mounted, in its order. */
  mountedFolders,
} from './mounts.ts';

/** What to mount, and where. Paths are absolute. */
export interface MountRequest {
  /** An archive that is an ISO 9660 image: a file or a device. */
  readonly archive: string;
  /** An empty folder. */
  readonly folder: string;
  /** Whether this process may ask the kernel to mount: whether it is root. */
  readonly privileged?: boolean | undefined;
}

/** What is mounted now. */
export interface Mounted {
  readonly archive: string;
  readonly folder: string;
  /** Who reads the image: the kernel, or fuseiso. */
  readonly by: 'kernel' | 'fuseiso';
  /** Whether that was so before. */
  readonly already: boolean;
}

/** What is no longer mounted. */
export interface Unmounted {
  readonly folder: string;
  /** Whether nothing was mounted there before. */
  readonly already: boolean;
}

/** Milliseconds that a program may take: a drive may have to start. */
const PATIENCE = 60_000;

/**
 * Mounts an archive read only: by the kernel, if this process may ask it and the kernel supports it, otherwise by
 * fuseiso. Does nothing if it is already mounted there. Throws `archive-invalid` if it is no ISO 9660 image,
 * `output-exists` if the folder is not empty, `path-escapes` if a link of somebody else leads to it,
 * `output-unwritable` if the kernel is to mount in a place that others may exchange, `file-missing`, `tool-missing`,
 * `tool-failed`.
 */
export async function mountArchive(asked: MountRequest, flow: Flow): Promise<Mounted> {
  const root = await rootOf(asked.archive, flow);
  await requireFolder(asked.folder);
  const mounted = await mountIn({ ...asked, folder: await realFolder(asked) }, root, flow);
  return { ...mounted, folder: asked.folder };
}

type FolderRequest = Pick<MountRequest, 'folder'> & Partial<Pick<MountRequest, 'privileged'>>;

/** The folder without links, which a program is given that would follow any, or none. */
async function realFolder({ folder, privileged = false }: FolderRequest): Promise<string> {
  const held = await holdFolder(folder).catch((error: unknown) => {
    // The program that served a mount may have been killed; what is in the way there is reported by the person who
    // looks.
    if (codeOf(error) === 'ENOTCONN') return undefined;
    throw unreadable(folder, error);
  });
  const real = held === undefined ? folder : await lend(held, (one) => one.real());
  if (privileged) await requireOwnPlace(real);
  return real;
}

async function mountIn(request: MountRequest, root: string, flow: Flow): Promise<Mounted> {
  const { archive, folder } = request;
  const there = await mountAt(folder);
  if (there) {
    const same = await lend(await openSlowly(folder, flow), ({ catalog }) =>
      Promise.resolve(catalog.root.digest === root),
    ).catch(() => false);
    if (same) return { archive, folder, by: byOf(there), already: true };
    throw inTheWay(folder, `is where ${there.source} is mounted`);
  }
  if ((await fs.readdir(folder)).length > 0) throw inTheWay(folder, 'is not empty');
  flow.onEvent({ type: 'step', step: 'mount', subject: archive });
  if (request.privileged && (await byKernel(request, flow))) return { archive, folder, by: 'kernel', already: false };
  await byFuse(request, flow);
  return { archive, folder, by: 'fuseiso', already: false };
}

/**
 * Unmounts what `mountArchive` mounted; does nothing if nothing is mounted. Throws `file-missing`, `tool-missing`,
 * `tool-failed`, `path-escapes` if a link of somebody else leads there.
 */
export async function unmountArchive({ folder }: Pick<MountRequest, 'folder'>, flow: Flow): Promise<Unmounted> {
  const there = await mountAt(folder);
  if (!there) {
    await requireFolder(folder);
    return { folder, already: true };
  }
  if (byOf(there) === 'kernel' && there.type !== 'iso9660') {
    throw inTheWay(folder, `is where ${there.source} (${there.type}) is mounted, which is not an archive`);
  }
  const real = await realFolder({ folder });
  flow.onEvent({ type: 'step', step: 'unmount', subject: folder });
  const isFuse = byOf(there) === 'fuseiso';
  const program = await findTool(
    flow.host,
    isFuse ? 'fusermount' : 'umount',
    'install fuse (fusermount) or mount (umount)',
  );
  const ended = await run(program, isFuse ? ['-u', real] : [real], flow);
  if (ended.code !== 0) throw failed(program, folder, ended, 'end the programs that use the folder, and unmount again');
  return { folder, already: false };
}

async function rootOf(archive: string, flow: Flow): Promise<string> {
  return lend(await openSlowly(archive, flow), async ({ carrier, catalog }) => {
    if (carrier?.kind === 'iso') return catalog.root.digest;
    const what = carrier ? `is an ${carrier.title}` : 'is a folder';
    throw new SolpackError('archive-invalid', archive, `${what}, and only ISO 9660 images can be mounted`, {
      hint: carrier ? '"solpack extract" writes its files to a folder' : 'name the image; a folder is read where it is',
    });
  });
}

/** Opens what may lie in a drive that has to start. */
function openSlowly(path: string, flow: Flow): Promise<Archive> {
  return reportIfSlow(flow, { step: 'open', subject: path }, ({ signal }) => openArchive(path, signal));
}

async function requireFolder(folder: string): Promise<void> {
  await fs.stat(folder).catch((error) => {
    // The program that served a mount may have been killed: nobody can look into the folder then.
    if (codeOf(error) !== 'ENOTCONN') throw unreadable(folder, error);
  });
  if (await isFolder(folder)) return;
  throw new SolpackError('usage-invalid', folder, 'is not a folder', { hint: 'name an empty folder' });
}

function byOf({ type }: MountedFolder): Mounted['by'] {
  return type.startsWith('fuse') ? 'fuseiso' : 'kernel';
}

function inTheWay(folder: string, why: string): SolpackError {
  return new SolpackError('output-exists', folder, why, { hint: 'name an empty folder' });
}

/** Returns whether the kernel mounted it; where it cannot, as in many containers, a notice says why. */
async function byKernel({ archive, folder }: MountRequest, flow: Flow): Promise<boolean> {
  const program = await findTool(flow.host, 'mount', 'install mount').catch(() => undefined);
  if (program === undefined) return false;
  const ended = await run(program, ['-t', 'iso9660', '-o', 'ro,loop,nosuid,nodev', archive, folder], flow);
  if (ended.code === 0) return true;
  const message = `is not mounted by the kernel: ${reasonIn(ended)}`;
  flow.onEvent({ type: 'notice', subject: archive, message });
  return false;
}

async function byFuse({ archive, folder }: MountRequest, flow: Flow): Promise<void> {
  const hint = 'install fuseiso (Debian: apt-get install fuseiso), or mount as root; "solpack extract" needs neither';
  const program = await findTool(flow.host, 'fuseiso', hint);
  const ended = await run(program, [archive, folder, '-o', 'ro'], flow);
  if (ended.code !== 0)
    throw failed(program, archive, ended, 'check that /dev/fuse may be used; "solpack extract" needs no mount');
}

function run(program: string, args: readonly string[], { host, signal }: Flow): Promise<ProgramEnd> {
  const env = { PATH: host.path.join(':'), LC_ALL: 'C.UTF-8' };
  const limits = { timeout: PATIENCE, limit: 64 * 1024, signal };
  // In a group of its own, what fuseiso leaves behind to serve the folder would be ended with it.
  return runProgram(program, args, { cwd: '/', env, ...limits, terminal: true, onLine: () => undefined });
}

function reasonIn({ last, code, signal }: ProgramEnd): string {
  return last.find((line) => line.trim() !== '')?.trim() ?? `it ended with ${code ?? signal}`;
}

function failed(program: string, subject: string, ended: ProgramEnd, hint: string): SolpackError {
  return new SolpackError('tool-failed', subject, `${program}: ${reasonIn(ended)}`, { hint });
}
