/** The fields of a structure: the offset of each one's first byte, in rising order, and its name. */
export type FieldNames = readonly (readonly [offset: number, name: string])[];

/** Returns the name of the field in which the byte at `at` lies. `at` must not be before the first field. */
export function fieldNameAt(fields: FieldNames, at: number): string {
  return fields.findLast(([offset]) => offset <= at)![1];
}
