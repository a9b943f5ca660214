import { encodeJson } from '../json.ts';
import type { SarifImage, SarifTool } from './sarif.ts';

/** The predicate type of the verdict of a scanner (in-toto attestation framework, "Vulns" v0.2). */
export const SCAN_PREDICATE = 'https://in-toto.io/attestation/vulns/v0.2';

/** A scan, for its attestation. */
export interface ScanRecord {
  readonly tool: SarifTool;
  /** Milliseconds since 1970. */
  readonly database: { readonly built: number; readonly version: string | undefined };
  readonly images: readonly SarifImage[];
  /** Images of which there was no SBOM. */
  readonly unscanned: readonly string[];
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly finished: number;
}

/** Encodes the verdict of a scan as the predicate of an attestation, of the type `SCAN_PREDICATE`. */
export function encodeScan({ tool, database, images, unscanned, started, finished }: ScanRecord): Uint8Array {
  return encodeJson({
    scanner: {
      uri: `pkg:generic/${tool.name}@${encodeURIComponent(tool.version)}`,
      version: tool.version,
      db: { version: database.version ?? '', lastUpdate: timeText(database.built) },
      result: images.flatMap(({ name, vulnerabilities }) =>
        vulnerabilities.map(({ id, severity, package: of, version, purl, fixedIn, vex }) => ({
          id,
          severity: [{ method: tool.name, score: severity }],
          annotations: [
            { image: name, package: purl ?? `${of}@${version}`, fixedIn, ...(vex === undefined ? {} : { vex }) },
          ],
        })),
      ),
      ...(unscanned.length === 0 ? {} : { unscanned }),
    },
    metadata: { scanStartedOn: timeText(started), scanFinishedOn: timeText(finished) },
  });
}

function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
