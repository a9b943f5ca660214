import { z } from 'zod';
import { usedImages } from './json-images.ts';
import { digest, keyId, lackedBefore, size, version } from './json-parts.ts';

const drawnValues = z
  .array(
    z.object({
      component: z.string(),
      object: z.string().describe('`Kind/namespace/name`'),
      paths: z.array(z.string()).describe('its drawn values, as `data.password`; empty where the object itself is'),
    }),
  )
  .describe('objects with values that are random, or depend on the clock, when they are rendered');

const unusedImages = z
  .array(z.string())
  .describe('images that the definition lists without keep, and that no component names');

const closureFinding = z.object({
  code: z.string(),
  component: z.string().describe('empty where it is about none'),
  source: z.string().optional().describe('a template of a chart, or FILE:LINE of a manifest'),
  object: z.string().optional().describe('Kind/namespace/name'),
  path: z.string().optional().describe('where in the object'),
  message: z.string(),
  image: z.string().optional().describe('the image that is lacking; absent of other findings'),
  unused: z.string().optional().describe('the image that no component names; absent of other findings'),
  kubernetes: z.array(z.string()).describe('the versions for which it is so; empty where it is so for all'),
});

/** What `init`, `check`, `images` and `pack` print: a definition and what is made of it. */
export const definitionSchemas = {
  init: z.object({
    schemaVersion: version,
    path: z.string().describe('the definition'),
    name: z.string(),
    components: z.array(z.object({ name: z.string(), kind: z.string(), path: z.string() })),
    images: z.array(z.object({ reference: z.string(), source: z.string() })),
    left: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .describe('files and folders that it does not name'),
  }),
  check: z.object({
    schemaVersion: version,
    definition: z.string(),
    name: z.string(),
    version: z.string(),
    ok: z.boolean(),
    findings: z.array(closureFinding),
    images: usedImages,
    unused: unusedImages,
    kubernetes: z
      .array(z.string())
      .describe("the versions that components were rendered for; empty where that is Helm's own"),
    unproved: z
      .array(z.string())
      .describe('components that only the node can render, so that nothing about them was proven'),
    drawn: drawnValues,
  }),
  images: z.object({ schemaVersion: version, images: usedImages, unused: unusedImages }),
  pack: z.object({
    schemaVersion: version,
    delta: lackedBefore,
    path: z.string(),
    carrier: z.enum(['iso', 'tar']),
    name: z.string(),
    version: z.string(),
    root: digest,
    size,
    images: z.number().int(),
    components: z.number().int(),
    installer: z.array(z.string()).optional().describe('the platforms that programs in bin/ are for'),
    keyId: keyId.optional(),
    unused: unusedImages,
    drawn: drawnValues,
  }),
} as const;
