import { utf8 } from '../../../../../../formats/bytes.ts';
import type { Digest } from '../../../../../../formats/digest.ts';
import { z } from '../../../../../../formats/schema.ts';
import { componentKinds } from '../../../../../../formats/solution/component-kinds.ts';
import type { Generation } from '../../../generation.ts';

/** What is stored of a generation, apart from its objects. */
export interface GenerationHeader extends Generation {
  /** Digest of its content. */
  readonly content: Digest;
  /** The holder of the Lease under which it was made. */
  readonly holder: string;
}

const digest = z.custom<Digest>((value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value));
const optional = z.string().optional();

const image = z.object({
  reference: z.string(),
  digest,
  at: z.object({ scheme: z.enum(['http', 'https']), registry: z.string(), repository: z.string() }).optional(),
  on: z.object({ host: z.string(), way: z.string(), place: z.string(), form: z.string().optional() }).optional(),
});

const release = z
  .object({
    sequence: z.number().int().positive().optional(),
    created: z.number().int(),
    expires: z.number().int().optional(),
    predicates: z.array(z.string()),
    components: z.array(z.object({ name: z.string(), kind: z.enum(componentKinds) })),
    otherImages: z.array(z.string()),
  })
  .transform(({ sequence, expires, ...rest }) => ({
    ...rest,
    ...(sequence === undefined ? {} : { sequence }),
    ...(expires === undefined ? {} : { expires }),
  }));

const solution = z
  .object({
    name: z.string(),
    version: z.string(),
    root: optional,
    site: optional,
    signers: z.array(z.string()),
    archive: optional,
    images: z.array(image),
    // One that another version has written in another form is not known: a generation is there all the same.
    release: release.optional().catch(undefined),
    migrated: z.array(z.string()).optional(),
  })
  .transform(({ root, site, archive, images, release: recorded, migrated, ...rest }) => ({
    ...rest,
    root,
    site,
    archive,
    images: images.map(({ at, on, ...one }) => ({ ...one, ...(at && { at }), ...(on && { on }) })),
    ...(recorded && { release: recorded }),
    ...(migrated && { migrated }),
  }));

const named = { name: z.string(), version: z.string() };
const range = z.string();

const resolution = z.object({
  solutions: z.array(
    z.object({
      ...named,
      why: z.enum(['wanted', 'required', 'recommended']),
      reason: z.string(),
      passedOver: z.array(z.string()),
      needs: z.array(
        z.object({ kind: z.enum(['requires', 'any-of', 'recommends']), name: z.string(), range, by: z.string() }),
      ),
      outside: z
        .array(
          z.object({
            kind: z.enum(['requires', 'any-of', 'recommends']),
            name: z.string(),
            range,
            version: z.string(),
            by: z.string(),
          }),
        )
        .optional(),
    }),
  ),
  installed: z.array(z.object({ ...named, configuration: z.string() })),
  unmet: z.array(z.object({ of: z.string(), name: z.string(), range })),
  replaced: z.array(z.object({ name: z.string(), by: z.string() })),
  heldBack: z.array(z.object({ ...named, reason: z.string() })),
});

const header = z
  .object({
    number: z.number().int().positive(),
    at: z.iso.datetime(),
    ended: z.iso.datetime().optional(),
    by: z.string(),
    host: z.string(),
    state: z.enum(['applying', 'ready', 'failed', 'interrupted']),
    reason: optional,
    cause: z.enum(['install', 'rollback', 'uninstall']),
    of: z.number().int().positive().optional(),
    configuration: optional,
    solutions: z.array(solution),
    resolution: resolution.optional().catch(undefined),
    content: digest,
    holder: z.string(),
  })
  .transform(
    ({ reason, of, configuration, ended, resolution: why, ...rest }): GenerationHeader => ({
      ...rest,
      ...(why && { resolution: why }),
      ...(ended === undefined ? {} : { ended }),
      reason,
      of,
      configuration,
    }),
  );

/** Writes a header as bytes. */
export function formatHeader(value: GenerationHeader): Uint8Array {
  return utf8(JSON.stringify(value));
}

/** Reads a header; undefined where the bytes are none. */
export function parseHeader(bytes: Uint8Array): GenerationHeader | undefined {
  try {
    return header.safeParse(JSON.parse(Buffer.from(bytes).toString())).data;
  } catch {
    return undefined;
  }
}
