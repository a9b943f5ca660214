import { join } from 'node:path';
import { unreadIn } from '../../../formats/cyclonedx/listed.ts';
import type { Digest } from '../../../formats/digest.ts';
import { encodeStatement } from '../../../formats/in-toto/statement.ts';
import { judgeByVex, type VexDocument } from '../../../formats/vulnerabilities/openvex.ts';
import { encodeSarif, type JudgedVulnerability } from '../../../formats/vulnerabilities/sarif.ts';
import { encodeScan, SCAN_PREDICATE } from '../../../formats/vulnerabilities/scan-predicate.ts';
import { sortedByHarm } from '../../../formats/vulnerabilities/vulnerability.ts';
import { localPaths } from '../../kernel/content/index.ts';
import { type Flow, lend, refused, SolpackError } from '../../kernel/events/index.ts';
import { requireNoInput, temporaryFolder, writeFile } from '../../kernel/files/index.ts';
import type { Archive, Catalog, CatalogImage } from '../../parts/archives/index.ts';
import { openScanner, type Scanner, type ScannerName } from '../../parts/scanners/index.ts';
import { type Signer, signStatementBy } from '../../parts/trust/index.ts';
import { readPredicate } from '../../shared/solutions/attestations/index.ts';
import { type ArchivePlace, openMedium } from '../../shared/solutions/media/index.ts';
import { type ScanSubject, type SubjectWithSbom, subjectSboms } from './sboms.ts';
import { vexOf } from './vex.ts';

export type {
  /** What an SBOM may be about: an image, or its manifest for one platform. */
  ScanSubject,
} from './sboms.ts';

/** What to scan, with what, and what to write. Paths are absolute. */
export interface ScanRequest {
  readonly archive: ArchivePlace;
  /** The first one on PATH, if it is absent. */
  readonly scanner?: ScannerName;
  /** The folder of the database of each scanner. */
  readonly databases: Readonly<Record<ScannerName, string>>;
  /** The greatest age of the database, in seconds. */
  readonly oldest: number;
  /** A file for SARIF. */
  readonly sarif?: string;
  /** A file for the verdict as a signed statement about the root, in a Sigstore bundle. */
  readonly attest?: { readonly path: string; readonly signer: Signer };
}

/** An image for one platform whose SBOM was scanned. */
export interface ScannedImage extends ScanSubject {
  /** The name of the attestation. */
  readonly sbom: string;
  /** The parts of the image that its SBOM does not cover: vulnerabilities there are unknown. */
  readonly unread: readonly string[];
  /** Documents of OpenVEX that travel with the image. */
  readonly vexDocuments: number;
  /** The worst first. */
  readonly vulnerabilities: readonly JudgedVulnerability[];
}

/** What a scan found. */
export interface ScanResult {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  readonly scanner: { readonly name: ScannerName; readonly version: string };
  /** `built` is in seconds since 1970. */
  readonly database: { readonly path: string; readonly built: number; readonly version?: string };
  readonly images: readonly ScannedImage[];
  /** What the archive has no SBOM of. */
  readonly unscanned: readonly ScanSubject[];
  /** The files that were written. */
  readonly sarif?: string;
  readonly attestation?: string;
}

/**
 * Has the SBOMs of an archive scanned for vulnerabilities by `grype` or `trivy`, without a network, and judges them by
 * the VEX that travels with the images. Throws `tool-missing`, `tool-failed`, `scan-database-outdated`,
 * `attestation-absent` where there is no SBOM, and what opening and writing throw.
 */
export async function scanArchive(request: ScanRequest, flow: Flow): Promise<ScanResult> {
  const inputs = localPaths([request.archive]);
  for (const output of [request.sarif, request.attest?.path]) {
    if (output !== undefined) await requireNoInput(output, inputs);
  }
  return lend(await openMedium(request.archive, flow), (archive) =>
    temporaryFolder(flow.host).then((folder) =>
      lend(folder, ({ path: home }) => scanOpened(archive, request, home, flow)),
    ),
  );
}

async function scanOpened(archive: Archive, request: ScanRequest, home: string, flow: Flow): Promise<ScanResult> {
  const { catalog, path } = archive;
  const { known, unknown } = subjectSboms(catalog);
  if (known.length === 0) {
    throw new SolpackError('attestation-absent', path, 'has no SBOM of an image', {
      hint: 'pack it with make-sboms = true ("solpack docs sbom")',
    });
  }
  const started = Date.now();
  const { databases, scanner: name } = request;
  const scanner = await openScanner({ ...(name ? { name } : {}), databases, home }, flow);
  const database = await usableDatabase(scanner, request, started);
  const images = await scanAll(known, archive, scanner, home, flow);
  const record = {
    tool: { name: scanner.name, version: scanner.version },
    database: { built: database.built * 1000, version: database.version },
    images: images.map((image) => ({ ...image, name: subjectName(image) })),
    unscanned: unknown.map(subjectName),
    started,
    finished: Date.now(),
  };
  const { sarif, attest } = request;
  if (sarif !== undefined) await writeFile(sarif, encodeSarif(record.tool, path, record.images));
  if (attest !== undefined)
    await writeFile(attest.path, await statementOf(catalog, encodeScan(record), attest.signer, flow));
  return {
    path,
    name: catalog.metadata.name,
    version: catalog.metadata.version,
    root: catalog.root.digest,
    scanner: { name: scanner.name, version: scanner.version },
    database,
    images,
    unscanned: unknown,
    ...(sarif === undefined ? {} : { sarif }),
    ...(attest === undefined ? {} : { attestation: attest.path }),
  };
}

/** Asks for the database before anything is scanned. Throws `tool-failed`, `scan-database-outdated`. */
async function usableDatabase(
  scanner: Scanner,
  { databases, oldest }: ScanRequest,
  now: number,
): Promise<ScanResult['database']> {
  const path = databases[scanner.name];
  const { built, fault, version } = await scanner.status();
  const hint = `get one where there is a network, and bring it here: ${scanner.update}`;
  if (fault !== undefined)
    throw new SolpackError('tool-failed', path, `${scanner.name} has no database there that it can use: ${fault}`, {
      hint,
    });
  if (built === undefined) {
    throw new SolpackError('scan-database-outdated', path, 'does not say when it was built', { hint });
  }
  const age = Math.floor((now - built) / 1000);
  if (age > oldest) {
    const day = new Date(built).toISOString().slice(0, 10);
    throw new SolpackError(
      'scan-database-outdated',
      path,
      `was built on ${day}: ${dayWords(age)} ago, more than ${dayWords(oldest)}`,
      {
        hint: `${hint}; --max-db-age accepts an older one`,
      },
    );
  }
  return { path, built: Math.floor(built / 1000), ...(version === undefined ? {} : { version }) };
}

function dayWords(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? '1 day' : `${days} days`;
}

async function scanAll(
  known: readonly SubjectWithSbom[],
  archive: Archive,
  scanner: Scanner,
  home: string,
  flow: Flow,
): Promise<ScannedImage[]> {
  const documents = new Map<CatalogImage, VexDocument[]>();
  const images: ScannedImage[] = [];
  for (const [at, one] of known.entries()) {
    flow.signal.throwIfAborted();
    const subject = subjectName(one);
    flow.onEvent({ type: 'step', step: 'scan', subject, number: at + 1, of: known.length });
    const bytes = await readPredicate(archive.source, one.sbom, flow.signal);
    const file = join(home, `sbom-${at + 1}.json`);
    await writeFile(file, bytes);
    const found = await scanner.scan(file);
    const vex = documents.get(one.image) ?? (await vexOf(one.image, archive, flow));
    documents.set(one.image, vex);
    const { image, sbom, ...rest } = one;
    const digests = [...new Set([one.digest, image.descriptor.digest])];
    const judged = found.map((vulnerability): JudgedVulnerability => {
      const verdict = judgeByVex(vulnerability, { reference: one.reference, digests }, vex);
      return verdict === undefined ? vulnerability : { ...vulnerability, vex: verdict };
    });
    images.push({
      ...rest,
      sbom: sbom.name,
      unread: unreadIn(bytes),
      vexDocuments: vex.length,
      vulnerabilities: sortedByHarm(judged),
    });
  }
  return images;
}

async function statementOf(
  { root, metadata }: Catalog,
  predicate: Uint8Array,
  signer: Signer,
  flow: Flow,
): Promise<Uint8Array> {
  const subject = { name: `${metadata.name}:${metadata.version}`, digest: root.digest };
  const hint = 'write the verdict as SARIF alone';
  const statement = await refused(
    'usage-invalid',
    '--attest',
    () => encodeStatement(subject, SCAN_PREDICATE, predicate),
    hint,
  );
  return signStatementBy(statement, signer, flow);
}

function subjectName({ reference, platform }: ScanSubject): string {
  return [reference, platform].filter((word) => word !== undefined).join(' ');
}
