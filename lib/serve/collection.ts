import { type Archive, openArchive } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { ServedContent } from '../registries/index.ts';
import type { Trust } from '../trust/index.ts';
import { servedContent } from './content.ts';
import { stampOf } from './stamp.ts';
import { requireTrusted } from './trust.ts';
import { type Sources, type Wanted, wantedArchives } from './wanted.ts';

/** An archive that is served. */
interface Member {
  readonly path: string;
  readonly stamp: string;
  readonly archive: Archive;
  readonly content: ServedContent;
}

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
      return { path, stamp, archive, content: await servedContent(archive) };
    } catch (error) {
      await archive[Symbol.asyncDispose]();
      throw error;
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
        opened.push(await open(path, stamp));
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
        tell(member.path, `is served now, with ${member.archive.catalog.images.length} images`);
      } catch (error) {
        refuse(member.path, member.stamp, error);
        void member.archive[Symbol.asyncDispose]();
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
      void drained.then(() => Promise.all(left.map(({ archive }) => archive[Symbol.asyncDispose]())));
    }
    missing = wanted.named.find((path) => !members.some((member) => member.path === path));
  };

  const dispose = async (): Promise<void> => {
    await Promise.all(members.map(({ archive }) => archive[Symbol.asyncDispose]()));
  };
  try {
    members = await openAll(await wantedArchives(sources), open, refuse);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    contents: () => members.map(({ content }) => content),
    images: () => members.flatMap(({ archive }) => archive.catalog.images.map(({ reference }) => reference)),
    unready: () => missing && `${missing} is not served`,
    update,
    [Symbol.asyncDispose]: dispose,
  };
}

async function openAll(
  { named, found }: Wanted,
  open: (path: string, stamp: string) => Promise<Member>,
  refuse: (path: string, stamp: string | undefined, error: unknown) => void,
): Promise<Member[]> {
  const members: Member[] = [];
  try {
    for (const path of [...named, ...found]) {
      const stamp = await stampOf(path);
      try {
        members.push(await open(path, stamp ?? ''));
      } catch (error) {
        if (named.includes(path) || !(error instanceof SolpackError)) throw error;
        refuse(path, stamp, error);
      }
    }
    return members;
  } catch (error) {
    await Promise.all(members.map(({ archive }) => archive[Symbol.asyncDispose]()));
    throw error;
  }
}
