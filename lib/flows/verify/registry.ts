import { verified } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { type Descriptor, totalSize } from '../../../formats/oci/descriptor.ts';
import type { ContentSource, Finding, RegistryPlace } from '../../kernel/content/index.ts';
import { byteMeter, type Flow, pool, SolpackError } from '../../kernel/events/index.ts';
import { type Catalog, readCatalog } from '../../parts/archives/index.ts';
import { attestationsIn } from '../../shared/solutions/attestations/index.ts';
import { atRoot, type FoundRoot, signaturesOf, slotsOf } from '../../shared/solutions/registries/index.ts';
import { compareRoot } from '../../shared/solutions/trusted/index.ts';
import type { VerifyRequest } from './request.ts';
import { type Verification, verificationOf } from './verification.ts';

/** A Solution in a registry to verify. */
export interface VerifyInRegistry extends Omit<VerifyRequest, 'archive'> {
  readonly archive: RegistryPlace;
}

/**
 * Checks a Solution in a registry: fetches and hashes all that its root reaches, keeps none of it, and decides whether
 * those who signed it are trusted. Reports all findings. Throws `solution-absent`, `archive-invalid`, and what the
 * registry answers; but what it lacks is a finding.
 */
export function verifyInRegistry(
  { archive, trust, bundles = [] }: VerifyInRegistry,
  flow: Flow,
): Promise<Verification> {
  return atRoot(archive, flow, async (found) => {
    const { subject, source, root, rootBytes } = found;
    flow.onEvent({ type: 'step', step: 'verify', subject });
    const { catalog, size, findings } = await readAll(found, flow);
    const slots = catalog ? slotsOf(await signaturesOf(source, root, catalog, subject, flow), catalog) : [];
    const { bundleOf } = catalog ? attestationsIn(source, catalog, subject, flow) : { bundleOf: async () => undefined };
    const checked = { rootBytes, catalog, findings, slots, bundles, source, bundleOf };
    return verificationOf({ ...checked, size, contentOnly: true }, trust, flow.signal);
  });
}

interface Read {
  /** Undefined where the root cannot be followed. */
  readonly catalog: Catalog | undefined;
  /** Bytes that were hashed. */
  readonly size: number;
  readonly findings: readonly Finding[];
}

async function readAll({ subject, source, root, rootBytes, budget }: FoundRoot, flow: Flow): Promise<Read> {
  try {
    const catalog = await readCatalog(rootBytes, source, flow.signal, budget);
    // Manifests were checked when the catalog was read.
    const manifests = new Set(catalog.manifests.map(({ descriptor }) => descriptor.digest));
    const contents = catalog.contents;
    const blobs = contents.filter(({ digest }) => !manifests.has(digest));
    const findings = [...compareRoot(catalog), ...(await hashAll(blobs, source, flow))];
    return { catalog, size: totalSize([root, ...contents]), findings };
  } catch (error) {
    if (!isContent(error)) throw error;
    const message = `${error.message}; what it refers to was not checked`;
    const code = isAbsent(error) ? 'missing-file' : 'root-invalid';
    return { catalog: undefined, size: root.size, findings: [{ code, subject, message }] };
  }
}

/** Fetches and hashes blobs, several at once, and reports those that are others or not there. */
async function hashAll(blobs: readonly Descriptor[], source: ContentSource, flow: Flow): Promise<Finding[]> {
  const findings = new Map<Descriptor, Finding>();
  const { onBytes } = byteMeter(flow, 'verify', totalSize(blobs));
  await pool(blobs, { signal: flow.signal }, async (blob, signal) => {
    let left = blob.size;
    const finding = await hashOne(blob, source, signal, (count) => {
      left -= count;
      onBytes(count);
    });
    if (finding) findings.set(blob, finding);
    onBytes(left);
  });
  return blobs.flatMap((blob) => findings.get(blob) ?? []);
}

async function hashOne(
  blob: Descriptor,
  source: ContentSource,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<Finding | undefined> {
  const { digest } = blob;
  try {
    for await (const { length } of verified(source.open(blob, { signal }), blob)) {
      signal.throwIfAborted();
      onBytes(length);
    }
    return undefined;
  } catch (error) {
    if (!isContent(error)) throw error;
    if (isAbsent(error)) return { code: 'missing-file', subject: digest, message: error.message };
    return { code: 'blob-mismatch', subject: digest, message: error.message };
  }
}

/** Returns whether an error is about what a registry has, and not about asking it. */
function isContent(error: unknown): error is FormatError | SolpackError {
  if (error instanceof FormatError || isAbsent(error)) return true;
  return error instanceof SolpackError && (error.code === 'content-mismatch' || error.code === 'image-unsupported');
}

function isAbsent(error: unknown): boolean {
  return error instanceof SolpackError && error.code === 'registry-error' && / status 404\b/.test(error.message);
}
