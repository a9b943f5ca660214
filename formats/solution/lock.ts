import { stringify } from '@iarna/toml';
import { utf8 } from '../bytes.ts';
import { decodeToml } from '../document/toml.ts';
import { digestSchema as digest } from '../oci/descriptor.ts';
import { z } from '../schema.ts';
import { upgradeField } from './upgrade.ts';

const referrer = z.strictObject({
  /** The manifest that it is about. */
  subject: digest,
  /** The tag that it is known by, where its manifest names no subject. */
  tag: z.string().optional(),
  mediaType: z.string(),
  digest,
});

const source = z.strictObject({
  /** As the definition, a chart or a kustomization names it. */
  address: z.string(),
  /** The version or range that is named there. */
  range: z.string().optional(),
  /** The version that was chosen, or the commit. */
  version: z.string().optional(),
  /** The channel of a catalog that is named there. */
  channel: z.string().optional(),
  /** Where the file was, if that is not the address. */
  url: z.string().optional(),
  /** Of a bundle of a catalog: over which versions it may be installed. */
  upgrade: upgradeField,
  digest,
});

const lock = z.strictObject({
  lockVersion: z.literal(1),
  created: z.number().int(),
  root: digest,
  images: z
    .array(
      z.strictObject({
        reference: z.string(),
        source: z.string(),
        mediaType: z.string(),
        digest,
        platforms: z.array(z.string()),
        select: z.literal('index').optional(),
        referrers: z.array(referrer).optional(),
      }),
    )
    .default([]),
  components: z
    .array(
      z.strictObject({
        name: z.string(),
        kind: z.string(),
        digest,
        /** What each file had: the first digits of its SHA-256, `+x` if it is executable, a space, and its path. */
        files: z.array(z.string().regex(/^[0-9a-f]{16}(?:\+x)? ./s, 'no digits and path')).optional(),
        /** What `encodeProof` wrote of it. */
        proof: z.string().optional(),
      }),
    )
    .default([]),
  /** What was fetched for components. */
  sources: z.array(source).optional(),
  /** Files with SBOMs that the definition names. */
  sboms: z.array(z.strictObject({ path: z.string(), digest })).optional(),
  /** Whether the archive has what the importer of MetalK8s asks for. Left out: it has not. */
  metalk8s: z.literal(true).optional(),
  /** The files of the installer that is included, by their paths in the archive. */
  installer: z.array(z.strictObject({ path: z.string(), digest })).optional(),
});

/** Holds what `solution.lock` says: every input of a pack, resolved to a digest. */
export type Lock = z.infer<typeof lock>;

/** Describes one image of a lock. */
export type LockedImage = Lock['images'][number];

/** Describes one component of a lock. */
export type LockedComponent = Lock['components'][number];

/** Describes something that was fetched for a component. */
export type LockedSource = NonNullable<Lock['sources']>[number];

const preface = `# Written by "solpack pack": every input of solution.toml, resolved to a digest.
# Keep it under version control. "solpack pack" renews what was edited, "solpack pack --update" the images too.

`;

/** Writes a lock as the bytes of `solution.lock`. */
export function encodeLock(value: Lock): Uint8Array {
  // What is optional is left out where it is undefined, which the types of the writer do not know.
  return utf8(preface + stringify(lock.parse(value) as Parameters<typeof stringify>[0]));
}

/**
 * Writes a lock without the lines of the root and of proofs, as `grep -vE '^(root|proof) = ' solution.lock` prints it.
 * The root can name the digest of these bytes; it cannot name that of the whole lock, which holds the digest of the
 * root. Proofs are left out, because what a component becomes is known by its digest.
 */
export function encodeLockInputs(value: Omit<Lock, 'root'>): Uint8Array {
  const whole = Buffer.from(encodeLock({ ...value, root: `sha256:${'0'.repeat(64)}` })).toString();
  return utf8(whole.replace(/^(?:root|proof) = .*\n/gm, ''));
}

/**
 * Reads `solution.lock`. Throws `FormatError` `toml-invalid` with position and field of the first thing that is wrong.
 */
export function parseLock(bytes: Uint8Array): Lock {
  return decodeToml(bytes, lock, 'lock');
}
