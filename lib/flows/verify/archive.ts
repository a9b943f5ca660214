import type { Digest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import type { Finding, Place } from '../../kernel/content/index.ts';
import { byteMeter, exits, type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { besides, type Crew, hire, isWorthwhile } from '../../kernel/workers/index.ts';
import {
  type Archive,
  absentOf,
  archivePaths,
  type Catalog,
  type CatalogImage,
  carrierSource,
  type OpenedCarrier,
  type OpenedFiles,
  presentContents,
  readAttestationSlot,
  readCatalog,
  readRoot,
  readSlots,
  selectedCatalog,
} from '../../parts/archives/index.ts';
import type { BundleOf } from '../../shared/solutions/attestations/index.ts';
import { isForeign, openFilesAt, openTogether, solutionIn } from '../../shared/solutions/media/index.ts';
import { compareRoot } from '../../shared/solutions/trusted/index.ts';
import { checkAbsent } from './bases.ts';
import { compareCarrier } from './carrier.ts';
import { compareContent } from './content.ts';
import { isMedium, verifyMedium } from './foreign.ts';
import { beginHashing, likelyBlobs, type Underway } from './hash-blobs.ts';
import { lackingContents } from './missing-contents.ts';
import { hashBlobs, missingEnd } from './orphans.ts';
import type { VerifyRequest } from './request.ts';
import { type Verification, verificationOf } from './verification.ts';

/** Verifies what lies at a path or an address; threads that were started beforehand hash its contents. */
export async function verifyPlace(
  { archive, ...asked }: VerifyRequest & { readonly archive: Place },
  crew: Crew | undefined,
  flow: Flow,
): Promise<Verification> {
  const opened = await openFilesAt(archive, flow);
  const { path } = opened.file;
  // What is made of a medium closes it when it cannot be made; closing twice is of no harm.
  return lend(opened, async () => {
    const files = (await isForeign(opened)) ? await solutionIn(opened, flow.signal) : opened;
    return verifyFiles(files, path, { ...asked, crew }, flow);
  });
}

/** What is verified; its catalog may be known. */
type Opened = OpenedFiles & Partial<Pick<Archive, 'catalog' | 'foreign'>>;

/** What is asked of it. */
interface Asked extends Omit<VerifyRequest, 'archive'> {
  /** Blobs that are left out. */
  readonly later?: ReadonlySet<Digest>;
  /** Threads that were started beforehand; they have ended when this is done. */
  readonly crew?: Crew | undefined;
}

/** Verifies what is open, and was found at `path`. */
export async function verifyFiles(opened: Opened, path: string, asked: Asked, flow: Flow): Promise<Verification> {
  const { file } = opened;
  flow.onEvent({ type: 'step', step: 'verify', subject: path });
  const meter = byteMeter(flow, 'verify', file.size - laterBytes(opened, asked));
  const verification = await judge(opened, path, { ...asked, onBytes: meter.onBytes }, flow);
  // Whatever lies between contents is compared as a whole, or may be anything, as slots of signatures.
  if (verification.findings.length === 0) meter.rest();
  return verification;
}

async function judge(
  opened: Opened,
  path: string,
  { onBytes, ...asked }: Asked & Pick<VerificationStart, 'onBytes'>,
  flow: Flow,
): Promise<Verification> {
  const { file } = opened;
  const { descriptor } = file;
  if (isMedium(opened)) return verifyMedium(opened, asked, { ...flow, onBytes });
  if (descriptor === undefined || asked.later !== undefined || !isWorthwhile(file.size, undefined)) {
    return readAndJudge(opened, path, { ...asked, onBytes }, flow);
  }
  // Threads end before the file is closed that they read.
  return lend(asked.crew ?? hire(besides()), async (crew) => {
    const isWhole = isCarrier(opened) && asked.contentOnly !== true;
    // Threads need not wait until all is read that says where the blobs are.
    const blobs = isWhole ? await likelyBlobs(opened) : [];
    const early = beginHashing(blobs, { path: file.path, descriptor }, { crew, signal: flow.signal, onBytes });
    return readAndJudge(opened, path, { ...asked, onBytes, crew, early }, flow);
  });
}

/** Counts the bytes that somebody else hashes. */
function laterBytes({ catalog }: Opened, { later }: Asked): number {
  const left = catalog ? presentContents(catalog).filter(({ digest }) => later?.has(digest)) : [];
  return totalSize(left);
}

async function readAndJudge(
  opened: Opened,
  path: string,
  { trust, bundles = [], later = new Set(), ...asked }: Asked & Pick<VerificationStart, 'crew' | 'early' | 'onBytes'>,
  flow: Flow,
): Promise<Verification> {
  const contentOnly = asked.contentOnly === true || !isCarrier(opened);
  const known = opened.catalog;
  const rootBytes = known?.rootBytes ?? (await readRoot(path, opened));
  const begun = { ...asked, rootBytes, known, contentOnly, later };
  const { catalog, findings, slots } = await readAll(path, opened, begun, flow);
  for (const image of catalog?.images ?? []) tellAbsent(image, flow);
  const bundleOf: BundleOf = (attestation) => readAttestationSlot(opened, attestation);
  const bases = asked.bases ?? [];
  const source = carrierSource(path, opened);
  const completed =
    catalog &&
    (await lend(await openTogether(bases, flow), ({ archives }) =>
      checkAbsent({ path, catalog, source, content: source.content }, archives, flow),
    ));
  findings.push(...(completed?.findings ?? []));
  const checked = { rootBytes, catalog, findings, slots, bundles, source, bundleOf };
  const judged = await verificationOf({ ...checked, size: opened.file.size, contentOnly }, trust, flow.signal);
  return completed ? { ...judged, delta: completed.delta } : judged;
}

/** Reports which platforms the author left out: that is no finding, but whoever relies on the archive has to know. */
function tellAbsent(image: CatalogImage, flow: Flow): void {
  const absent = absentOf(image).map(({ platform, digest }) => `${platform} (${digest})`);
  if (absent.length === 0) return;
  const message = `was packed without ${absent.join(', ')}, which its index names`;
  flow.onEvent({ type: 'notice', subject: image.reference, message });
}

/** What is known of an archive before all of it is read, and how much of it counts. */
interface VerificationStart {
  readonly rootBytes: Uint8Array;
  readonly known: Catalog | undefined;
  readonly contentOnly: boolean;
  readonly later: ReadonlySet<Digest>;
  readonly crew?: Crew | undefined;
  readonly early?: Underway | undefined;
  readonly onBytes: (count: number) => void;
}

async function readAll(
  path: string,
  opened: Opened,
  { rootBytes, known, contentOnly, ...how }: VerificationStart,
  flow: Flow,
): Promise<{ catalog: Catalog | undefined; findings: Finding[]; slots: readonly Uint8Array[] }> {
  try {
    const whole = known ?? (await readCatalog(rootBytes, carrierSource(path, opened), flow.signal));
    const catalog = known ?? (await selectedCatalog(opened, whole));
    const slots = await slotsOf(path, opened, catalog);
    const cut = isCarrier(opened) ? missingEnd(opened, catalog) : [];
    if (cut.length > 0 && !contentOnly) return { catalog, findings: [...compareRoot(catalog), ...cut], slots };
    const lacking = await lackingContents(opened, catalog);
    if (lacking) return { catalog, findings: [...lacking, ...(await hashBlobs(opened, flow, how.early))], slots };
    const own = compareRoot(catalog);
    const compare =
      contentOnly || !isCarrier(opened)
        ? compareContent(opened, catalog, slots, how, flow)
        : compareCarrier(opened, catalog, slots, how, flow);
    const different = await compare;
    return { catalog, findings: [...own, ...(different.length > 0 && cut.length > 0 ? cut : different)], slots };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const message = `${error.message}; the rest was checked only by its own digests`;
    const subject = error instanceof SolpackError ? error.subject : archivePaths.root;
    const finding: Finding = { code: 'root-invalid', subject, message };
    const cut = isCarrier(opened) ? missingEnd(opened) : [];
    if (cut.length > 0) return { catalog: undefined, findings: cut, slots: [] };
    return { catalog: undefined, findings: [finding, ...(await hashBlobs(opened, flow, how.early))], slots: [] };
  }
}

function isCarrier(opened: OpenedFiles): opened is OpenedCarrier {
  return opened.carrier !== undefined;
}

/** The slots; none where the carrier's directory is too damaged to find them, which is a finding of its own. */
async function slotsOf(path: string, opened: OpenedFiles, catalog: Catalog): Promise<Uint8Array[]> {
  try {
    return await readSlots(path, opened, catalog);
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}

/** Returns whether an error is about what was read. Where reading itself failed, the archive cannot be judged. */
function isDamage(error: unknown): error is FormatError | SolpackError {
  if (error instanceof FormatError) return true;
  return error instanceof SolpackError && error.exit !== exits.registry && error.code !== 'file-unreadable';
}
