import { checked, parseJson } from '../json.ts';
import { listOf, z } from '../schema.ts';
import { severityOf, type Vulnerability } from './vulnerability.ts';

/** How many names and values a report may have. A match has some hundred of them. */
const PARTS = 2 ** 23;

/** What `grype db status -o json` prints of its database. */
const status = z.looseObject({
  built: z.string().optional(),
  valid: z.boolean().optional(),
  error: z.string().optional(),
  schemaVersion: z.union([z.string(), z.number()]).optional(),
});

const report = z.looseObject({
  matches: listOf(
    z.object({
      vulnerability: z.object({
        id: z.string(),
        severity: z.string().optional(),
        dataSource: z.string().optional(),
        fix: z.object({ versions: z.array(z.string()).nullish() }).nullish(),
      }),
      relatedVulnerabilities: z.array(z.object({ id: z.string() })).nullish(),
      artifact: z.object({ name: z.string(), version: z.string().optional(), purl: z.string().optional() }),
    }),
  ),
});

/** The database of a scanner, as the scanner describes it. */
export interface ScannerDatabase {
  /** When its content was built, in milliseconds since 1970; absent where it does not say. */
  readonly built?: number;
  /** Version of its schema. */
  readonly version?: string;
  /** Why the scanner would not use it; absent where it would. */
  readonly fault?: string;
}

/** Reads what `grype db status -o json` prints. Throws `FormatError` `json-invalid`. */
export function parseGrypeStatus(bytes: Uint8Array): ScannerDatabase {
  const { built, valid, error, schemaVersion } = checked(
    parseJson(bytes, 'json-invalid', 'the status of the database'),
    status,
    'json-invalid',
    'the status of the database',
  );
  const fault = error || (valid === false ? 'grype says that it is not valid' : undefined);
  return {
    ...builtAt(built),
    ...(schemaVersion === undefined ? {} : { version: String(schemaVersion) }),
    ...(fault ? { fault } : {}),
  };
}

/** Reads a time as JSON has it. Go writes the year 1 where it knows none. */
export function builtAt(text: string | undefined): { readonly built?: number } {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) || at <= 0 ? {} : { built: at };
}

/** Reads the report that `grype -o json` prints. Throws `FormatError` `json-invalid`. */
export function parseGrypeReport(bytes: Uint8Array): Vulnerability[] {
  const value = parseJson(bytes, 'json-invalid', 'the report of grype', PARTS);
  const { matches } = checked(value, report, 'json-invalid', 'the report of grype');
  return matches.map(({ vulnerability: { id, severity = '', dataSource, fix }, relatedVulnerabilities, artifact }) => ({
    id,
    aliases: [...new Set((relatedVulnerabilities ?? []).map((one) => one.id))].filter((one) => one !== id).sort(),
    severity: severityOf(severity),
    package: artifact.name,
    version: artifact.version ?? '',
    ...(artifact.purl ? { purl: artifact.purl } : {}),
    fixedIn: fix?.versions ?? [],
    ...(dataSource ? { url: dataSource } : {}),
  }));
}
