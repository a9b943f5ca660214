import { totalSize } from '../../../formats/oci/descriptor.ts';
import { installerFileOf } from '../../../formats/solution/installer.ts';
import { isLocal } from '../../kernel/content/index.ts';
import { type Flow, lend, platformHere, SolpackError } from '../../kernel/events/index.ts';
import { isThere } from '../../kernel/machine/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import { openLocal, placeName } from '../../shared/solutions/media/index.ts';
import { configuredArchives, readConfiguration } from '../../shared/solutions/sets/index.ts';
import type { LookedArchive, LookedArchives } from './looked.ts';

/**
 * Looks at the archives of a SolutionsConfiguration that are on this machine; undefined where there is no such file. No
 * server is asked. Throws `configuration-invalid`, and what finding archives throws.
 */
export async function lookAtArchives(configuration: string, flow: Flow): Promise<LookedArchives | undefined> {
  if (!(await isThere(configuration))) return undefined;
  const named = await configuredArchives(configuration, await readConfiguration(configuration), {
    base: '/',
    connect: (reference) => ({ reference, connect: () => Promise.reject(new Error('no registry is asked here')) }),
  });
  const places = new Map(named.flatMap((one) => one.places).map((place) => [placeName(place), place]));
  const opened: LookedArchive[] = [];
  const unopened: LookedArchives['unopened'][number][] = [];
  let remote = 0;
  for (const [path, place] of places) {
    flow.signal.throwIfAborted();
    if (!isLocal(place)) {
      remote += 1;
      continue;
    }
    try {
      opened.push(await lend(await openLocal(place, flow), async (archive) => knownOf(path, archive)));
    } catch (error) {
      if (!(error instanceof SolpackError)) throw error;
      unopened.push({ path, error });
    }
  }
  return { opened, unopened, remote };
}

function knownOf(path: string, { catalog: { metadata, installer, imageBlobs } }: Archive): LookedArchive {
  const programs = installer.flatMap((file) => {
    const known = installerFileOf(file.path);
    return known?.kind === 'program' && known.platform === platformHere() ? [known.program] : [];
  });
  const { name, version, created, components } = metadata;
  return {
    ...{ path, name, version, created },
    kinds: new Set(components.map(({ kind }) => kind)),
    programs: new Set(programs),
    bytes: totalSize(imageBlobs),
  };
}
