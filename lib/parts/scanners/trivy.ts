import { parseTrivyReport, parseTrivyVersion } from '../../../formats/vulnerabilities/trivy.ts';
import type { ScannerKind } from './kind.ts';

const offline = ['--offline-scan', '--skip-db-update', '--skip-java-db-update', '--skip-version-check'] as const;

export const trivy: ScannerKind = {
  name: 'trivy',
  status: (database) => ({
    args: ['version', '--format', 'json', '--cache-dir', database],
    env: {},
    parse: parseTrivyVersion,
  }),
  scan: (database, sbom) => ({
    args: [
      'sbom',
      ...offline,
      '--quiet',
      '--cache-backend',
      'memory',
      '--format',
      'json',
      '--cache-dir',
      database,
      sbom,
    ],
    env: {},
    parse: parseTrivyReport,
  }),
  update: (database) => `trivy image --download-db-only --cache-dir ${database}`,
};
