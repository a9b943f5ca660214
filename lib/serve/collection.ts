import { type Archive, damaged, openArchive } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import { stampOf } from '../file-stamp.ts';
import type { Flow } from '../flow.ts';
import type { ServedContent } from '../registry-server/index.ts';
import { servedContent } from '../solutions/served-content.ts';
import type { Trust } from '../trust/index.ts';
import { type Sources, type Wanted, wantedArchives } from './sources.ts';
import { requireTrusted } from './trust.ts';

/** An archive that is served. */
interface Member {
  readonly path: string;
  readonly stamp: string;
  readonly content: ServedContent;
  /** References of its images. */
  readonly images: readonly string[];
  /** Of all that is kept in memory for it. */
  readonly entries: number;
  close(): PromiseLike<void>;
}

/**
 * How many entries all that is served may have together: contents of repositories, and files of archives that have no
 * directory. It takes some 100 MiB to keep them, whoever moved the archives into a folder.
 */
const ENTRIES = 2 ** 19;

/** Whoever serves the archives of a collection. */
export interface Server {
  /** As `RunningRegistry.replace`. */
  replace(contents: readonly ServedContent[]): { readonly drained: Promise<void> };
}

/** The archives that are served, kept in step with what the sources name. */
export interface Collection extends AsyncDisposable {
  contents(): readonly ServedContent[];
  /** References of all images. */
  images(): string[];
  /** Why not all that was named is served; undefined where it is. */
  unready(): string | undefined;
  /** Looks once whether anything has come, gone or changed, and lets the server serve that. */
  update(server: Server): Promise<void>;
}

/**
 * Opens the archives that sources name, and with `trust` those alone that are trusted. Throws `archive-invalid`, `not-trusted`
 * and what opening throws for those named one by one; of those that happen to lie in a folder it tells.
 */
export async function openCollection(sources: Sources, flow: Flow, trust?: Trust): Promise<Collection> {
  let members: Member[] = [];
  let missing: string | undefined;
  /** What was wrong with a path, by what it was then: it is tried anew only when it has changed. */
  const refused = new Map<string, string | undefined>();
  /** What lay at a path when it was last looked at: what is still being copied is left alone. */
  const seen = new Map<string, string>();

  const tell = (subject: string, message: string): void => flow.onEvent({ type: 'notice', subject, message });
  const refuse = (path: string, stamp: string | undefined, error: unknown): void => {
    refused.set(path, stamp);
    tell(path, `is not served: ${error instanceof Error ? error.message : String(error)}`);
  };
  const open = async (path: string, stamp: string): Promise<Member> => {
    const archive = await openArchive(path, flow.signal);
    try {
      if (trust) await requireTrusted(archive, trust);
      return memberOf(path, stamp, archive, await servedContent(archive));
    } catch (error) {
      await archive[Symbol.asyncDispose]();
      throw damaged(path, error);
    }
  };

  /** Those of the wanted paths that are new or changed, and have not changed since they were last looked at. */
  const settled = async (wanted: readonly string[], kept: Map<string, Member>): Promise<Member[]> => {
    const opened: Member[] = [];
    for (const path of wanted) {
      const stamp = await stampOf(path);
      if (stamp === undefined) kept.delete(path);
      if (stamp === undefined || kept.get(path)?.stamp === stamp || refused.get(path) === stamp) continue;
      const before = seen.get(path);
      seen.set(path, stamp);
      if (before !== stamp) continue;
      kept.delete(path);
      try {
        const member = await open(path, stamp);
        await requireRoom([...kept.values(), ...opened], member);
        opened.push(member);
      } catch (error) {
        refuse(path, stamp, error);
      }
    }
    return opened;
  };

  /** Serves what is kept, and of what came all that does not contradict it. */
  const serve = (server: Server, kept: Member[], opened: readonly Member[]): Promise<void> => {
    let { drained } = server.replace(kept.map(({ content }) => content));
    for (const member of opened) {
      try {
        ({ drained } = server.replace([...kept, member].map(({ content }) => content)));
        kept.push(member);
        refused.delete(member.path);
        tell(member.path, `is served now, with ${member.images.length} images`);
      } catch (error) {
        refuse(member.path, member.stamp, error);
        void member.close();
      }
    }
    return drained;
  };

  const update = async (server: Server): Promise<void> => {
    const wanted = await wantedArchives(sources);
    const paths = [...wanted.named, ...wanted.found];
    const kept = new Map(members.filter(({ path }) => paths.includes(path)).map((member) => [member.path, member]));
    const opened = await settled(paths, kept);
    const gone = members.filter(({ path }) => !kept.has(path));
    if (gone.length > 0 || opened.length > 0) {
      const next = [...kept.values()];
      const drained = serve(server, next, opened);
      const left = members.filter((member) => !next.includes(member));
      members = next;
      for (const { path } of left) if (!next.some((member) => member.path === path)) tell(path, 'is no longer served');
      // What is being sent of them is sent to its end.
      void drained.then(() => Promise.all(left.map(({ close }) => close())));
    }
    missing = wanted.named.find((path) => !members.some((member) => member.path === path));
  };

  const dispose = async (): Promise<void> => {
    await Promise.all(members.map(({ close }) => close()));
  };
  try {
    members = await openAll(await wantedArchives(sources), open, refuse, flow.signal);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    contents: () => members.map(({ content }) => content),
    images: () => members.flatMap((member) => member.images),
    unready: () => missing && `${missing} is not served`,
    update,
    [Symbol.asyncDispose]: dispose,
  };
}

/** What is kept of an archive that is served; its catalog is not. */
function memberOf(path: string, stamp: string, archive: Archive, content: ServedContent): Member {
  const contents = content.repositories.reduce((sum, repository) => sum + repository.content.size, 0);
  return {
    path,
    stamp,
    content,
    images: archive.catalog.images.map(({ reference }) => reference),
    entries: contents + (archive.tree.held ?? 0),
    close: archive[Symbol.asyncDispose],
  };
}

/** Throws `archive-invalid`, and closes the archive, where there is no room for it beside the others. */
async function requireRoom(others: readonly Member[], { path, entries, close }: Member): Promise<void> {
  const taken = others.reduce((sum, member) => sum + member.entries, 0);
  if (taken + entries <= ENTRIES) return;
  await close();
  const message = `has ${entries} contents and files, and all that is served may have ${ENTRIES} together, of which ${taken} are taken`;
  throw new SolpackError('archive-invalid', path, message, { hint: 'serve it by a process of its own' });
}

async function openAll(
  { named, found }: Wanted,
  open: (path: string, stamp: string) => Promise<Member>,
  refuse: (path: string, stamp: string | undefined, error: unknown) => void,
  signal: AbortSignal,
): Promise<Member[]> {
  const members: Member[] = [];
  try {
    for (const path of [...named, ...found]) {
      const stamp = await stampOf(path);
      try {
        const member = await open(path, stamp ?? '');
        await requireRoom(members, member);
        members.push(member);
      } catch (error) {
        // Of what happens to lie in a folder nothing keeps the others from being served.
        if (named.includes(path) || signal.aborted) throw error;
        refuse(path, stamp, error);
      }
    }
    return members;
  } catch (error) {
    await Promise.all(members.map(({ close }) => close()));
    throw error;
  }
}
