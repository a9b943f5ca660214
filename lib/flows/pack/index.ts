import type { Digest } from '../../../formats/digest.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import { requireCreatable, requireNoInput } from '../../kernel/files/index.ts';
import { type Crew, crewSize, hire, isWorthwhile } from '../../kernel/workers/index.ts';
import {
  type CarrierKind,
  type Catalog,
  carrierFor,
  carriers,
  type DeltaSummary,
  deltaSummary,
  readCatalog,
  type SlotBundles,
} from '../../parts/archives/index.ts';
import { type Signer, signRoot, signStatementBy } from '../../parts/trust/index.ts';
import type { DrawnObject } from '../../shared/rendering/index.ts';
import { readStatement } from '../../shared/solutions/attestations/index.ts';
import { withoutBases } from '../../shared/solutions/deltas/index.ts';
import { type ArchivePlace, openTogether } from '../../shared/solutions/media/index.ts';
import { rootOf } from './closure.ts';
import type { Content } from './content.ts';
import { inputFiles } from './input-files.ts';
import { requireWritableLock, writeLock } from './lock.ts';
import { type ByteSink, type FileOptions, writeToFile, writeToSink } from './output.ts';
import { type InputsRequest, prepare } from './prepare.ts';
import { requireLocked } from './require-locked.ts';

export type { Daemons } from '../../parts/images/index.ts';
export type {
  /** The result of checking a definition. */
  CheckResult,
} from './check.ts';
export {
  /** Renders the components of inputs, and looks for everything that would keep an install from working. */
  proveClosed,
  /** Proves that inputs are closed, and makes the root and the lock of them. */
  rootOf,
} from './closure.ts';
export {
  /** What is fetched for a component itself. */
  componentRequest,
  /** Opens the sources of a definition's components. */
  openComponentSources,
} from './component-sources.ts';
export {
  /** Decides by their names which images a definition has. */
  definedBy,
} from './defined-images.ts';
export {
  /** The references that a definition lacks, each image once. */
  missingOf,
  /** Renders components, and reads which images their objects name. */
  readUse,
} from './image-use.ts';
export type {
  /** Which programs to put into an archive, and where they are. */
  InstallerRequest,
} from './installer-programs.ts';
export type {
  /** Which images to list. */
  ImagesRequest,
} from './list-images.ts';
export { type ImagesResult, listImages } from './list-images.ts';
export {
  /** Requires that a lock can be written. */
  requireWritableLock,
} from './lock.ts';
export type { LockMode } from './lock-mode.ts';
export type {
  ByteSink,
  /** Options of `pack` that concern archives in files. */
  FileOptions,
} from './output.ts';
export {
  /** Checks the bytes of a definition. */
  checkDefinitionBytes,
  /** What decides the inputs of a definition. */
  type InputsRequest,
  /** A definition whose every input is known by its digest. */
  type PreparedInputs,
  /** Resolves everything that a definition names to a digest. */
  prepare,
  /** Does the same with a definition and a lock that were read, and may differ from the files. */
  prepareRead,
  /** A definition and its lock, of which nothing is resolved. */
  type ReadInputs,
  /** Reads a definition and its lock. */
  readInputs,
} from './prepare.ts';
export {
  /** Makes the inputs of a pack something to render, before there is an archive of them. */
  renderableInputs,
} from './renderable.ts';

/** What to pack, and where to write it. Paths are absolute. */
export interface PackRequest extends InputsRequest, FileOptions {
  /** A path, or a sink that receives the bytes in order. */
  readonly output: string | ByteSink;
  /** The archive format; undefined means the one of the path's extension. A sink needs one. */
  readonly format?: CarrierKind | undefined;
  readonly sign?: Signer | undefined;
  /** Archives whose layers are left out, which makes it a delta; left out: none. */
  readonly bases?: readonly ArchivePlace[] | undefined;
}

/** What was packed. */
export interface PackResult {
  /** Path of the archive, or name of the sink. */
  readonly path: string;
  readonly carrier: CarrierKind;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  /** Bytes. */
  readonly size: number;
  readonly images: number;
  readonly components: number;
  /** The platforms that it brings an installer for; absent where it brings none. */
  readonly installer?: readonly string[];
  /** Id of the key that signed it; undefined where none did. */
  readonly keyId: string | undefined;
  /** The objects with values that are random, or depend on the clock, when they are rendered. */
  readonly drawn: readonly DrawnObject[];
  /** The images that no component names and the definition does not say to keep. */
  readonly unused: readonly string[];
  /** What it lacks; absent where it is whole. */
  readonly delta?: DeltaSummary;
}

/**
 * Packs a definition into one archive: resolves every input to a digest, writes `solution.lock`, and streams each
 * content to its place. If it fails, it leaves nothing behind, unless `resume` is set. Throws `SolpackError`.
 */
export async function pack(request: PackRequest, flow: Flow): Promise<PackResult> {
  const { output } = request;
  const name = typeof output === 'string' ? output : output.name;
  const carrier = request.format ? carriers[request.format] : carrierFor(name);
  // Nobody should learn it when all is fetched and rendered.
  if (typeof output === 'string') await requireCreatable(output);
  const prepared = await prepare({ ...request, keepSources: true, writesLock: request.lock !== 'locked' }, flow);
  return lend(prepared, async ({ inputs, content, before, lockFile }) => {
    let crew: Crew | undefined;
    try {
      if (typeof output === 'string') {
        const { definition, bases = [] } = request;
        await requireNoInput(output, [lockFile, ...inputFiles(definition, inputs.definition, bases)]);
      }
      if (typeof output === 'string' && isWorthwhile(content.locatable(), request.workers)) {
        // The threads start while the rest is prepared.
        crew = hire(crewSize(request.workers));
      }
      const { closure, lock, rootBytes } = await rootOf(prepared, request, flow);
      if (request.lock === 'locked') requireLocked(lockFile, before, lock);
      else await requireWritableLock(lockFile, lock);
      const whole = await readCatalog(rootBytes, content, flow.signal);
      const catalog = await deltaFrom(whole, request.bases ?? [], flow);
      const delta = deltaSummary(catalog);
      const slots = await signaturesOf(catalog, content, request.sign, flow);
      const ready = { catalog, carrier, content, slots, crew };
      flow.onEvent({ type: 'step', step: 'write', subject: name });
      const size =
        typeof output === 'string'
          ? await writeToFile(output, ready, request, () => writeLock(lockFile, lock), flow)
          : await writeToSink(output, ready, flow);
      if (typeof output !== 'string') await writeLock(lockFile, lock);
      const { definition, installer } = inputs;
      return {
        path: name,
        carrier: carrier.kind,
        name: definition.name,
        version: definition.version,
        root: catalog.root.digest,
        size,
        images: catalog.images.length,
        components: catalog.metadata.components.length,
        ...(installer ? { installer: installer.platforms } : {}),
        keyId: request.sign?.public.keyId,
        drawn: closure.drawn,
        unused: closure.unused,
        ...(delta ? { delta } : {}),
      };
    } finally {
      await crew?.[Symbol.asyncDispose]();
    }
  });
}

/** Leaves out what archives have, where any are named. */
async function deltaFrom(catalog: Catalog, bases: readonly ArchivePlace[], flow: Flow): Promise<Catalog> {
  if (bases.length === 0) return catalog;
  return lend(await openTogether(bases, flow), async ({ archives }) =>
    withoutBases(
      catalog,
      archives.map((base) => base.catalog),
    ),
  );
}

/** Makes the bundles for the slots of an archive that `signer` signs, each when it is written. */
async function signaturesOf(
  catalog: Catalog,
  content: Content,
  signer: Signer | undefined,
  flow: Flow,
): Promise<SlotBundles> {
  if (!signer) return {};
  return {
    bundles: [await signRoot(catalog.rootBytes, signer, flow)],
    attest: async (attestation) =>
      signStatementBy(await readStatement(content, catalog, attestation, flow.signal), signer, flow),
  };
}
