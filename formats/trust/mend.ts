import { z } from '../schema.ts';
import { instantSchema } from '../solution/instant.ts';
import { labelSchema } from '../solution/names.ts';
import { readDocument, typeOfDocument } from './document.ts';

/** What a mend says that it is. Nothing else that is signed says so, and no other document may have this field. */
const TYPE = 'solpack-mend/v1';

/** What is remembered of a Solution; what is absent is not. Dates are seconds since 1970. */
const remembered = z.strictObject({
  sequence: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  newest: instantSchema.optional(),
});

const solution = z.strictObject({ name: labelSchema, from: remembered, to: remembered });

const schema = z.strictObject({
  type: z.literal(TYPE),
  solutions: z.array(solution).min(1, 'has to name a Solution'),
});

const fields = { '': Object.keys(schema.shape), solutions: Object.keys(solution.shape) };

/** Holds what is to be remembered of some Solutions instead of what is remembered now. */
export type Mend = z.infer<typeof schema>;

/**
 * Reads a mend in TOML or JSON. Throws `PositionedError` `mend-invalid` with position and field of all that is wrong.
 */
export function parseMend(bytes: Uint8Array): Mend {
  const problems = ({ solutions }: Mend): { path: string; message: string }[] =>
    solutions.flatMap(({ name }, index) => {
      const twice = solutions.findIndex((other) => other.name === name) < index;
      return twice ? [{ path: `solutions.${index}.name`, message: 'is there twice' }] : [];
    });
  return readDocument(bytes, { code: 'mend-invalid', schema, fields, problems });
}

/**
 * Returns whether a document is meant to be a mend rather than a policy. If it is neither TOML nor JSON, throws
 * `FormatError` `policy-invalid`, because most documents are policies.
 */
export function isMend(bytes: Uint8Array): boolean {
  return typeOfDocument(bytes, 'policy-invalid') !== undefined;
}
