import { checked, parseJson } from '../json.ts';
import { listOf, z } from '../schema.ts';
import { builtAt, type ScannerDatabase } from './grype.ts';
import { severityOf, type Vulnerability } from './vulnerability.ts';

/** How many names and values a report may have. */
const PARTS = 2 ** 23;

const versions = z.looseObject({
  VulnerabilityDB: z.object({ Version: z.number().optional(), UpdatedAt: z.string().optional() }).nullish(),
});

const report = z.looseObject({
  Results: listOf(
    z.object({
      Vulnerabilities: listOf(
        z.object({
          VulnerabilityID: z.string(),
          VendorIDs: z.array(z.string()).nullish(),
          PkgName: z.string(),
          PkgIdentifier: z.object({ PURL: z.string().optional() }).nullish(),
          InstalledVersion: z.string().optional(),
          FixedVersion: z.string().optional(),
          Severity: z.string().optional(),
          PrimaryURL: z.string().optional(),
        }),
      ).nullish(),
    }),
  ).nullish(),
});

/** Reads what `trivy version --format json` prints of its database. Throws `FormatError` `json-invalid`. */
export function parseTrivyVersion(bytes: Uint8Array): ScannerDatabase {
  const what = 'the version of trivy';
  const { VulnerabilityDB } = checked(parseJson(bytes, 'json-invalid', what), versions, 'json-invalid', what);
  if (!VulnerabilityDB) return { fault: 'there is none' };
  const { UpdatedAt, Version } = VulnerabilityDB;
  return { ...builtAt(UpdatedAt), ...(Version === undefined ? {} : { version: String(Version) }) };
}

/** Reads the report that `trivy sbom --format json` prints. Throws `FormatError` `json-invalid`. */
export function parseTrivyReport(bytes: Uint8Array): Vulnerability[] {
  const what = 'the report of trivy';
  const { Results } = checked(parseJson(bytes, 'json-invalid', what, PARTS), report, 'json-invalid', what);
  return (Results ?? []).flatMap(({ Vulnerabilities }) =>
    (Vulnerabilities ?? []).map((one) => ({
      id: one.VulnerabilityID,
      aliases: [...new Set(one.VendorIDs ?? [])].filter((id) => id !== one.VulnerabilityID).sort(),
      severity: severityOf(one.Severity ?? ''),
      package: one.PkgName,
      version: one.InstalledVersion ?? '',
      ...(one.PkgIdentifier?.PURL ? { purl: one.PkgIdentifier.PURL } : {}),
      fixedIn: (one.FixedVersion ?? '').split(', ').filter((version) => version !== ''),
      ...(one.PrimaryURL ? { url: one.PrimaryURL } : {}),
    })),
  );
}
