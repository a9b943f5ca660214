import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { ServedContent } from '../../parts/registry-server/index.ts';
import type { Trust } from '../../parts/trust/index.ts';
import type { ArchivePlace } from '../../shared/solutions/media/index.ts';
import { type Arrivals, stampAt, watchArrivals } from './arrivals.ts';
import { requireCompleteOf, tellingLacking } from './lacking.ts';
import { type CollectionState, type Member, openMember, requireRoom } from './member.ts';
import { type Sources, type Wanted, wantedArchives } from './sources.ts';
import { inTagOrder, tellingSharedTags } from './tag-order.ts';

/** The registry that serves the archives of a collection. */
export interface Server {
  /** Serves these contents from now on, as `RunningRegistry.replace`. */
  replace(contents: readonly ServedContent[]): { readonly drained: Promise<void> };
}

/** The archives that are served, kept in step with what the sources name. */
export interface Collection extends AsyncDisposable {
  /** In the order in which they say what tags stand for. */
  contents(): readonly ServedContent[];
  /** References of all images. */
  images(): string[];
  /** What is served, for who looks at it. */
  state(): CollectionState;
  /** Returns why an archive that was named is not served; undefined where all are. */
  unready(): string | undefined;
  /** Looks once for archives that came, went or changed, and gives the server what there is now. */
  update(server: Server): Promise<void>;
}

/**
 * Opens the archives that sources name; with `trust`, only those that are trusted. For archives that are named one by
 * one it throws `archive-invalid`, `not-trusted` and what opening throws; for those of a configuration, and those that
 * lie in a named folder, it reports a notice.
 */
export async function openCollection(sources: Sources, flow: Flow, trust?: Trust): Promise<Collection> {
  /** In the order of `inTagOrder`. */
  let members: Member[] = [];
  let document: SolutionsConfiguration | undefined;
  /** What is named one by one and is not served. */
  let missing: readonly string[] = [];
  /** What lies in folders and could not be opened. */
  let absent: readonly string[] = [];
  /**
   * What arguments named one by one at any time: where a medium was pulled out, its folder is empty, and names nothing.
   */
  const named = new Set<string>();
  const tell = (subject: string, message: string): void => flow.onEvent({ type: 'notice', subject, message });
  const open = (place: ArchivePlace, stamp: string): Promise<Member> =>
    openMember(place, stamp, flow, trust, () => members);
  const arrivals = watchArrivals(open, tell);
  const tellShared = tellingSharedTags(tell);
  const tellLacking = tellingLacking(tell);
  const ordered = (some: readonly Member[]): Member[] => inTagOrder(some, document);

  const lookOver = (wanted: Wanted): void => {
    tellLacking(members);
    tellShared(members);
    for (const path of wanted.named.keys()) named.add(path);
    const isServed = servedIn(members);
    missing = [...named, ...wanted.configured.keys()].filter((path) => !isServed(path));
    absent = [...wanted.found.keys()].filter((path) => !isServed(path) && arrivals.reasonOf(path));
  };

  const replaceIn = (server: Server): Replace => replacing(server, ordered);

  const update = async (server: Server): Promise<void> => {
    const wanted = await wantedArchives(sources);
    document = wanted.document;
    const places = new Map([...wanted.named, ...wanted.configured, ...wanted.found]);
    const kept = new Map(members.filter(({ path }) => places.has(path)).map((member) => [member.path, member]));
    const opened = await arrivals.openSettled(places, kept);
    const gone = members.filter(({ path }) => !kept.has(path));
    if (gone.length > 0 || opened.length > 0) {
      const next = [...kept.values()];
      const drained = serveOpened(replaceIn(server), next, opened, { arrivals, tell });
      const left = members.filter((member) => !next.includes(member));
      members = ordered(next);
      for (const { path } of left) if (!next.some((member) => member.path === path)) tell(path, 'is no longer served');
      // What is being sent of them is sent to its end.
      void drained.then(() => Promise.all(left.map(({ close }) => close())));
    } else {
      const next = ordered(members);
      // The configuration activates another version: tags stand for its images from now on.
      if (next.some((member, at) => member !== members[at])) replaceIn(server)(next);
      members = next;
    }
    lookOver(wanted);
  };

  const dispose = async (): Promise<void> => {
    await Promise.all(members.map(({ close }) => close()));
  };
  try {
    const wanted = await wantedArchives(sources);
    document = wanted.document;
    members = ordered(await openAll(wanted, open, arrivals.refuse, flow.signal));
    requireCompleteOf(members, wanted.named);
    lookOver(wanted);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    contents: () => members.map(({ content }) => content),
    images: () => members.flatMap((member) => member.images),
    state: () => ({
      ...{ members, document },
      missing: [...new Set([...missing, ...absent])].map((path) => ({ path, reason: arrivals.reasonOf(path) })),
    }),
    unready: () => (missing[0] === undefined ? undefined : `${missing[0]} is not served`),
    update,
    [Symbol.asyncDispose]: dispose,
  };
}

function replacing(server: Server, ordered: (some: readonly Member[]) => Member[]): Replace {
  return (some) => server.replace(ordered(some).map(({ content }) => content));
}

function servedIn(members: readonly Member[]): (path: string) => boolean {
  const paths = new Set(members.map(({ path }) => path));
  return (path) => paths.has(path);
}

/** Gives a server archives to serve, in whatever order they are. */
type Replace = (members: readonly Member[]) => { readonly drained: Promise<void> };

/** Serves what is kept, and each archive that came unless it contradicts those, which is added to `kept`. */
function serveOpened(
  replace: Replace,
  kept: Member[],
  opened: readonly Member[],
  { arrivals, tell }: { readonly arrivals: Arrivals; readonly tell: (subject: string, message: string) => void },
): Promise<void> {
  let { drained } = replace(kept);
  for (const member of opened) {
    try {
      ({ drained } = replace([...kept, member]));
      kept.push(member);
      arrivals.accept(member.path);
      tell(member.path, `is served now, with ${member.images.length} images`);
    } catch (error) {
      arrivals.refuse(member.path, member.stamp, error);
      void member.close();
    }
  }
  return drained;
}

async function openAll(
  { named, configured, found }: Wanted,
  open: (place: ArchivePlace, stamp: string) => Promise<Member>,
  refuse: (path: string, stamp: string | undefined, error: unknown) => void,
  signal: AbortSignal,
): Promise<Member[]> {
  const members: Member[] = [];
  try {
    for (const [path, place] of [...named, ...configured, ...found]) {
      const stamp = await stampAt(place);
      try {
        const member = await open(place, stamp ?? '');
        await requireRoom(members, member);
        members.push(member);
      } catch (error) {
        // What lies in a folder, or stands in a configuration, keeps nothing else from being served.
        if (named.has(path) || signal.aborted) throw error;
        refuse(path, stamp, error);
      }
    }
    return members;
  } catch (error) {
    await Promise.all(members.map(({ close }) => close()));
    throw error;
  }
}
