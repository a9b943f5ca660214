import { z } from 'zod';

/** The version of each result. */
export const version = z.literal(1).describe('of this schema; fields may be added without raising it');

/** A digest of content, as OCI writes it. */
export const digest = z.string().regex(/^sha(?:256|512):[0-9a-f]+$/);

/** A size in bytes. */
export const size = z.number().int().nonnegative().describe('bytes');

/** A number of things. */
export const natural = z.number().int().nonnegative();

const deltaFields = {
  absent: natural.describe('contents that it lacks'),
  absentBytes: natural.describe('bytes by which it is smaller for that'),
  wholeBytes: natural.describe('bytes of all contents of the Solution'),
  patched: natural.describe('how many of these it makes of older layers'),
  sources: natural.describe('older layers that it makes them of'),
  bases: z
    .array(z.object({ name: z.string(), version: z.string(), root: digest }))
    .describe('releases that have what it lacks, by what it says itself'),
};

/** What a delta lacks. */
export const lackedBefore = z.object(deltaFields).optional().describe('what it lacks; absent of a whole archive');

/** What a delta lacks, and what of that is nowhere. */
export const completedDelta = z
  .object({
    ...deltaFields,
    lacking: natural.describe('contents that nothing has that was given'),
    lackingBytes: natural.describe('bytes of these'),
  })
  .optional()
  .describe('what it lacks; absent of a whole archive');

/** What names a key. */
export const keyId = z.string().describe("SHA-256 of the public key's SubjectPublicKeyInfo, in hexadecimal");

const change = z.object({
  object: z.string().describe('Kind name, or Kind namespace/name'),
  action: z.enum(['created', 'changed', 'replaced', 'unchanged', 'ran', 'removed', 'kept']),
  component: z.string().optional().describe('the component that brings it; absent where none does any longer'),
  reason: z.string().optional().describe('why it was kept; absent of all others'),
});

/** What became of objects. */
export const objects = z.array(change).describe('in the cluster, in the order in which they were applied or removed');

/** The programs and keys that an archive brings along. */
export const installerFiles = z
  .array(
    z.object({
      path: z.string(),
      digest,
      size,
    }),
  )
  .optional()
  .describe('programs and keys in bin/; absent where there are none');

/** The variables of the node that plugins get, and by whom. */
export const variableList = z.array(
  z.object({
    name: z.string(),
    value: z.string().describe('empty if nothing provides it'),
    from: z.string().describe('`given`, `default`, `nobody`, or the place that provided it'),
  }),
);

/** What a Solution requires and other programs have installed. */
export const outsideNeeds = z.array(
  z.object({
    kind: z.enum(['requires', 'any-of', 'recommends']),
    name: z.string().describe('that is required'),
    range: z.string(),
    version: z.string().describe('that was found'),
    by: z
      .string()
      .describe('what has it: the Helm release NAMESPACE/NAME, or the ClusterServiceVersion NAMESPACE/NAME'),
  }),
);
