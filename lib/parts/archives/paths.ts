import { FormatError } from '../../../formats/error.ts';

/** Where files of an author lie in an archive. */
const places = /^(?:manifest\.yaml$|components(?:\.d)?\/|operator\/deploy\/(?:role\.yaml$|crds\/[^/]+_crd\.yaml$))/;

/** What ends a line, moves the cursor, or turns the direction of writing: a name with it shows as another one. */
const disguise = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\\]/;

/** `path`, where it is one that a file of an author may have. Throws `FormatError` `solution-invalid`. */
export function authorPath(path: string): string {
  if (places.test(path)) return path;
  throw misplaced(path);
}

/**
 * Throws `FormatError` `solution-invalid` where one of `paths` could lead out of a folder, or show as another one, or
 * two of them are the same to some file system: those of macOS and Windows tell neither case nor Unicode's normal forms
 * apart, and what is extracted there would be one file instead of two.
 */
export function requireSafePaths(paths: readonly string[]): void {
  const files = new Map<string, string>();
  const folds = paths.map((path) => {
    requireSafe(path);
    return fold(path);
  });
  for (const [at, path] of paths.entries()) {
    const folded = folds[at]!;
    const before = files.get(folded);
    if (before !== undefined) throw twice(path, before);
    files.set(folded, path);
  }
  const folders = new Set<string>();
  for (const [at, path] of paths.entries()) {
    const folded = folds[at]!;
    for (let end = folded.lastIndexOf('/'); end > 0; end = folded.lastIndexOf('/', end - 1)) {
      const folder = folded.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
      const file = files.get(folder);
      if (file !== undefined) throw twice(path.split('/', folder.split('/').length).join('/'), file);
    }
  }
}

/** How much of a path that no file can have is shown, in characters. */
const SHOWN = 256;

/** Names that a path may have, and its bytes: no file system takes more. */
const LONGEST = { names: 64, bytes: 4096 } as const;

function requireSafe(path: string): void {
  if (Buffer.byteLength(path) > LONGEST.bytes || path.split('/').length > LONGEST.names) {
    throw misplaced(path);
  }
  const bad = path.split('/').some((name) => name === '' || name === '.' || name === '..' || disguise.test(name));
  if (bad) throw misplaced(path);
}

function misplaced(path: string): FormatError {
  const shown = path.length > SHOWN ? `${JSON.stringify(path.slice(0, SHOWN))}…` : JSON.stringify(path);
  return new FormatError('solution-invalid', `${shown} is not an allowed path of a Solution`);
}

/** The same for all paths that some file system takes for the same: Unicode's canonical caseless matching (§3.13). */
function fold(path: string): string {
  if (/^[\u0000-\u007f]*$/.test(path)) return path.toLowerCase();
  return path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}

function twice(path: string, before: string): FormatError {
  const same = path === before ? 'is there twice' : `is the same as ${JSON.stringify(before)} to some file systems`;
  return new FormatError('solution-invalid', `${JSON.stringify(path)} ${same}`);
}
