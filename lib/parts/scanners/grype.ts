import { parseGrypeReport, parseGrypeStatus } from '../../../formats/vulnerabilities/grype.ts';
import type { ScannerKind } from './kind.ts';

/** The age of the database is for solpack to judge, and nothing is fetched. */
const settings = {
  GRYPE_DB_AUTO_UPDATE: 'false',
  GRYPE_DB_REQUIRE_UPDATE_CHECK: 'false',
  GRYPE_DB_VALIDATE_AGE: 'false',
  GRYPE_CHECK_FOR_APP_UPDATE: 'false',
} as const;

export const grype: ScannerKind = {
  name: 'grype',
  status: (database) => ({
    args: ['db', 'status', '-o', 'json'],
    env: { ...settings, GRYPE_DB_CACHE_DIR: database },
    parse: parseGrypeStatus,
    // If it would not use the database, its exit code says so, and its output says why.
    mayFail: true,
  }),
  scan: (database, sbom) => ({
    args: [`sbom:${sbom}`, '-q', '-o', 'json'],
    env: { ...settings, GRYPE_DB_CACHE_DIR: database },
    parse: parseGrypeReport,
  }),
  update: (database) => `GRYPE_DB_CACHE_DIR=${database} grype db update`,
};
