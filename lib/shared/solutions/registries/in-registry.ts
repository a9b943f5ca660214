import { type Descriptor, isIndexType } from '../../../../formats/oci/descriptor.ts';
import { formatReference, type Reference } from '../../../../formats/oci/reference.ts';
import { emptySlot, fillSlot } from '../../../../formats/sigstore/slot.ts';
import { solutionTypes } from '../../../../formats/solution/metadata.ts';
import { Budget, fetchManifest, type NamedSource, type RegistryPlace } from '../../../kernel/content/index.ts';
import { type Flow, fromFormat, SolpackError } from '../../../kernel/events/index.ts';
import { type Catalog, readCatalog } from '../../../parts/archives/index.ts';
import { findSignatures, placeSignatures } from './signatures-in-registry.ts';

/** The root of a Solution in a repository. */
export interface FoundRoot {
  /** The reference, for messages. */
  readonly subject: string;
  readonly source: NamedSource;
  readonly root: Descriptor;
  readonly rootBytes: Uint8Array;
  /** Limits what is read of the Solution before its signer is known. */
  readonly budget: Budget;
}

/** What reading a registry takes of a flow. */
export type RegistryFlow = Pick<Flow, 'signal' | 'onEvent'>;

/** The hint of errors about a reference that names no Solution. */
export const noSolutionHint = 'name what "solpack push" has pushed';

/**
 * Resolves a reference to the root of a Solution. Throws `solution-absent`, and `archive-invalid` where it names no
 * index.
 */
export async function resolveRoot(
  source: NamedSource,
  reference: Reference,
  { signal, onEvent }: RegistryFlow,
): Promise<Descriptor> {
  const subject = formatReference(reference);
  onEvent({ type: 'step', step: 'resolve', subject });
  const name = reference.digest ?? reference.tag ?? 'latest';
  const root = await source.resolve(name, signal);
  if (!root) {
    throw new SolpackError('solution-absent', subject, `${source.name} has no ${name}`, {
      hint: 'check the tag; by default, "solpack push" uses the version as the tag',
    });
  }
  if (isIndexType(root.mediaType)) return root;
  throw noSolution(reference, `is a ${root.mediaType}`);
}

function noSolution(reference: Reference, what: string): SolpackError {
  return new SolpackError('archive-invalid', formatReference(reference), `${what}, and no Solution`, {
    hint: noSolutionHint,
  });
}

/** Finds the root of a Solution; whoever asked closes its `source`. Throws as `resolveRoot`. */
export async function findRoot({ reference, connect }: RegistryPlace, flow: RegistryFlow): Promise<FoundRoot> {
  const source = await connect(reference);
  try {
    const root = await resolveRoot(source, reference, flow);
    const budget = new Budget();
    const { bytes, value } = await fetchManifest(source, root, flow.signal, budget);
    if (value.artifactType !== solutionTypes.solution) throw noSolution(reference, 'is an index of something else');
    return { subject: formatReference(reference), source, root, rootBytes: bytes, budget };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Finds the root of a Solution, and keeps its repository open until `work` is done. Throws as `resolveRoot`. */
export async function atRoot<T>(place: RegistryPlace, flow: Flow, work: (found: FoundRoot) => Promise<T>): Promise<T> {
  const found = await findRoot(place, flow);
  try {
    return await work(found);
  } finally {
    await found.source.close();
  }
}

/** Reads the catalog of a root, and no layer. Throws `archive-invalid` where it is not the root of a Solution. */
export async function catalogAt(
  { subject, source, rootBytes, budget }: FoundRoot,
  flow: Pick<Flow, 'signal'>,
): Promise<Catalog> {
  try {
    return await readCatalog(rootBytes, source, flow.signal, budget);
  } catch (error) {
    throw fromFormat('archive-invalid', subject, error, noSolutionHint);
  }
}

/**
 * Reads the signatures of a Solution in a repository. The result has one entry for each signature slot of an archive. A
 * notice reports each signature that has no slot.
 */
export async function signaturesOf(
  source: NamedSource,
  root: Descriptor,
  { metadata }: Catalog,
  subject: string,
  { signal, onEvent }: RegistryFlow,
): Promise<readonly (Uint8Array | undefined)[]> {
  const tell = (message: string): void => onEvent({ type: 'notice', subject, message });
  const { count, size } = metadata.signatureSlots;
  const found = await findSignatures(source, root, size, { signal, onSkip: tell });
  const { bundles, left } = placeSignatures(found, count);
  for (const { digest } of left) tell(`the signature ${digest} is skipped: all ${count} slots are used`);
  return bundles;
}

/** Makes the signature slots of an archive that holds these bundles. */
export function slotsOf(bundles: readonly (Uint8Array | undefined)[], { metadata }: Catalog): Uint8Array[] {
  const { size } = metadata.signatureSlots;
  return bundles.map((bundle) => (bundle ? fillSlot(bundle, size) : emptySlot(size)));
}
