// The one module that loads zod, so that programs that check nothing do not load it.
import { config, z } from 'zod';

// Code that zod generates for a schema pays off only after some thousand manifests.
config({ jitless: true });

export { z };

/**
 * Schemas that let everything through, by which other ones read it later: so code, and not the schema around, finds
 * what is wrong.
 */
const laterSchemas = new WeakMap<object, z.ZodType>();

/** Makes a schema that lets everything through, because code reads it by `schema` later. */
export function readLater(schema: z.ZodType): z.ZodUnknown {
  const any = z.unknown();
  laterSchemas.set(any, schema);
  return any;
}

/** Returns the schema by which something is read that `schema` lets through; undefined where that is all there is. */
export function readBy(schema: object): z.ZodType | undefined {
  return laterSchemas.get(schema);
}

/**
 * Accepts texts of a form of which `isSound` holds as well; `words` say what else is wrong. Editors know the form
 * alone, so that has to be one of every text that is accepted.
 */
export function formedText(form: RegExp, words: string, isSound: (value: string) => boolean = () => true): z.ZodString {
  return z
    .string()
    .regex(form, { error: words, abort: true })
    .refine(isSound, words)
    .meta({ patternErrorMessage: words });
}

/** Lets an object have either of two fields, and not both. */
export function withEither<T extends z.ZodObject>(schema: T, first: string, second: string, message: string): T {
  const allOf = (schema.meta()?.['allOf'] ?? []) as readonly object[];
  return schema
    .refine((value) => (value[first] === undefined) !== (value[second] === undefined), { message })
    .meta({ allOf: [...allOf, { oneOf: [{ required: [first] }, { required: [second] }] }] });
}

/** How many elements of a list are checked at a time. */
const PIECE = 1000;

/**
 * Makes a schema for an array that is checked in pieces, up to the first piece with a fault. `z.array` would report
 * every element: for a million wrong ones, that takes more memory than there is.
 */
export function listOf<T>(element: z.ZodType<T>): z.ZodType<T[]> {
  const piece = z.array(element);
  return z.custom<unknown[]>(Array.isArray, 'has to be a list').transform((values, context) => {
    const known: T[] = [];
    for (let at = 0; at < values.length; at += PIECE) {
      // Whoever checks the whole has the words for what is wrong: an issue without a message gets them there.
      const part = values.length <= PIECE ? values : values.slice(at, at + PIECE);
      const result = piece.safeParse(part, { reportInput: true, error: () => '' });
      if (!result.success) {
        const issue = result.error.issues[0]!;
        const [index, ...rest] = issue.path;
        context.issues.push({ ...issue, path: [at + Number(index), ...rest] } as never);
        return z.NEVER;
      }
      if (values.length <= PIECE) return result.data;
      known.push(...result.data);
    }
    return known;
  });
}

/** A schema for an object whose values are all strings. The object is not copied, and a fault is reported once. */
export const textsByName: z.ZodType<Record<string, string>> = z.custom<Record<string, string>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string'),
  'has to be an object whose values are texts',
);
