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
    // A database that it would not use is told by the code, and in the output why.
    mayFail: true,
  }),
  scan: (database, sbom) => ({
    args: [`sbom:${sbom}`, '-q', '-o', 'json'],
    env: { ...settings, GRYPE_DB_CACHE_DIR: database },
    parse: parseGrypeReport,
  }),
  update: (database) => `GRYPE_DB_CACHE_DIR=${database} grype db update`,
};
