import { z } from 'zod';
import { digest, keyId, version } from './json-parts.ts';

const instant = z.number().int().describe('seconds since 1970');

/** What `keygen`, `sign`, `unsign` and `trust` print. */
export const trustSchemas = {
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
    state: z.string().optional().describe('the folder of the memory, which was shown or corrected'),
    clock: instant.optional().describe('of this machine, where it was shown'),
    time: instant
      .optional()
      .describe('the clock, or a later time that a Solution that advances the time for all proves'),
    solutions: z
      .array(
        z.object({
          name: z.string(),
          sequence: z.number().int().optional().describe('the highest that was installed'),
          newest: instant.optional().describe('of a release that was installed'),
          movesTime: z
            .boolean()
            .optional()
            .describe('whether it advances the time for all; absent if it was corrected'),
          time: instant.optional().describe('the time with which its expiry, and that of its keys, is compared'),
        }),
      )
      .optional()
      .describe('what is remembered, of all Solutions or of the corrected ones'),
    mends: z.array(digest).optional().describe('the corrections that were applied here'),
  }),
} as const;
