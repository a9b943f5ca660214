import { z } from 'zod';
import { checkedMedium, inspectedMedium } from './json-media.ts';
import { completedDelta, digest, installerFiles, keyId, lackedBefore, size, version } from './json-parts.ts';

const ranges = z
  .record(z.string(), z.string())
  .describe('ranges of versions, by the names of Solutions or capabilities');

const relations = z.object({
  requires: ranges.optional(),
  anyOf: z.array(ranges).optional().describe('of each list, at least one has to be there'),
  recommends: ranges.optional(),
  provides: z.record(z.string(), z.string()).optional().describe('versions, by the names of capabilities'),
  exclusive: z.array(z.string()).optional().describe('those that nothing else may provide'),
  conflicts: ranges.optional(),
  replaces: ranges.optional(),
});

const bound = {
  from: z.string().optional().describe('a range of versions; left out: any'),
  skips: z.array(z.string()).optional().describe('further versions, through which no upgrade passes'),
};

const upgrade = z.object({
  ...bound,
  provides: z.record(z.string(), z.object(bound)).optional().describe('the same by the names of capabilities'),
});

const readyProbe = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string().optional(),
  selector: z.record(z.string(), z.string()).optional().describe('labels of the objects, where it has no name'),
  namespace: z.string().optional(),
  cel: z.string().optional(),
  condition: z.string().optional().describe('Type, or Type=Status'),
});

const readyEndpoint = z.object({
  http: z.string().optional().describe('SERVICE/PORT/PATH'),
  https: z.string().optional().describe('SERVICE/PORT/PATH'),
  tcp: z.string().optional().describe('SERVICE/PORT'),
  namespace: z.string().optional(),
});

const finding = z.object({ code: z.string(), subject: z.string(), message: z.string() });

/** What `inspect`, `ls` and `verify` print of an archive. */
export const archiveSchemas = {
  inspect: z.object({
    schemaVersion: version,
    path: z.string(),
    name: z.string(),
    version: z.string(),
    description: z.string().optional(),
    root: digest,
    carrier: z.enum(['iso', 'tar', 'folder', 'registry']),
    size: size.describe('bytes of the archive; in a registry, of all that the Solution consists of'),
    sequence: z.number().int().optional().describe('rises with each release'),
    created: z.number().int().describe('seconds since 1970'),
    expires: z.number().int().optional().describe('seconds since 1970; from then on it is not installed'),
    kubernetes: z.string().optional().describe('the range of versions that it is for'),
    relations: relations.optional().describe('what it requires of other Solutions, and provides to them'),
    upgrade: upgrade.optional().describe('over which versions of it, and of what it provides, it may be installed'),
    closure: z
      .object({
        kubernetes: z
          .array(z.string())
          .describe('the versions for which it was proved; empty where that is the one that Helm takes by itself'),
      })
      .optional()
      .describe('that it holds everything that its objects need, as it was proved when it was packed'),
    externalImages: z.array(z.string()).optional().describe('images that its objects use and that sites provide'),
    components: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        version: z.string().optional().describe('of the chart'),
        namespace: z.string().optional(),
        render: z.literal('install').optional().describe('only the node can render it'),
        ready: z
          .array(readyProbe)
          .optional()
          .describe('further conditions of its readiness, besides that its objects are ready'),
        endpoints: z.array(readyEndpoint).optional().describe('endpoints of Services that have to answer until then'),
        size,
      }),
    ),
    images: z.array(
      z.object({
        reference: z.string(),
        digest,
        mediaType: z.string(),
        size: size.describe('bytes of all that the image consists of'),
        platforms: z.array(z.string()),
        absent: z
          .array(z.object({ digest, platform: z.string() }))
          .describe('children of its index that were left out'),
        referrers: z
          .array(
            z.object({
              digest,
              subject: digest,
              artifactType: z.string().optional(),
              tag: z.string().optional().describe('where its manifest names no subject'),
            }),
          )
          .describe('signatures, SBOMs and attestations'),
      }),
    ),
    installer: installerFiles,
    sharedBytes: size.describe('bytes that are stored once but belong to several images'),
    signatures: z.array(z.object({ slot: z.number().int(), algorithm: z.string(), keyId })),
    signatureSlots: z.number().int(),
    attestations: z
      .array(
        z.object({
          name: z.string(),
          predicateType: z.string(),
          subject: digest.describe('the root, or a manifest of an image'),
          reference: z.string().optional().describe('of the image; absent where it is about the Solution'),
          digest: digest.describe('of the predicate'),
          size: size.describe('bytes of the predicate'),
          signed: z
            .boolean()
            .optional()
            .describe(
              'whether its statement is; absent where an archive on a server has many, and they were not looked at',
            ),
          keyId: keyId.optional().describe('the key that the signed statement names'),
        }),
      )
      .describe('what the archive says about the Solution and its images'),
    medium: inspectedMedium,
    delta: lackedBefore,
  }),
  ls: z.object({
    schemaVersion: version,
    path: z.string(),
    type: z.enum(['file', 'dir', 'symlink', 'other']),
    size,
    sha256: z.string().optional(),
    target: z.string().optional(),
  }),
  verify: z.object({
    schemaVersion: version,
    ok: z.boolean(),
    trusted: z.boolean().optional().describe('whether it is trusted; absent if neither keys nor a policy were given'),
    name: z.string().optional(),
    version: z.string().optional(),
    root: digest,
    size,
    contentOnly: z.boolean().describe('whether only contents were checked, not the bytes between them'),
    signers: z.array(keyId),
    attestations: z.array(
      z.object({
        name: z.string(),
        predicateType: z.string(),
        subject: digest.describe('the root, or a manifest of an image'),
        signature: z
          .enum(['none', 'valid', 'unknown', 'invalid'])
          .describe('of its statement; unknown: by a key that was not given, so that it was not checked'),
        keyId: keyId.optional(),
      }),
    ),
    findings: z.array(finding),
    medium: checkedMedium,
    delta: completedDelta,
  }),
} as const;
