import { installerFileOf, installerPrograms } from '../../../formats/solution/installer.ts';
import { isLocal } from '../../kernel/content/index.ts';
import { type Flow, lend, platformHere, SolpackError, within } from '../../kernel/events/index.ts';
import { type ArchivePlace, openLocal, placeName } from '../../shared/solutions/media/index.ts';
import type { FoundProgram, Machine } from './machine.ts';
import { placesNear } from './media.ts';

/** Milliseconds that the media in drives are looked at for. */
const PATIENCE = 3_000;

/**
 * Where media are looked for: the archive that somebody has named, and a folder; `root` is the folder of the machine's
 * files.
 */
export interface MediaNear {
  readonly named?: ArchivePlace | undefined;
  readonly folder: string;
  readonly root?: string;
}

/**
 * Adds to a machine the programs that it lacks itself and that an installer has for it: that of the archive that is
 * named, or of one in the folder or in a drive. Nothing is run or copied. It takes some seconds at most.
 */
export async function withMediumPrograms(
  machine: Machine,
  { named, folder, root = '/' }: MediaNear,
  flow: Flow,
): Promise<Machine> {
  const wanted = new Set<string>(
    machine.programs.filter((one) => one.path === undefined && mayBeCarried(one)).map(({ name }) => name),
  );
  const found = new Map<string, NonNullable<FoundProgram['medium']>>();
  if (wanted.size > 0) {
    const quiet: Flow = { ...flow, onEvent: () => undefined };
    await within(PATIENCE, quiet, async (own) => {
      const near = await placesNear(folder, root);
      return lookInto(named === undefined ? near : [named, ...near], wanted, found, own);
    });
  }
  return {
    ...machine,
    programs: machine.programs.map((one) => {
      const medium = found.get(one.name);
      return medium === undefined ? one : { ...one, medium };
    }),
  };
}

function mayBeCarried({ name }: FoundProgram): boolean {
  return (installerPrograms as readonly string[]).includes(name);
}

async function lookInto(
  places: readonly ArchivePlace[],
  wanted: ReadonlySet<string>,
  found: Map<string, NonNullable<FoundProgram['medium']>>,
  flow: Flow,
): Promise<ReadonlyMap<string, unknown>> {
  for (const place of places) {
    flow.signal.throwIfAborted();
    if (found.size === wanted.size) return found;
    if (!isLocal(place)) continue;
    try {
      const installer = await lend(await openLocal(place, flow), async ({ catalog }) => catalog.installer);
      for (const { path } of installer) {
        const file = installerFileOf(path);
        if (file?.kind !== 'program' || file.platform !== platformHere()) continue;
        if (wanted.has(file.program) && !found.has(file.program))
          found.set(file.program, { archive: placeName(place), path });
      }
    } catch (error) {
      // A file of another kind, and a drive without a disc.
      if (!(error instanceof SolpackError)) throw error;
    }
  }
  return found;
}
