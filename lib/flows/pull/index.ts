import { lstat } from 'node:fs/promises';
import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { formatReference } from '../../../formats/oci/reference.ts';
import {
  Budget,
  type Copied,
  copy,
  fetchManifest,
  type NamedSource,
  type RegistryPlace,
} from '../../kernel/content/index.ts';
import { byteMeter, type Flow, fromFormat, lend, SolpackError } from '../../kernel/events/index.ts';
import { partialPath, requireCreatable } from '../../kernel/files/index.ts';
import { beginArchive, type CarrierKind, type Catalog, carrierFor, readCatalog } from '../../parts/archives/index.ts';
import { attestationsIn, type BundleOf } from '../../shared/solutions/attestations/index.ts';
import { noSolutionHint, resolveRoot, signaturesOf } from '../../shared/solutions/registries/index.ts';
import { compareRoot } from '../../shared/solutions/trusted/index.ts';

/** What to pull, and where to. */
export interface PullRequest extends RegistryPlace {
  /** Absolute path of the archive; its extension says which format it is written in. */
  readonly output: string;
  /** Whether the end is waited for until the disk has the archive; true unless it is said. */
  readonly sync?: boolean | undefined;
}

/** What was pulled. */
export interface PullResult {
  readonly path: string;
  readonly carrier: CarrierKind;
  readonly reference: string;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  /** Bytes of the archive. */
  readonly size: number;
  /** Signatures that the archive has. */
  readonly signatures: number;
  /** Attestations that somebody has signed. */
  readonly attestations: number;
  /** Contents that were fetched, their bytes, and contents that an earlier run had fetched. */
  readonly moved: number;
  readonly movedBytes: number;
  readonly present: number;
}

/**
 * Pulls a Solution out of a repository into an archive: byte for byte the one that was pushed, signatures in their
 * slots included. All content is checked by the digests that the root leads to. If it fails, what was fetched stays
 * beside `output`, and the next pull of the same Solution continues from there. Throws `solution-absent`,
 * `archive-invalid`, `verification-failed`, `content-mismatch`, `disk-full`, `output-unwritable`, and what the registry
 * answers.
 */
export async function pull(request: PullRequest, flow: Flow): Promise<PullResult> {
  const carrier = carrierFor(request.output);
  await requireCreatable(request.output);
  const source = await request.connect(request.reference);
  try {
    const reference = formatReference(request.reference);
    const root = await resolveRoot(source, request.reference, flow);
    const catalog = await catalogOf(source, root, reference, flow.signal);
    const { metadata } = catalog;
    const bundles = await signaturesOf(source, root, catalog, reference, flow);
    flow.onEvent({ type: 'step', step: 'pull', subject: request.output });
    const onNotice = (message: string): void => flow.onEvent({ type: 'notice', subject: request.output, message });
    const begun = await isThere(partialPath(request.output));
    const { bundleOf } = attestationsIn(source, catalog, reference, flow);
    let attestations = 0;
    const attest: BundleOf = async (attestation) => {
      const bundle = await bundleOf(attestation);
      if (bundle) attestations += 1;
      return bundle;
    };
    const options = {
      bundles,
      attest,
      resume: true,
      sync: request.sync,
      signal: flow.signal,
      ...(begun ? { onNotice } : {}),
    };
    const writer = await beginArchive(request.output, catalog, carrier, options);
    return await lend(writer, async () => {
      try {
        const copied = await fetchAll(source, catalog, writer, flow);
        if (request.sync !== false) flow.onEvent({ type: 'step', step: 'sync', subject: request.output });
        await writer.commit();
        return {
          path: request.output,
          carrier: carrier.kind,
          reference,
          name: metadata.name,
          version: metadata.version,
          root: root.digest,
          size: writer.size,
          signatures: bundles.filter(Boolean).length,
          attestations,
          ...copied,
        };
      } catch (error) {
        const left = `what was fetched stays in ${partialPath(request.output)}; the same command continues with it`;
        // The caller reports who has ended it.
        if (flow.signal.aborted) flow.onEvent({ type: 'left', message: left });
        else onNotice(left);
        throw error;
      }
    });
  } finally {
    await source.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function catalogOf(
  source: NamedSource,
  root: Descriptor,
  reference: string,
  signal: AbortSignal,
): Promise<Catalog> {
  const budget = new Budget();
  const { bytes } = await fetchManifest(source, root, signal, budget);
  try {
    const catalog = await readCatalog(bytes, source, signal, budget);
    const [finding] = compareRoot(catalog);
    if (!finding && catalog.root.digest === root.digest) return catalog;
    const why = finding?.message ?? `${root.digest} is not a SHA-256 digest`;
    throw new SolpackError('verification-failed', reference, why, {
      hint: 'no archive can be made from this root; pull what "solpack push" has pushed',
    });
  } catch (error) {
    throw fromFormat('archive-invalid', reference, error, noSolutionHint);
  }
}

async function fetchAll(
  source: NamedSource,
  catalog: Catalog,
  writer: Awaited<ReturnType<typeof beginArchive>>,
  flow: Flow,
): Promise<Copied> {
  const transfers = catalog.contents.map((descriptor) => ({ descriptor, source }));
  const total = transfers.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  return copy([transfers], writer, { signal: flow.signal, onBytes: byteMeter(flow, 'pull', total).onBytes });
}
