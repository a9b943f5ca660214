import { join, relative } from 'node:path';
import { type Digest, measure } from '../../../formats/digest.ts';
import { STORE_FOLDER } from '../../../formats/document/schema-line.ts';
import type { LockedComponent } from '../../../formats/solution/lock.ts';
import { contains, portable } from '../../kernel/files/index.ts';
import type { CollectedFile } from '../../parts/components/index.ts';

/** Most files of a component that a lock lists: it is there to be read. */
const LISTED = 1000;

/** Digits of a digest that tell versions of a file apart. What counts is the digest of the component. */
const DIGITS = 16;

/**
 * Lists what each file of a component has, as the lock shows it: the files of the author, also where the archive has
 * one file of them, such as a packed chart. `known` has digests that were made already, `root` is the definition's
 * folder. Undefined where they are many.
 */
export async function lockedFiles(
  collected: readonly CollectedFile[],
  known: ReadonlyMap<CollectedFile, Digest>,
  root: string,
): Promise<string[] | undefined> {
  const files = collected.flatMap(partsOf);
  if (files.length > LISTED) return undefined;
  const lines = new Map<string, string>();
  for (const file of files) {
    const digest = known.get(file) ?? (await measure(file.open())).digest;
    const digits = digest.slice('sha256:'.length, 'sha256:'.length + DIGITS);
    const path = nameOf(file, root);
    lines.set(path, `${digits}${file.mode === 0o755 ? '+x' : ''} ${path}`);
  }
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}

function partsOf(file: CollectedFile): readonly CollectedFile[] {
  return file.parts ? file.parts.flatMap(partsOf) : [file];
}

/** Where a file lies outside of the definition's folder, or what was fetched, differs from machine to machine. */
function nameOf({ origin, path }: CollectedFile, root: string): string {
  const isOwn = origin !== undefined && contains(root, origin) && !contains(join(root, STORE_FOLDER), origin);
  return isOwn ? portable(relative(root, origin)) : path;
}

/**
 * Tells in words how the files of a component differ from those in the lock: `web: charts/web/values.yaml changed`.
 * Undefined where they do not differ.
 */
export function changedComponent(
  now: LockedComponent,
  before: LockedComponent | undefined,
  shown: number = 5,
): string | undefined {
  if (!before) return `component ${now.name} is not in the lock`;
  if (before.digest === now.digest) return undefined;
  const [old, fresh] = [before, now].map(({ files = [] }) => new Map(files.map(split)));
  const changes = [
    ...[...fresh!]
      .filter(([path, digits]) => old!.has(path) && old!.get(path) !== digits)
      .map(([path]) => `${path} changed`),
    ...[...fresh!.keys()].filter((path) => !old!.has(path)).map((path) => `${path} is new`),
    ...[...old!.keys()].filter((path) => !fresh!.has(path)).map((path) => `${path} is gone`),
  ];
  if (changes.length === 0 || !before.files || !now.files) {
    return `component ${now.name} is ${now.digest}, but the lock has ${before.digest}`;
  }
  const more = changes.length > shown ? [`and ${changes.length - shown} more`] : [];
  return `component ${now.name}: ${[...changes.slice(0, shown), ...more].join(', ')}`;
}

function split(line: string): [path: string, digits: string] {
  const at = line.indexOf(' ');
  return [line.slice(at + 1), line.slice(0, at)];
}
