import type { Digest } from '../../formats/digest.ts';
import { sha256 } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import {
  absentOf,
  archivePaths,
  type Catalog,
  type CatalogImage,
  carrierSource,
  type OpenedCarrier,
  openAnyCarrier,
  planArchive,
  readCatalog,
  readRoot,
  readSlots,
} from '../archives/index.ts';
import { exits, SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import type { Finding } from '../model.ts';
import type { Place } from '../place.ts';
import { type DetachedBundle, judgeSignatures, judgeTrust, type Trust } from '../trust/index.ts';
import { compareSegments } from './compare.ts';
import { hashBlobs } from './orphans.ts';
import { compareRoot } from './root.ts';
import { compareTree } from './tree.ts';

/** What to verify. */
export interface VerifyRequest {
  readonly archive: Place;
  /** Whom to trust; undefined checks integrity alone. */
  readonly trust: Trust | undefined;
  /** Signatures in files of their own, which count like those in slots. */
  readonly bundles?: readonly DetachedBundle[];
}

/** What was found. */
export interface Verification {
  /** No finding at all. */
  readonly ok: boolean;
  /** Whether the root is what `trust` asks for; undefined where nobody was named to trust. */
  readonly trusted: boolean | undefined;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly root: Digest;
  /** Bytes of the archive that were read and compared. */
  readonly size: number;
  /** Ids of the keys whose signatures count. */
  readonly signers: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Checks an archive: hashes every blob where it lies, makes every other byte anew from the root and compares, and
 * decides whether those who signed it are trusted. Reports all findings. Throws `archive-invalid` where the file is no
 * archive, or its root cannot be read.
 */
export async function verify({ archive, trust, bundles }: VerifyRequest, flow: Flow): Promise<Verification> {
  return lend(await openAnyCarrier(archive, flow.signal), (opened) =>
    verifyOpened(opened, opened.file.path, trust, flow, bundles),
  );
}

/** The same for an archive that is open already: what is verified is what its owner goes on to read. */
export async function verifyOpened(
  opened: OpenedCarrier,
  path: string,
  trust: Trust | undefined,
  flow: Flow,
  bundles: readonly DetachedBundle[] = [],
): Promise<Verification> {
  flow.onEvent({ type: 'step', step: 'verify', subject: path });
  const rootBytes = await readRoot(path, opened);
  const { catalog, findings } = await readAll(path, opened, rootBytes, flow);
  for (const image of catalog?.images ?? []) tellAbsent(image, flow);
  const slots = catalog ? await slotsOf(path, opened, catalog) : [];
  const evidence = { root: rootBytes, slots, bundles, metadata: catalog?.metadata, predicates: [] };
  const judged = trust && judgeTrust(evidence, trust);
  const all = [...findings, ...(judged ?? judgeSignatures(rootBytes, slots, [], bundles)).findings];
  return {
    ok: all.length === 0,
    trusted: judged?.trusted,
    name: catalog?.metadata.name,
    version: catalog?.metadata.version,
    root: sha256(rootBytes),
    size: opened.file.size,
    signers: judged?.signers ?? [],
    findings: all,
  };
}

/** What an author left out is no finding; who relies on the archive is to know of it. */
function tellAbsent(image: CatalogImage, flow: Flow): void {
  const absent = absentOf(image).map(({ platform, digest }) => `${platform} (${digest})`);
  if (absent.length === 0) return;
  const message = `was packed without ${absent.join(', ')}, which its index names`;
  flow.onEvent({ type: 'notice', subject: image.reference, message });
}

async function readAll(
  path: string,
  opened: OpenedCarrier,
  rootBytes: Uint8Array,
  flow: Flow,
): Promise<{ catalog: Catalog | undefined; findings: Finding[] }> {
  try {
    const catalog = await readCatalog(rootBytes, carrierSource(path, opened), flow.signal);
    return { catalog, findings: await compareAll(opened, catalog, flow) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const message = `${error.message}; the rest was checked by its own digests only`;
    const subject = error instanceof SolpackError ? error.subject : archivePaths.root;
    const finding: Finding = { code: 'root-invalid', subject, message };
    return { catalog: undefined, findings: [finding, ...(await hashBlobs(opened, flow))] };
  }
}

async function compareAll(opened: OpenedCarrier, catalog: Catalog, flow: Flow): Promise<Finding[]> {
  const { file, carrier, tree } = opened;
  const { files, layout } = planArchive(catalog, carrier);
  const findings: Finding[] = [...compareRoot(catalog), ...(await compareTree(tree, files))];
  if (file.size < layout.size) {
    const message = `has ${file.size} bytes instead of ${layout.size}`;
    findings.push({ code: 'truncated', subject: 'archive', message });
  }
  if (file.size > layout.size) {
    const message = `${file.size - layout.size} bytes follow its end at ${layout.size}`;
    findings.push({ code: 'trailing-data', subject: 'archive', message });
  }
  let done = 0;
  const comparison = {
    file,
    files,
    exempt: carrier.exempt,
    signal: flow.signal,
    onBytes: (count: number) => {
      done += count;
      flow.onEvent({ type: 'progress', step: 'verify', done, total: layout.size });
    },
  };
  for await (const finding of compareSegments(layout.segments, comparison)) findings.push(finding);
  return findings;
}

/** The slots; none where the carrier's directory is too damaged to find them, which is a finding of its own. */
async function slotsOf(path: string, opened: OpenedCarrier, catalog: Catalog): Promise<Uint8Array[]> {
  try {
    return await readSlots(path, opened, catalog);
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}

/** Whether an error is about what was read, and not about reading: an archive that cannot be read now is not judged. */
function isDamage(error: unknown): error is FormatError | SolpackError {
  if (error instanceof FormatError) return true;
  return error instanceof SolpackError && error.exit !== exits.registry && error.code !== 'file-unreadable';
}
