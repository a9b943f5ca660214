import { z } from 'zod';
import { digest, natural, version } from './json-parts.ts';

const subject = {
  reference: z.string(),
  platform: z.string().optional().describe('absent where the image has no index that names it'),
  digest,
};

const vulnerability = z.object({
  id: z.string(),
  aliases: z.array(z.string()),
  severity: z.enum(['unknown', 'negligible', 'low', 'medium', 'high', 'critical']),
  package: z.string(),
  version: z.string(),
  purl: z.string().optional(),
  fixedIn: z.array(z.string()).describe('versions without it; empty where none is known'),
  url: z.string().optional(),
  vex: z
    .object({ status: z.enum(['not_affected', 'fixed']), reason: z.string().optional() })
    .optional()
    .describe('why it does not count, by OpenVEX that travels with the image; absent where it counts'),
});

/** What `scan` prints. */
export const scanSchemas = {
  scan: z.object({
    schemaVersion: version,
    path: z.string(),
    name: z.string(),
    version: z.string(),
    root: digest,
    scanner: z.object({ name: z.enum(['grype', 'trivy']), version: z.string() }),
    database: z.object({
      path: z.string(),
      built: z.number().int().describe('seconds since 1970'),
      version: z.string().optional().describe('of its schema'),
    }),
    images: z.array(
      z.object({
        ...subject,
        sbom: z.string().describe('the attestation that was scanned'),
        unread: z.array(z.string()).describe('what the SBOM says was not read in the image'),
        vexDocuments: natural.describe('documents of OpenVEX that travel with the image'),
        vulnerabilities: z.array(vulnerability).describe('the worst first'),
      }),
    ),
    unscanned: z.array(z.object(subject)).describe('what the archive has no SBOM of'),
    sarif: z.string().optional().describe('the file that was written'),
    attestation: z.string().optional().describe('the file that was written'),
  }),
};
