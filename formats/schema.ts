// The one module that loads zod, so that who checks nothing does not.
import { config, z } from 'zod';

// Code made for each schema is worth its time after some thousand manifests.
config({ jitless: true });

export { z };

/** How many elements of a list are looked at together. */
const PIECE = 1000;

/**
 * An array that is looked at in pieces, up to the first where something is wrong. `z.array` would tell of each element: of a
 * million wrong ones, that takes more memory than there is.
 */
export function listOf<T>(element: z.ZodType<T>): z.ZodType<T[]> {
  const piece = z.array(element);
  return z.custom<unknown[]>(Array.isArray, 'expected an array').transform((values, context) => {
    const known: T[] = [];
    for (let at = 0; at < values.length; at += PIECE) {
      const result = piece.safeParse(values.length <= PIECE ? values : values.slice(at, at + PIECE));
      if (!result.success) {
        const { message, path } = result.error.issues[0]!;
        const [index, ...rest] = path;
        context.issues.push({ code: 'custom', message, path: [at + Number(index), ...rest], input: values });
        return z.NEVER;
      }
      if (values.length <= PIECE) return result.data;
      known.push(...result.data);
    }
    return known;
  });
}

/** An object whose values are all texts. It is not copied, and told of once if it is wrong. */
export const textsByName: z.ZodType<Record<string, string>> = z.custom<Record<string, string>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string'),
  'expected an object of strings',
);
