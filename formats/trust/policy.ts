import { isDigest } from '../digest.ts';
import { z } from '../schema.ts';
import { instantSchema } from '../solution/instant.ts';
import { type Bounds, boundsSchema } from './bounds.ts';

const keyId = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'has to be the id of a key: 64 hexadecimal digits, SHA-256 of its SubjectPublicKeyInfo');

const count = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const named = z.string().min(1, 'must not be empty');

const key = z.strictObject({
  id: keyId,
  pem: named.optional(),
  file: named.optional(),
  status: z.enum(['active', 'retired', 'revoked']).default('active'),
  notBefore: instantSchema.optional(),
  notAfter: instantSchema.optional(),
});

/** Limits how many days ahead of the time a Solution may be dated, unless a policy says otherwise. */
export const DAYS_AHEAD = 1;

const rule = z.strictObject({
  match: z.string().regex(/^[a-z0-9*-]{1,255}$/, 'has to be the name of a Solution, in which * stands for any letters'),
  keys: z.array(keyId).min(1, 'has to name a key'),
  threshold: count.default(1),
  minSequence: count.optional(),
  requirePredicates: z.array(named).default([]),
  maxDaysAhead: z.number().int().min(0).max(100_000).default(DAYS_AHEAD),
  movesTime: z.boolean().default(false),
  allow: boundsSchema.optional(),
});

const rotation = z.strictObject({
  keys: z.array(keyId).min(1, 'has to name a key'),
  threshold: count,
});

/** Accepts a policy, in TOML and in JSON. Fields that it does not name are refused. */
export const policySchema = z.strictObject({
  version: count,
  keys: z.array(key).min(1, 'has to have a key'),
  policies: z.array(rule).default([]),
  deny: z
    .array(z.string().refine((value) => isDigest(value) && value.startsWith('sha256:'), 'has to be a digest of a root'))
    .default([]),
  rotation: rotation.optional(),
});

/** Lists the names of fields, by the list or the field that has them; '' is the document itself. */
export const policyFields: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(policySchema.shape),
  keys: Object.keys(key.shape),
  policies: Object.keys(rule.shape),
  'policies.allow': Object.keys(boundsSchema.shape),
  rotation: Object.keys(rotation.shape),
};

/** Describes a key as a policy names it: by its PEM, or by a file that holds the PEM. */
export interface PolicyKeyEntry {
  /** SHA-256 of its SubjectPublicKeyInfo, in hexadecimal. */
  readonly id: string;
  readonly pem?: string | undefined;
  readonly file?: string | undefined;
  readonly status: 'active' | 'retired' | 'revoked';
  /** Seconds since 1970. */
  readonly notBefore?: number | undefined;
  /** Seconds since 1970. */
  readonly notAfter?: number | undefined;
}

/** Says what Solutions of some names need, and whose signatures count for them. */
export interface PolicyRule {
  /** The name of a Solution, in which `*` stands for any letters. */
  readonly match: string;
  /** Ids of the keys that count. */
  readonly keys: readonly string[];
  /** How many of them have to have signed. */
  readonly threshold: number;
  readonly minSequence?: number | undefined;
  /** The predicate types that an attestation is needed for. */
  readonly requirePredicates: readonly string[];
  /** How many days ahead of the time a Solution may be dated. */
  readonly maxDaysAhead: number;
  readonly movesTime: boolean;
  readonly allow?: Bounds | undefined;
}

/** Holds what a policy file says. */
export interface PolicyDocument {
  readonly version: number;
  readonly keys: readonly PolicyKeyEntry[];
  readonly policies: readonly PolicyRule[];
  /** Digests of roots that nobody may use. */
  readonly deny: readonly string[];
  /** Whose signatures a new policy needs. */
  readonly rotation?: { readonly keys: readonly string[]; readonly threshold: number } | undefined;
}
