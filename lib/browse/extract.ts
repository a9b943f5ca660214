import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { TreeEntry } from '../../formats/tree.ts';
import { damaged, entryBytes, type OpenedCarrier, openAnyCarrier } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import { codeOf, unwritable } from '../host.ts';
import { inside } from '../paths.ts';
import type { Place } from '../place.ts';
import { entriesAt } from './list.ts';

/** What to write out of any ISO 9660 or tar file, and where to. `folder` is absolute. */
export interface ExtractRequest {
  readonly archive: Place;
  /** Files or folders; none is everything. */
  readonly paths: readonly string[];
  readonly folder: string;
}

/** What was written. */
export interface Extracted {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes files of a carrier below a folder, and nothing outside of it: names that lead out are refused, existing files
 * are never overwritten, nothing is ever written through a symbolic link, and where it fails, what it wrote is removed
 * again. Throws `path-escapes`, `output-exists`,
 * `output-unwritable`, `disk-full`, `archive-damaged`, `archive-path-missing`, and what opening the archive throws.
 */
export async function extract(request: ExtractRequest, flow: Flow): Promise<Extracted> {
  return lend(await openAnyCarrier(request.archive, flow.signal), (opened) => extractFrom(opened, request, flow));
}

async function extractFrom(opened: OpenedCarrier, request: ExtractRequest, flow: Flow): Promise<Extracted> {
  const out = new Output(request.folder);
  let files = 0;
  let bytes = 0;
  const links: TreeEntry[] = [];
  try {
    for (const path of request.paths.length > 0 ? request.paths : ['']) {
      for await (const entry of entriesAt(opened, path)) {
        flow.signal.throwIfAborted();
        if (entry.type === 'symlink') links.push(entry);
        else if (entry.type === 'dir') await out.folder(entry.path);
        else if (entry.type === 'file') {
          await out.file(opened, entry, flow.signal);
          files += 1;
          bytes += entry.size;
        } else
          flow.onEvent({ type: 'notice', subject: entry.path, message: 'is neither file, folder nor link: left out' });
      }
    }
    // Links come last, so that no file can be written through one that the same archive brought.
    for (const link of links) await out.link(link);
  } catch (error) {
    await out.undo();
    throw damaged(opened.file.path, error);
  }
  return { files, bytes };
}

class Output {
  readonly #root: string;
  readonly #known = new Set<string>();
  /** What was made, in order. */
  readonly #made: { path: string; folder: boolean }[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** Removes all that was made. */
  async undo(): Promise<void> {
    for (const { path, folder } of this.#made.reverse()) {
      await (folder ? fs.rmdir(path) : fs.rm(path)).catch(() => undefined);
    }
  }

  async folder(path: string): Promise<void> {
    const full = inside(this.#root, path);
    if (this.#known.has(full)) return;
    if (path !== '' && path !== '.') await this.folder(posix.dirname(path));
    try {
      if (path === '' || path === '.') await fs.mkdir(dirname(full), { recursive: true });
      await fs.mkdir(full);
      this.#made.push({ path: full, folder: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw unwritable(full, error);
      const top = path === '' || path === '.';
      if (!(top ? await fs.stat(full) : await fs.lstat(full)).isDirectory()) {
        throw new SolpackError('output-exists', full, 'is there already, and is not a folder', {
          hint: 'extract into an empty folder',
        });
      }
    }
    this.#known.add(full);
  }

  async file(opened: OpenedCarrier, entry: TreeEntry, signal: AbortSignal): Promise<void> {
    await this.folder(posix.dirname(entry.path));
    const full = inside(this.#root, entry.path);
    const partial = join(dirname(full), `.${posix.basename(entry.path).slice(0, 200)}.partial`);
    const mode = entry.mode & 0o111 ? 0o755 : 0o644;
    try {
      await fs.rm(partial, { force: true });
      const handle = await fs.open(partial, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, mode);
      try {
        for await (const chunk of entryBytes(opened.file, entry)) {
          signal.throwIfAborted();
          await handle.writeFile(chunk);
        }
      } finally {
        await handle.close();
      }
      await fs.link(partial, full);
      this.#made.push({ path: full, folder: false });
    } catch (error) {
      throw taken(full, error);
    } finally {
      await fs.rm(partial, { force: true }).catch(() => undefined);
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
    await this.folder(posix.dirname(path));
    try {
      await fs.symlink(target, full);
      this.#made.push({ path: full, folder: false });
    } catch (error) {
      throw taken(full, error);
    }
  }
}

function taken(path: string, error: unknown): unknown {
  if (codeOf(error) !== 'EEXIST') return unwritable(path, error);
  return new SolpackError('output-exists', path, 'is there already', {
    hint: 'extract into an empty folder',
    cause: error,
  });
}
