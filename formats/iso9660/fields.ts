/** Fields of a structure: the offset of each one's first byte, rising, and its name. */
export type Fields = readonly (readonly [offset: number, name: string])[];

/** The name of the field that the byte at `at` lies in; it has to be at or after the first one. */
export function fieldAt(fields: Fields, at: number): string {
  return fields.findLast(([offset]) => offset <= at)![1];
}
