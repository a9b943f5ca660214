import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Digest } from '../../formats/digest.ts';
import { type Descriptor, isIndexType } from '../../formats/oci/descriptor.ts';
import { formatReference, type Reference } from '../../formats/oci/reference.ts';
import { beginArchive, blobsOf, type CarrierKind, type Catalog, carrierFor, readCatalog } from '../archives/index.ts';
import { type Copied, copy, fetchManifest } from '../copy.ts';
import { fromFormat, SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import { partialPath } from '../host.ts';
import type { NamedSource } from '../model.ts';
import { compareRoot } from '../verify/root.ts';
import { findSignatures, placeSignatures } from './signatures.ts';

/** What to pull, and where to. */
export interface PullRequest {
  /** With a tag or a digest; what has both is asked for by its digest. */
  readonly reference: Reference;
  /** Absolute path of the archive; its extension says which format it is written in. */
  readonly output: string;
  /** Opens the repository of the reference. */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
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
  /** Contents that were fetched, their bytes, and contents that an earlier run had fetched. */
  readonly moved: number;
  readonly movedBytes: number;
  readonly present: number;
}

/**
 * Pulls a Solution out of a repository into an archive: byte for byte the one that was pushed, signatures in their slots
 * included. All content is checked by the digests that the root leads to. What was fetched stays beside `output` where it
 * fails, and the next pull of the same goes on with it. Throws `solution-absent`, `archive-invalid`,
 * `verification-failed`, `content-mismatch`, `disk-full`, `output-unwritable`, and what the registry answers.
 */
export async function pull(request: PullRequest, flow: Flow): Promise<PullResult> {
  const carrier = carrierFor(request.output);
  const source = await request.connect(request.reference);
  try {
    const reference = formatReference(request.reference);
    flow.onEvent({ type: 'step', step: 'resolve', subject: reference });
    const root = await resolveRoot(source, request.reference, flow.signal);
    const catalog = await catalogOf(source, root, reference, flow.signal);
    const { metadata } = catalog;
    const tell = (message: string): void => flow.onEvent({ type: 'notice', subject: reference, message });
    const { count, size } = metadata.signatureSlots;
    const found = await findSignatures(source, root, size, { signal: flow.signal, onSkip: tell });
    const { bundles, left } = placeSignatures(found, count);
    for (const { digest } of left) tell(`the signature ${digest} is left out: all ${count} slots are taken`);
    flow.onEvent({ type: 'step', step: 'pull', subject: request.output });
    const onNotice = (message: string): void => flow.onEvent({ type: 'notice', subject: request.output, message });
    const begun = await isThere(partialPath(request.output));
    const options = { bundles, resume: true, sync: request.sync, signal: flow.signal, ...(begun ? { onNotice } : {}) };
    const writer = await beginArchive(request.output, catalog, carrier, options);
    return await lend(writer, async () => {
      try {
        const copied = await fetchAll(source, catalog, writer, flow);
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
          ...copied,
        };
      } catch (error) {
        onNotice(`what was fetched stays in ${dirname(request.output)}; the same command goes on with it`);
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

/** The root that a reference stands for. Throws `solution-absent`, and `archive-invalid` for what is no index. */
async function resolveRoot(source: NamedSource, reference: Reference, signal: AbortSignal): Promise<Descriptor> {
  const name = reference.digest ?? reference.tag ?? 'latest';
  const root = await source.resolve(name, signal);
  if (!root) {
    throw new SolpackError('solution-absent', formatReference(reference), `${source.name} has no ${name}`, {
      hint: 'check the tag; "solpack push" takes the version for it where nobody says another',
    });
  }
  if (isIndexType(root.mediaType)) return root;
  throw noSolution(formatReference(reference), `is a ${root.mediaType}`);
}

async function catalogOf(
  source: NamedSource,
  root: Descriptor,
  reference: string,
  signal: AbortSignal,
): Promise<Catalog> {
  const { bytes } = await fetchManifest(source, root, signal);
  try {
    const catalog = await readCatalog(bytes, source, signal);
    const [finding] = compareRoot(catalog);
    if (!finding && catalog.root.digest === root.digest) return catalog;
    const why = finding?.message ?? `${root.digest} is not named by SHA-256`;
    throw new SolpackError('verification-failed', reference, why, {
      hint: 'no archive can be made of this root; pull what "solpack push" has pushed',
    });
  } catch (error) {
    throw fromFormat('archive-invalid', reference, error, 'pull what "solpack push" has pushed');
  }
}

function noSolution(reference: string, what: string): SolpackError {
  return new SolpackError('archive-invalid', reference, `${what}, and no Solution`, {
    hint: 'pull what "solpack push" has pushed',
  });
}

async function fetchAll(
  source: NamedSource,
  catalog: Catalog,
  writer: Awaited<ReturnType<typeof beginArchive>>,
  flow: Flow,
): Promise<Copied> {
  const transfers = blobsOf(catalog).map((descriptor) => ({ descriptor, source }));
  const total = transfers.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  let done = 0;
  return copy([transfers], writer, {
    signal: flow.signal,
    onBytes: (count) => {
      done += count;
      flow.onEvent({ type: 'progress', step: 'pull', done, total });
    },
  });
}
