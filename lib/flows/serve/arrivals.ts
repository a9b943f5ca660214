import { archiveStamp } from '../../parts/archives/index.ts';
import type { ArchivePlace } from '../../shared/solutions/media/index.ts';
import { type Member, requireRoom } from './member.ts';

/** Decides which archives that came, or changed, are ready to be served. */
export interface Arrivals {
  /**
   * Opens the archives at those of the wanted paths that are new or changed, and did not change since the last look. It
   * takes them out of `kept`, and also those that are gone.
   */
  openSettled(wanted: ReadonlyMap<string, ArchivePlace>, kept: Map<string, Member>): Promise<Member[]>;
  /**
   * Notes and says why what lies at a path is not served. It is tried anew when it has changed, and from time to time
   * where it is not on this machine.
   */
  refuse(path: string, stamp: string | undefined, error: unknown): void;
  /** Forgets why a path was not served: now it is. */
  accept(path: string): void;
  /** Why what lies at a path is not served; undefined where nothing was wrong. */
  reasonOf(path: string): string | undefined;
}

/** The stamp of what is not on this machine. */
const ELSEWHERE = 'elsewhere';

/** After how many milliseconds it is tried again what is not on this machine: nothing tells when a server is back. */
const AGAIN = 15_000;

/** Begins to watch for archives. `open` opens one; `tell` is called with why one is not served. */
export function watchArrivals(
  open: (place: ArchivePlace, stamp: string) => Promise<Member>,
  tell: (path: string, message: string) => void,
): Arrivals {
  /** What was wrong with a path, by what it was then, and when that was tried. */
  const refused = new Map<string, { readonly stamp: string | undefined; readonly at: number; readonly why: string }>();
  /** The stamp of each path at the last look: a file whose stamp changes is still being copied. */
  const seen = new Map<string, string>();

  const refuse = (path: string, stamp: string | undefined, error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    const before = refused.get(path);
    refused.set(path, { stamp, at: performance.now(), why });
    if (before?.stamp !== stamp || before?.why !== why) tell(path, `is not served: ${why}`);
  };
  const isRefused = (path: string, stamp: string): boolean => {
    const before = refused.get(path);
    if (before?.stamp !== stamp) return false;
    return stamp !== ELSEWHERE || performance.now() - before.at < AGAIN;
  };
  const openSettled = async (
    wanted: ReadonlyMap<string, ArchivePlace>,
    kept: Map<string, Member>,
  ): Promise<Member[]> => {
    const opened: Member[] = [];
    for (const [path, place] of wanted) {
      const stamp = await stampAt(place);
      if (stamp === undefined) kept.delete(path);
      if (stamp === undefined || kept.get(path)?.stamp === stamp || isRefused(path, stamp)) continue;
      const before = seen.get(path);
      seen.set(path, stamp);
      if (before !== stamp) continue;
      kept.delete(path);
      try {
        const member = await open(place, stamp);
        await requireRoom([...kept.values(), ...opened], member);
        opened.push(member);
      } catch (error) {
        refuse(path, stamp, error);
      }
    }
    return opened;
  };
  return {
    openSettled,
    refuse,
    accept: (path) => void refused.delete(path),
    reasonOf: (path) => refused.get(path)?.why,
  };
}

/**
 * Changes whenever the archive at a place does; undefined where there is none. What is elsewhere is taken to stay as it
 * is.
 */
export async function stampAt(place: ArchivePlace): Promise<string | undefined> {
  return typeof place === 'string' ? archiveStamp(place) : ELSEWHERE;
}
