import { z } from '../schema.ts';
import { instantSchema } from '../solution/instant.ts';
import { type Bounds, boundsSchema } from './bounds.ts';

const keyId = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'has to be the id of a key: 64 hexadecimal digits, SHA-256 of its SubjectPublicKeyInfo');

const count = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const named = z.string().min(1, 'must not be empty');

/** Where a policy may have a key: it has to have it in one of these. */
export const keyPlaces = ['pem', 'file'] as const;

const key = z
  .strictObject({
    id: keyId.describe('SHA-256 of its SubjectPublicKeyInfo, in hexadecimal.'),
    pem: named.optional().describe('The public key.'),
    file: named.optional().describe('A file beside the policy that holds the public key.'),
    status: z
      .enum(['active', 'retired', 'revoked'])
      .default('active')
      .describe(
        'active: it is valid. retired: it is valid for Solutions created until its notAfter. revoked: it is never valid.',
      ),
    notBefore: instantSchema.optional().describe('Date and time, with offset, from which an active key is valid.'),
    notAfter: instantSchema.optional().describe('Date and time, with offset, until which an active key is valid.'),
  })
  .meta({ oneOf: keyPlaces.map((place) => ({ required: [place] })) });

/** Limits how many days ahead of the time a Solution may be dated, unless a policy says otherwise. */
export const DAYS_AHEAD = 1;

const rule = z.strictObject({
  match: z
    .string()
    .regex(/^[a-z0-9*-]{1,255}$/, 'has to be the name of a Solution, in which * matches any letters')
    .describe('The name of a Solution; * matches any letters. The first rule that matches decides.'),
  keys: z.array(keyId).min(1, 'has to name a key').describe('Ids of the keys that count.'),
  threshold: count.default(1).describe('How many different keys have to have signed.'),
  minSequence: count.optional().describe('The lowest sequence that is accepted.'),
  requirePredicates: z
    .array(named)
    .default([])
    .describe('Predicate types of required attestations, about the Solution or about each of its images.'),
  maxDaysAhead: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(DAYS_AHEAD)
    .describe('How many days ahead of the time a Solution may be dated.'),
  movesTime: z
    .boolean()
    .default(false)
    .describe('Whether dates of its Solutions advance the proven time for all Solutions, or only for themselves.'),
  allow: boundsSchema.optional().describe('The bounds of its Solutions, whoever has signed them.'),
});

const rotation = z.strictObject({
  keys: z.array(keyId).min(1, 'has to name a key').describe('Ids of the keys that count.'),
  threshold: count.describe('How many of them have to have signed.'),
});

/** Accepts a policy, in TOML and in JSON. Fields that it does not name are refused. */
export const policySchema = z.strictObject({
  version: count.describe('The number of this file. The next one is one higher.'),
  keys: z.array(key).min(1, 'has to have a key').describe('The keys that rules refer to.'),
  policies: z.array(rule).default([]).describe('Rules for Solutions, in their order.'),
  deny: z
    .array(z.string().regex(/^sha256:[0-9a-f]{64}$/, 'has to be a digest of a root'))
    .default([])
    .describe('Digests of roots that are refused, whoever signed them.'),
  rotation: rotation.optional().describe('Who has to sign the next version of this policy.'),
});

/** Lists the names of fields, by the list or the field that has them; '' is the document itself. */
export const policyFields: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(policySchema.shape),
  keys: Object.keys(key.shape),
  policies: Object.keys(rule.shape),
  'policies.allow': Object.keys(boundsSchema.shape),
  rotation: Object.keys(rotation.shape),
};

/** A key as a policy names it: by its PEM, or by a file that holds the PEM. */
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

/** What Solutions of some names need, and whose signatures count for them. */
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

/** The content of a policy file. */
export interface PolicyDocument {
  readonly version: number;
  readonly keys: readonly PolicyKeyEntry[];
  readonly policies: readonly PolicyRule[];
  /** Digests of roots that nobody may use. */
  readonly deny: readonly string[];
  /** Whose signatures a new policy needs. */
  readonly rotation?: { readonly keys: readonly string[]; readonly threshold: number } | undefined;
}
