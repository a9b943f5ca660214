import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, posix } from 'node:path';
import type { Bytes } from '../../../formats/bytes.ts';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import type { TreeEntry } from '../../../formats/tree.ts';
import { openChecked } from '../../kernel/content/index.ts';
import { byteMeter, codeOf, type Flow, lend, type Meter, SolpackError, unwritable } from '../../kernel/events/index.ts';
import {
  createOwn,
  type FolderTree,
  folderTree,
  type HeldFolder,
  holdFolder,
  inside,
  makeFolder,
  noFolder,
} from '../../kernel/files/index.ts';
import {
  type Archive,
  absentDigests,
  carrierFiles,
  carriers,
  damaged,
  entryBytes,
  incompleteError,
  type OpenedFiles,
} from '../../parts/archives/index.ts';
import { type ArchivePlace, openFilesAt } from '../../shared/solutions/media/index.ts';
import { entriesAt } from './list.ts';

/** What to write out of an ISO 9660 or tar file, and where. `folder` is absolute. */
export interface ExtractRequest {
  readonly archive: ArchivePlace;
  /** Files or folders; an empty list means everything. */
  readonly paths: readonly string[];
  readonly folder: string;
  /** Archives that have what it lacks, where it is a delta: with them, that is written too, checked. Left out: none. */
  readonly bases?: readonly ArchivePlace[] | undefined;
}

/** What was written. */
export interface Extracted {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes files of a carrier below a folder, and never outside of it. Refuses names that lead out, overwrites no file,
 * and follows no symbolic link, even if somebody creates one meanwhile. If it fails, it removes what it wrote. Throws
 * `path-escapes`, `output-exists`, `output-unwritable`, `disk-full`, `archive-damaged`, `archive-path-missing`, with
 * bases also `archive-incomplete` and `content-mismatch`, and what opening the archives throws.
 */
export async function extract(request: ExtractRequest, flow: Flow): Promise<Extracted> {
  const { archive, bases = [] } = request;
  if (bases.length === 0)
    return lend(await openFilesAt(archive, flow), (opened) => extractFrom(opened, [], request, flow));
  const { openCompleted } = await import('../../shared/solutions/deltas/open-completed.ts');
  return lend(await openCompleted(archive, bases, flow), (opened) =>
    extractFrom(opened, elsewhere(opened, flow.signal), request, flow),
  );
}

/** A file that is written. */
interface Written extends Pick<TreeEntry, 'path' | 'size' | 'mode'> {
  open(): Bytes;
}

/** The files that a delta lacks, read out of what completes it. Throws `archive-incomplete`. */
function elsewhere(opened: Archive, signal: AbortSignal): Written[] {
  const { path: archive, catalog, source, lacks = [], carrier = carriers.tar } = opened;
  const { selection, ...whole } = catalog;
  if (lacks.length > 0) throw incompleteError(archive, lacks, selection?.bases ?? []);
  const absent = absentDigests(catalog);
  return carrierFiles(whole, carrier).flatMap(({ path, size, mode, content }) => {
    if (content.kind !== 'blob' || !absent.has(content.descriptor.digest)) return [];
    const { descriptor } = content;
    return [{ path, size, mode, open: () => openChecked({ descriptor, source }, signal) }];
  });
}

async function extractFrom(
  opened: OpenedFiles,
  others: readonly Written[],
  request: ExtractRequest,
  flow: Flow,
): Promise<Extracted> {
  return lend(new Output(request.folder), (out) => writeAll(out, opened, others, request, flow));
}

async function writeAll(
  out: Output,
  opened: OpenedFiles,
  others: readonly Written[],
  request: ExtractRequest,
  flow: Flow,
): Promise<Extracted> {
  let files = 0;
  let bytes = 0;
  const links: TreeEntry[] = [];
  flow.onEvent({ type: 'step', step: 'extract', subject: request.folder });
  try {
    const asked = request.paths.length > 0 ? request.paths : [''];
    const added = others.filter(({ path }) => asked.some((one) => isAtOrBelow(path, one)));
    const wanted = asked.filter((one) => !added.some(({ path }) => path === trimmed(one)));
    const meter = byteMeter(flow, 'extract', (await sizeOf(opened, wanted)) + totalSize(added));
    for (const path of wanted) {
      for await (const entry of entriesAt(opened, path)) {
        flow.signal.throwIfAborted();
        if (entry.type === 'symlink') links.push(entry);
        else if (entry.type === 'dir') await out.folder(entry.path);
        else if (entry.type === 'file') {
          await out.file({ ...entry, open: () => entryBytes(opened.file, entry) }, meter, flow.signal);
          files += 1;
          bytes += entry.size;
        } else
          flow.onEvent({ type: 'notice', subject: entry.path, message: 'is neither file, folder nor link; skipped' });
      }
    }
    for (const one of added) {
      await out.file(one, meter, flow.signal);
      files += 1;
      bytes += one.size;
    }
    // Links are written last, so that no file can be written through a link of the same archive.
    for (const link of links) await out.link(link);
  } catch (error) {
    await out.undo();
    throw damaged(opened.file.path, error);
  }
  return { files, bytes };
}

/** Returns whether a file is the one at `wanted`, or below that. */
function isAtOrBelow(path: string, wanted: string): boolean {
  const name = trimmed(wanted);
  return name === '' || path === name || path.startsWith(`${name}/`);
}

function trimmed(path: string): string {
  return path.split('/').filter(Boolean).join('/');
}

async function sizeOf(opened: OpenedFiles, paths: readonly string[]): Promise<number> {
  let size = 0;
  for (const path of paths) {
    for await (const entry of entriesAt(opened, path)) if (entry.type === 'file') size += entry.size;
  }
  return size;
}

/** Writes below one held folder, which others cannot exchange for another. */
class Output implements AsyncDisposable {
  readonly #root: string;
  #above: HeldFolder | undefined;
  /** Whether the top folder was made. */
  #isNew = false;
  #tree: FolderTree | undefined;
  /** Everything that was made, in order. */
  readonly #made: { path: string; folder: boolean }[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tree?.[Symbol.asyncDispose]();
    await this.#above?.close();
  }

  /** Removes everything that was made. */
  async undo(): Promise<void> {
    for (const { path, folder } of this.#made.reverse()) {
      const [above, name] = [posix.dirname(path), posix.basename(path)];
      const removed = this.#tree?.at(above, false).then((held) => (folder ? fs.rmdir : fs.unlink)(held.at(name)));
      await removed?.catch(() => undefined);
    }
    if (this.#isNew) await fs.rmdir(this.#above!.at(basename(this.#root))).catch(() => undefined);
  }

  /** Returns the folder `path`, valid until the next one is asked for. */
  async folder(path: string): Promise<HeldFolder> {
    inside(this.#root, path);
    this.#tree ??= folderTree(await this.#top(), (made) => this.#made.push({ path: made, folder: true }));
    return this.#tree.at(path);
  }

  /** Holds the top folder, and makes it where it is absent. It may be reached by a link. */
  async #top(): Promise<HeldFolder> {
    const [above, name] = [dirname(this.#root), basename(this.#root)];
    try {
      if (above === this.#root) return await holdFolder(above);
      this.#above = await holdFolder(above, true);
      this.#isNew = await makeFolder(this.#above, name);
      return this.#isNew ? await this.#above.enter(name) : await holdFolder(this.#root);
    } catch (error) {
      throw codeOf(error) === 'ENOTDIR' ? noFolder(this.#root, error) : unwritable(this.#root, error);
    }
  }

  async file(entry: Written, { count }: Meter, signal: AbortSignal): Promise<void> {
    const full = inside(this.#root, entry.path);
    const folder = await this.folder(posix.dirname(entry.path));
    const name = posix.basename(entry.path);
    const partial = `.${name.slice(0, 200)}.partial`;
    const mode = entry.mode & 0o111 ? 0o755 : 0o644;
    try {
      const handle = await createOwn(folder, partial, constants.O_WRONLY, mode);
      try {
        try {
          for await (const chunk of count(entry.open())) {
            signal.throwIfAborted();
            await handle.writeFile(chunk);
          }
        } finally {
          await handle.close();
        }
        await nameAnew(folder, partial, name);
        this.#made.push({ path: entry.path, folder: false });
      } finally {
        await fs.unlink(folder.at(partial)).catch(() => undefined);
      }
    } catch (error) {
      throw taken(full, error);
    }
  }

  async link({ path, target = '' }: TreeEntry): Promise<void> {
    const full = inside(this.#root, path);
    if (target === '' || posix.isAbsolute(target) || target.includes('\0')) {
      throw new SolpackError('path-escapes', path, `is a symbolic link to ${JSON.stringify(target)}`, {
        hint: 'extract the paths you need by name, without it',
      });
    }
    inside(this.#root, posix.join(posix.dirname(path), target));
    const folder = await this.folder(posix.dirname(path));
    try {
      await fs.symlink(target, folder.at(posix.basename(path)));
      this.#made.push({ path, folder: false });
    } catch (error) {
      throw taken(full, error);
    }
  }
}

/** What file systems without hard links answer, such as FAT on a stick. */
const unlinkable = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Gives a file its name, which nothing may have. Throws the error of the system, `EEXIST` where something has it. */
async function nameAnew(folder: HeldFolder, from: string, to: string): Promise<void> {
  try {
    await fs.link(folder.at(from), folder.at(to));
  } catch (error) {
    if (!unlinkable.includes(codeOf(error) ?? '')) throw error;
    // Whoever makes an empty file of that name, and no other, may put another in its place.
    await (await folder.open(to, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)).close();
    await fs.rename(folder.at(from), folder.at(to));
  }
}

function taken(path: string, error: unknown): unknown {
  if (codeOf(error) !== 'EEXIST') return unwritable(path, error);
  return new SolpackError('output-exists', path, 'is there already', {
    hint: 'extract into an empty folder',
    cause: error,
  });
}
