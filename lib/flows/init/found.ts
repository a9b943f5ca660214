import type { NewComponent, NewImage } from '../../../formats/solution/new-definition.ts';

/** What a folder has for a definition. */
export interface FoundParts {
  readonly components: NewComponent[];
  readonly images: NewImage[];
  /** What is not taken, and why. */
  readonly left: { readonly path: string; readonly reason: string }[];
  /** YAML files that have no objects: values, if they are of a chart. */
  readonly values: string[];
}

/** Where something lies: its absolute path, and that from the folder of the definition, with `/` between names. */
export interface FoundPath {
  readonly full: string;
  readonly path: string;
}

/** Makes a name that is an RFC 1123 label of any text. */
export function asLabel(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63);
  return plain.replace(/^-/, '').replace(/-$/, '') || 'solution';
}
