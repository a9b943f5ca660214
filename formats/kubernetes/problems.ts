import { nearest } from '../document/suggest.ts';

/** Describes why an API server would refuse an object. */
export interface ShapeProblem {
  /** Names of fields and numbers of entries, from the object down. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Holds as much of an object as every check looks at; the rest is found by name. */
export interface CheckedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: unknown;
  readonly [field: string]: unknown;
}

/** Names the place of something inside of an object. */
export type FieldPlace = ShapeProblem['path'];

/** Takes a problem at a place. */
export type ReportProblem = (path: FieldPlace, message: string) => void;

/** Writes a place with dots between names and numbers: `spec.containers.0.image`. A name without letters is `""`. */
export function fieldPlaceWords(path: FieldPlace): string {
  return path.map((part) => (part === '' ? '""' : part)).join('.');
}

/** Tells a map of fields apart from everything else. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a field of an object's own; undefined where there is none, or null. */
export function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
}

/** Reads the entries of a list; none where it is not a list. */
export function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Describes a value in a few words that cannot give much of it away. */
export function valueWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'bigint') return 'a number';
  return `a ${typeof value}`;
}

/** Writes a guess at what was meant by `word`, or nothing. */
export function guessAt(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined || meant === '' ? '' : `; did you mean "${meant}"?`;
}
