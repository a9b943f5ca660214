import { z } from 'zod';
import { usedImages } from './json-images.ts';
import { digest, size } from './json-parts.ts';

const version = z.literal(1).describe('of this schema; fields may be added without raising it');
const side = z.object({ path: z.string(), name: z.string(), version: z.string() });
const namedObject = z.object({
  component: z.string(),
  object: z.string().describe('Kind name, or Kind namespace/name'),
});

const diffFields = {
  same: z.boolean(),
  from: side,
  to: side,
  kubernetes: z
    .string()
    .optional()
    .describe("the version that both were rendered for; absent where that is Helm's own"),
  images: z.object({
    added: z.array(z.object({ reference: z.string(), digest })),
    removed: z.array(z.object({ reference: z.string(), digest })),
    changed: z.array(z.object({ reference: z.string(), from: digest, to: digest })),
  }),
  layers: z.object({
    shared: size.describe('bytes of layers and configs that both have'),
    new: size.describe('bytes that only the newer one has'),
    gone: size.describe('bytes that only the older one has'),
  }),
  installer: z
    .object({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      changed: z.array(z.object({ path: z.string(), from: digest, to: digest })),
    })
    .describe('programs and keys in bin/; empty where one of the two is a definition'),
  objects: z.object({
    added: z.array(namedObject),
    removed: z.array(namedObject),
    changed: z.array(
      namedObject.extend({
        fields: z.array(
          z.object({
            path: z.string().describe('entries of a list by their name in brackets, or by their number'),
            from: z.unknown().optional().describe('absent where the field was not there, or may be secret'),
            to: z.unknown().optional().describe('absent where the field is gone, or may be secret'),
          }),
        ),
      }),
    ),
  }),
  definitions: z
    .array(
      z.object({
        definition: z.string(),
        version: z.string().optional(),
        path: z.string().describe('the field; empty where it is about all'),
        message: z.string(),
      }),
    )
    .describe('CustomResourceDefinitions that break stored objects'),
  rights: z
    .array(
      z.object({
        subject: z.string().describe('ServiceAccount namespace/name, User or Group, or a role that nobody is bound to'),
        namespace: z.string().describe('* is everywhere'),
        verb: z.string(),
        group: z.string(),
        resource: z.string(),
        name: z.string().describe('* is all'),
      }),
    )
    .describe('that are asked for in addition'),
  unproved: z.array(z.string()).describe('components that only the node can render, which are not compared'),
};

/** The shapes of what `render`, `diff` and `update` print with `--json`. */
export const renderedSchemas = {
  render: z.object({
    schemaVersion: version,
    path: z.string(),
    name: z.string(),
    version: z.string(),
    kubernetes: z.string().optional().describe("the version that it was rendered for; absent where that is Helm's own"),
    components: z
      .array(
        z.object({ name: z.string(), objects: z.array(z.looseObject({ apiVersion: z.string(), kind: z.string() })) }),
      )
      .describe('in the order of application'),
    unproved: z.array(z.string()).describe('components that only the node can render, which are left out'),
    missing: z
      .array(z.object({ image: z.string(), component: z.string() }))
      .describe('images that objects use and that the Solution does not hold'),
    images: usedImages,
    files: z.array(z.string()).describe('files that were written, in order'),
  }),
  diff: z.object({ schemaVersion: version, ...diffFields }),
  update: z.object({
    schemaVersion: version,
    definition: z.string(),
    same: z.boolean().describe('whether nothing is newer'),
    inputs: z
      .array(
        z.object({
          kind: z.enum(['component', 'image']),
          name: z.string().describe('of the component; or the reference of the image, before it is raised'),
          change: z
            .enum(['raised', 'replaced', 'moved', 'added', 'removed', 'none'])
            .describe(
              '`raised`: it gets a higher version; `replaced`: it gets another version, which is not known to be higher; `moved`: its version stays, and stands for other content now; `added`: solution.lock has not named it; `removed`: nothing names it any longer; `none`: it stays as it is',
            ),
          from: z.string().optional().describe('the version or the tag that it has; absent where it has none'),
          to: z.string().optional().describe('the version or the tag that it gets; absent where it has none'),
          fromDigest: digest.optional().describe('in solution.lock until now'),
          toDigest: digest.optional().describe('of what is there now'),
          beyond: z.string().optional().describe('a newer version that the bounds keep out'),
          reason: z.string().optional().describe('why it stays, or what decides about it'),
        }),
      )
      .describe('components, then images'),
    written: z.array(z.string()).describe('the files that were written'),
    diff: z
      .object(diffFields)
      .optional()
      .describe('absent if nothing is newer, and if what solution.lock names can no longer be fetched'),
  }),
} as const;
