import { compare } from 'semver';
import type { Digest } from '../../../formats/digest.ts';
import { type ContentSource, localPaths } from '../../kernel/content/index.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { requireCreatable, requireNoInput } from '../../kernel/files/index.ts';
import {
  type Archive,
  type CarrierKind,
  type Catalog,
  carrierFor,
  completedBy,
  type DeltaSummary,
  deltaSummary,
  requireComplete,
} from '../../parts/archives/index.ts';
import { belowLayers, type WholeLayer, withoutBases } from '../../shared/solutions/deltas/index.ts';
import { type ArchivePlace, openMedium, openTogether } from '../../shared/solutions/media/index.ts';
import { requireConsistent } from '../../shared/solutions/trusted/index.ts';
import { writeFrom } from './write.ts';

/** What is made of archives. */
export interface DeltaRequest {
  /** For a delta, what is there already; to merge, what has that which the delta lacks. In any order. */
  readonly bases: readonly ArchivePlace[];
  /** For a delta, the newer archive; to merge, the delta. */
  readonly archive: ArchivePlace;
  /** Absolute path of the archive to write; its extension says which format it is written in. */
  readonly output: string;
  /** For a delta, whether layers that no base has travel whole, and are not made of older layers. */
  readonly blobsOnly?: boolean | undefined;
  /** Whether the end is waited for until the disk has the archive; true unless it is said. */
  readonly sync?: boolean | undefined;
}

/** What was written. */
export interface DeltaResult {
  readonly path: string;
  readonly carrier: CarrierKind;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  /** Bytes of the archive. */
  readonly size: number;
  /** What it lacks; absent where it is whole. */
  readonly delta?: DeltaSummary;
  /** The layers that no base has and that are in it whole, and why; absent where nobody has tried to make them. */
  readonly whole?: readonly WholeLayer[];
}

/**
 * Writes a delta: the archive of a release without the contents that one of `bases` has. The same archives make the
 * same bytes, in any order. If nothing can be left out, the result is a whole archive. Contents are checked while they
 * are copied; `verify` checks who signed. Throws `archive-incomplete`, `verification-failed`, and what opening and
 * writing throw. Throws `usage-invalid` where the output is one of the archives.
 */
export function delta(request: DeltaRequest, flow: Flow): Promise<DeltaResult> {
  return written('delta', request, request.blobsOnly ? byBlob : belowBlobs, flow);
}

/**
 * Writes the whole archive of a delta, from the delta and from `bases`: the bytes that `pack` made of the release, with
 * the delta's signatures. Throws as `delta`.
 */
export function merge(request: DeltaRequest, flow: Flow): Promise<DeltaResult> {
  return written('merge', request, completed, flow);
}

/** What is written: a catalog, and what has its contents. */
interface Selected extends AsyncDisposable {
  readonly catalog: Catalog;
  readonly source: ContentSource;
  readonly whole?: readonly WholeLayer[];
}

type Select = (archive: Archive, bases: readonly Archive[], flow: Flow) => Promise<Selected>;

const byBlob: Select = async (archive, bases, flow) => {
  reportNewerBases(archive, bases, flow);
  return {
    catalog: withoutBases(archive.catalog, catalogsOf(bases)),
    source: archive.source,
    [Symbol.asyncDispose]: async () => undefined,
  };
};

const belowBlobs: Select = (archive, bases, flow) => {
  reportNewerBases(archive, bases, flow);
  return belowLayers(archive, withoutBases(archive.catalog, catalogsOf(bases)), bases, flow);
};

const completed: Select = async (archive, bases) => ({
  catalog: wholeOf(archive.catalog, catalogsOf(bases)),
  source: archive.source,
  [Symbol.asyncDispose]: async () => undefined,
});

/** Reports archives that are probably not older than the release: nothing else would show a wrong order. */
function reportNewerBases({ catalog: { metadata } }: Archive, bases: readonly Archive[], { onEvent }: Flow): void {
  const { name, version } = metadata;
  for (const { catalog } of bases) {
    const base = catalog.metadata;
    if (base.name !== name || compare(base.version, version) <= 0) continue;
    const message = `is newer than ${name} ${version}, which the delta is of: the release to carry comes last`;
    onEvent({ type: 'notice', subject: `${name} ${base.version}`, message });
  }
}

function catalogsOf(archives: readonly Archive[]): Catalog[] {
  return archives.map(({ catalog }) => catalog);
}

/**
 * Returns a delta as the archive that it is made whole to. Throws `usage-invalid` where the delta is among the others.
 */
function wholeOf({ selection, ...whole }: Catalog, bases: readonly Catalog[]): Catalog {
  const delta = bases.find((base) => base.selection !== undefined);
  if (selection !== undefined || delta === undefined) return whole;
  const { name, version } = delta.metadata;
  const message = `the last archive is whole (${whole.metadata.name} ${whole.metadata.version}), and not the delta`;
  throw new SolpackError('usage-invalid', 'merge', message, { hint: `name the delta last: ${name} ${version}` });
}

async function written(
  step: string,
  { bases: places, archive: place, output, sync }: DeltaRequest,
  select: Select,
  flow: Flow,
): Promise<DeltaResult> {
  const carrier = carrierFor(output);
  await requireNoInput(output, localPaths([place, ...places]));
  await requireCreatable(output);
  return lend(await openTogether(places, flow), async ({ archives }) => {
    const opened = await openMedium(place, flow);
    return lend(completedBy(opened, archives, flow), async (archive) => {
      requireConsistent(archive);
      requireComplete(archive, archives);
      return lend(await select(archive, archives, flow), async ({ catalog, source, whole }) => {
        flow.onEvent({ type: 'step', step, subject: output });
        const { size } = await writeFrom({ ...archive, source }, catalog, { step, output, sync }, flow);
        const { name, version } = catalog.metadata;
        const summary = deltaSummary(catalog);
        return {
          path: output,
          carrier: carrier.kind,
          name,
          version,
          root: catalog.root.digest,
          size,
          ...(summary ? { delta: summary } : {}),
          ...(whole ? { whole } : {}),
        };
      });
    });
  });
}
