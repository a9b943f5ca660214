import type { Bytes } from '../../../formats/bytes.ts';
import { hexOf, measure } from '../../../formats/digest.ts';
import { nearest } from '../../../formats/document/suggest.ts';
import { shellWord } from '../../../formats/shell-word.ts';
import type { TreeEntry } from '../../../formats/tree.ts';
import { byteMeter, type Flow, reportIfSlow, SolpackError } from '../../kernel/events/index.ts';
import { damaged, entryBytes, type OpenedFiles } from '../../parts/archives/index.ts';
import { type ArchivePlace, openFilesAt } from '../../shared/solutions/media/index.ts';

/** One line of `ls`. */
export interface ListedEntry {
  readonly path: string;
  readonly type: 'file' | 'dir' | 'symlink' | 'other';
  readonly size: number;
  /** Hexadecimal, for a file, where digests were asked for. */
  readonly sha256?: string;
  /** For a symbolic link. */
  readonly target?: string;
}

/** What to list: a path in an ISO 9660 or tar file; '' means everything. */
export interface ListRequest {
  readonly archive: ArchivePlace;
  readonly path: string;
  readonly digests?: boolean | undefined;
}

/**
 * Lists the files of a carrier below a path, one after another. Throws `archive-damaged`, `archive-path-missing`, and
 * what opening the archive throws.
 */
export async function* list(request: ListRequest, flow: Flow): AsyncGenerator<ListedEntry> {
  const opened = await openFilesAt(request.archive, flow);
  try {
    for await (const entry of entriesAt(opened, request.path)) {
      flow.signal.throwIfAborted();
      yield await listed(opened, entry, request.digests ?? false, flow);
    }
  } catch (error) {
    throw damaged(opened.file.path, error);
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

/** Yields the entry at `path`, or everything below it where it is a folder. Throws `archive-path-missing`. */
export async function* entriesAt(opened: OpenedFiles, path: string): AsyncGenerator<TreeEntry> {
  const name = path.split('/').filter(Boolean).join('/');
  if (name === '') {
    yield* opened.tree.walk();
    return;
  }
  const entry = await opened.tree.lookup(name);
  if (!entry) {
    const archive = opened.file.path;
    const meant = await meantPath(opened, name);
    throw new SolpackError('archive-path-missing', name, `is not in ${archive}`, {
      hint:
        meant === undefined
          ? `"solpack ls ${shellWord(archive)}" lists what is`
          : `did you mean ${JSON.stringify(meant)}?`,
    });
  }
  if (entry.type === 'dir') yield* opened.tree.walk(name);
  else yield entry;
}

/** Most names of a folder among which one is looked for that was misspelt. */
const LOOKED_AT = 1_000;

/** Returns the path that was probably meant: with another last name, in the same folder. */
async function meantPath({ tree }: OpenedFiles, path: string): Promise<string | undefined> {
  const start = path.slice(0, path.lastIndexOf('/') + 1);
  const folder = start.slice(0, -1);
  if (folder !== '' && (await tree.lookup(folder))?.type !== 'dir') return undefined;
  const names: string[] = [];
  let seen = 0;
  for await (const entry of tree.walk(folder)) {
    const name = entry.path.slice(start.length);
    if (!name.includes('/')) names.push(name);
    seen += 1;
    if (seen >= LOOKED_AT) break;
  }
  const meant = nearest(path.slice(start.length), names);
  return meant === undefined ? undefined : `${start}${meant}`;
}

async function listed(opened: OpenedFiles, entry: TreeEntry, digests: boolean, flow: Flow): Promise<ListedEntry> {
  const { path, type, size, target } = entry;
  return {
    path,
    type,
    size,
    ...(digests && type === 'file' ? { sha256: await sha256Of(opened, entry, flow) } : {}),
    ...(target === undefined ? {} : { target }),
  };
}

function sha256Of({ file }: OpenedFiles, entry: TreeEntry, flow: Flow): Promise<string> {
  return reportIfSlow(flow, { step: 'hash', subject: entry.path }, async (own) => {
    const { count } = byteMeter(own, 'hash', entry.size);
    return hexOf((await measure(count(untilAborted(entryBytes(file, entry), own.signal)))).digest);
  });
}

async function* untilAborted(bytes: Bytes, signal: AbortSignal): Bytes {
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    yield chunk;
  }
}
