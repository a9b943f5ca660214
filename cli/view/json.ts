import { z } from 'zod';
import { configureSchemas } from './json-configure.ts';
import { generationSchemas } from './json-generations.ts';
import { usedImages, writtenSchemas } from './json-images.ts';
import { mirrorSchemas } from './json-mirrors.ts';
import { mountSchemas } from './json-mount.ts';
import { installerFiles, objects, version } from './json-parts.ts';
import { plannedInstall } from './json-plan.ts';
import { presenceSchemas } from './json-presence.ts';
import { renderedSchemas } from './json-rendered.ts';
import { shellSchemas } from './json-shell.ts';
import { supportSchemas } from './json-support.ts';

const digest = z.string().regex(/^sha(?:256|512):[0-9a-f]+$/);
const size = z.number().int().nonnegative().describe('bytes');
const natural = z.number().int().nonnegative();
const keyId = z.string().describe("SHA-256 of the public key's SubjectPublicKeyInfo, in hexadecimal");
const instant = z.number().int().describe('seconds since 1970');

const siteChange = z.object({
  object: z.string().describe('Kind name, or Kind namespace/name'),
  change: z.enum(['added', 'removed', 'changed']),
  fields: z.array(z.string()).describe('of an object that was changed, with dots between names'),
});
const siteComponent = z.object({
  component: z.string(),
  values: z.array(z.string()).describe('the values that are set, with dots between names'),
  secrets: z.array(z.string()).describe('those of them that come from the environment or from files of their own'),
  patches: natural.describe('how many there are'),
  objects: z
    .array(siteChange)
    .optional()
    .describe('what the site changes; absent where nothing is rendered without it'),
});
const site = z.object({
  digest: digest.describe('of values and patches, and of where secrets come from; not of the secrets'),
  components: z.array(siteComponent).describe('what was rendered with it'),
});

const finding = z.object({ code: z.string(), subject: z.string(), message: z.string() });

const drawnValues = z
  .array(
    z.object({
      component: z.string(),
      object: z.string().describe('`Kind/namespace/name`'),
      paths: z.array(z.string()).describe('its drawn values, as `data.password`; empty where the object itself is'),
    }),
  )
  .describe('objects with values that are drawn at random, or by the clock, when they are rendered');

const closureFinding = z.object({
  code: z.string(),
  component: z.string(),
  source: z.string().optional().describe('a template of a chart, or FILE:LINE of a manifest'),
  object: z.string().optional().describe('Kind/namespace/name'),
  path: z.string().optional().describe('where in the object'),
  message: z.string(),
  kubernetes: z.array(z.string()).describe('the versions for which it is so; empty where it is so for all'),
});

/**
 * The shape of what each command prints with `--json`. `docs/schemas/` is made from it, and the types of it are what commands
 * may print; they load none of it, since that would delay their start.
 */
export const jsonSchemas = {
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
  pack: z.object({
    schemaVersion: version,
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
    drawn: drawnValues,
  }),
  images: z.object({ schemaVersion: version, images: usedImages }),
  check: z.object({
    schemaVersion: version,
    definition: z.string(),
    name: z.string(),
    version: z.string(),
    ok: z.boolean(),
    findings: z.array(closureFinding),
    images: usedImages,
    kubernetes: z
      .array(z.string())
      .describe("the versions that components were rendered for; empty where that is Helm's own"),
    unproved: z.array(z.string()).describe('components that only the node can render, of which nothing was proved'),
    drawn: drawnValues,
  }),
  ...renderedSchemas,
  ...generationSchemas,
  ...presenceSchemas,
  ...mirrorSchemas,
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
    closure: z
      .object({
        kubernetes: z
          .array(z.string())
          .describe('the versions for which it was proved; empty where that is the one that Helm takes by itself'),
      })
      .optional()
      .describe('that it holds all that its objects ask for, as it was proved when it was packed'),
    externalImages: z.array(z.string()).optional().describe('images that its objects use and that sites bring'),
    components: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        version: z.string().optional().describe('of the chart'),
        namespace: z.string().optional(),
        render: z.literal('install').optional().describe('only the node can render it'),
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
  }),
  ls: z.object({
    schemaVersion: version,
    path: z.string(),
    type: z.enum(['file', 'dir', 'symlink', 'other']),
    size,
    sha256: z.string().optional(),
    target: z.string().optional(),
  }),
  ...writtenSchemas,
  verify: z.object({
    schemaVersion: version,
    ok: z.boolean(),
    trusted: z.boolean().optional().describe('whether it is trusted; absent where nobody was named to trust'),
    name: z.string().optional(),
    version: z.string().optional(),
    root: digest,
    size,
    contentOnly: z.boolean().describe('whether contents alone were checked, and not the bytes between them'),
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
  }),
  keygen: z.object({
    schemaVersion: version,
    privatePath: z.string(),
    publicPath: z.string(),
    keyId,
    encrypted: z.boolean(),
  }),
  sign: z.object({
    schemaVersion: version,
    root: digest,
    keyId,
    slot: z.number().int().optional(),
    referrer: digest.optional().describe('the manifest of the signature in a registry'),
    already: z.boolean().describe('whether there was a valid signature of this key; then nothing was written'),
    attested: z.array(z.string()).describe('names of attestations that were signed as well'),
    output: z.string().optional(),
  }),
  ...mountSchemas,
  unsign: z.object({
    schemaVersion: version,
    root: digest,
    emptied: z.array(z.object({ slot: z.number().int(), keyId: keyId.optional() })),
    attestations: z
      .array(z.object({ name: z.string(), keyId: keyId.optional() }))
      .describe('attestations whose signatures were removed'),
  }),
  trust: z.object({
    schemaVersion: version,
    version: z.number().int().optional().describe('of the policy that was accepted'),
    path: z.string().optional().describe('where that is now'),
    signers: z.array(keyId).optional(),
    output: z.string().optional().describe('the signatures of a policy or a mend that was signed'),
    keyId: keyId.optional(),
    already: z.boolean().optional().describe('whether that signature was there before'),
    state: z.string().optional().describe('the folder that remembers, which was shown or mended'),
    clock: instant.optional().describe('of this machine, where it was shown'),
    time: instant.optional().describe('the clock, or later where a Solution that moves time for all proves it'),
    solutions: z
      .array(
        z.object({
          name: z.string(),
          sequence: z.number().int().optional().describe('the highest that was installed'),
          newest: instant.optional().describe('of a release that was installed'),
          movesTime: z.boolean().optional().describe('whether it moves time for all; absent where it was mended'),
          time: instant.optional().describe('what its end, and that of its keys, is compared with'),
        }),
      )
      .optional()
      .describe('what is remembered, of all or of those that were mended'),
    mends: z.array(digest).optional().describe('the mends that were applied here'),
  }),
  serve: z.union([
    z.object({ schemaVersion: version, url: z.string(), images: z.array(z.string()) }),
    z.object({ schemaVersion: version, runtime: z.string(), config: z.string() }).describe('with --print-config'),
  ]),
  install: z.object({
    schemaVersion: version,
    trust: z
      .enum(['policy', 'keys', 'skipped'])
      .describe('by what the archives are trusted; skipped: --insecure-skip-verify'),
    registry: z.string(),
    solutions: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        archive: z.string(),
        root: digest,
        signers: z.array(keyId),
        downgraded: z
          .boolean()
          .describe(
            'whether a higher sequence was installed before; or, without one, the cluster had a higher version',
          ),
        applied: z.array(z.string()).describe('files that were rendered, in order'),
        images: usedImages,
        objects,
        site: site.optional().describe('what the site sets for it; absent where that is nothing'),
      }),
    ),
    removed: z
      .array(z.object({ name: z.string(), version: z.string(), objects }))
      .describe('Solutions that the configuration brought to the cluster earlier, and no longer activates'),
    images: z.array(
      z.object({
        reference: z.string(),
        target: z.string().describe('the name by which nodes pull it, with its digest'),
      }),
    ),
    mirrors: z.array(z.string()).describe('hosts.toml files that were written; those that were right are not named'),
    tests: z
      .array(
        z.object({
          solution: z.string(),
          component: z.string(),
          object: z.string().describe('Kind namespace/name'),
          log: z.array(z.string()).describe('the last lines that it printed'),
        }),
      )
      .optional()
      .describe('tests of charts that have passed; only with --test'),
    generation: natural.optional().describe('the number of the generation that is in the cluster now'),
    moved: z.number().int(),
    movedBytes: size,
    present: z.number().int(),
    movedTags: z
      .array(z.object({ tag: z.string().describe('HOST[:PORT]/REPOSITORY:TAG'), from: digest, to: digest }))
      .describe('tags of the registry that stood for something else before'),
  }),
  'install-plan': plannedInstall,
  ...configureSchemas,
  ...supportSchemas,
  ...shellSchemas,
  load: z.object({
    schemaVersion: version,
    name: z.string().describe('the Solution that the tree was brought up as'),
    version: z.string().describe('made from the rendered objects: the same objects have the same version'),
    folder: z.string(),
    components: z
      .array(
        z.object({
          name: z.string(),
          folder: z.string(),
          kind: z.enum(['kustomize', 'plugin']),
          state: z.enum(['loaded', 'empty', 'failed']),
          objects: natural,
          reason: z.string().optional().describe('why it failed'),
        }),
      )
      .describe('in the order of application'),
    files: z.array(z.string()).describe('files that were rendered, in order'),
    objects,
    skipped: z.array(z.string()).describe('entries of the folder that are no components'),
  }),
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

/** A value that nobody changes, as results are. */
type Fixed<T> = T extends readonly (infer Item)[] ? readonly Fixed<Item>[] : T extends object ? FixedFields<T> : T;
type FixedFields<T> = { readonly [Key in keyof T]: Fixed<T[Key]> };

/** A shape without the version of its schema. */
type Unversioned<T> = T extends unknown ? Omit<T, 'schemaVersion'> : never;

/** The result of each command as `--json` prints it. */
export type JsonResults = {
  readonly [Command in keyof typeof jsonSchemas]: Fixed<Unversioned<z.infer<(typeof jsonSchemas)[Command]>>>;
};
