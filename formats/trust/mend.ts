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

/** What is to be remembered of some Solutions, in the place of what is. */
export type Mend = z.infer<typeof schema>;

/** Reads a mend, TOML or JSON. Throws `FormatError` `mend-invalid` with line, column and field of all that is wrong. */
export function parseMend(bytes: Uint8Array): Mend {
  const problems = ({ solutions }: Mend): { path: string; message: string }[] =>
    solutions.flatMap(({ name }, index) => {
      const twice = solutions.findIndex((other) => other.name === name) < index;
      return twice ? [{ path: `solutions.${index}.name`, message: 'is there twice' }] : [];
    });
  return readDocument(bytes, { code: 'mend-invalid', schema, fields, problems });
}

/**
 * Whether a document is meant to be a mend, and not a policy. Throws `FormatError` `policy-invalid` where it is neither TOML
 * nor JSON: policies are what there is more often.
 */
export function isMend(bytes: Uint8Array): boolean {
  return typeOfDocument(bytes, 'policy-invalid') !== undefined;
}
