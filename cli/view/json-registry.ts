import { z } from 'zod';
import { digest, lackedBefore, natural, version } from './json-parts.ts';

const written = z.object({
  schemaVersion: version,
  path: z.string(),
  carrier: z.enum(['iso', 'tar']),
  name: z.string(),
  version: z.string(),
  root: digest,
  size: natural.describe('bytes of the archive'),
  delta: lackedBefore,
  whole: z
    .array(z.object({ digest, size: natural, reason: z.string() }))
    .optional()
    .describe(
      'layers that no older archive has and that it has whole, and why; absent where none was to be made of older ones',
    ),
});

/** What `serve`, `push`, `pull`, `delta` and `merge` print. */
export const registrySchemas = {
  serve: z.union([
    z.object({ schemaVersion: version, url: z.string(), images: z.array(z.string()) }),
    z.object({ schemaVersion: version, runtime: z.string(), config: z.string() }).describe('with --print-config'),
  ]),
  push: z.object({
    schemaVersion: version,
    reference: z.string().describe('where the Solution is now: repository, tag where it has one, digest'),
    name: z.string(),
    version: z.string(),
    root: digest,
    signatures: natural.describe('signatures of the archive, which are referrers of the root now'),
    attestations: natural.describe('signed attestations, which are referrers of what they are about now'),
    names: z
      .array(z.object({ reference: z.string(), digest }))
      .describe('images and charts that have names of their own now (--expand)'),
    moved: natural.describe('contents that were sent'),
    movedBytes: natural.describe('bytes of these'),
    present: natural.describe('contents that the registry had'),
  }),
  delta: written,
  merge: written,
  pull: z.object({
    schemaVersion: version,
    path: z.string(),
    carrier: z.enum(['iso', 'tar']),
    reference: z.string(),
    name: z.string(),
    version: z.string(),
    root: digest,
    size: natural.describe('bytes of the archive'),
    signatures: natural.describe('signatures in the slots of the archive'),
    attestations: natural.describe('attestations in it that are signed'),
    moved: natural.describe('contents that were fetched'),
    movedBytes: natural.describe('bytes of these'),
    present: natural.describe('contents that an earlier run had fetched'),
  }),
} as const;
