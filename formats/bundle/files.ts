import { text } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { type KubernetesObject, parsePlacedDocuments } from '../manifest/documents.ts';
import type { RepeatedKey } from '../manifest/yaml.ts';
import { TextLines } from '../text-lines.ts';

/** A file of a bundle of an operator. */
export interface OperatorBundleFile {
  /** From the top of the bundle, with `/` between names. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** An object of a bundle, and where that states it. */
export interface BundleObject {
  readonly object: KubernetesObject;
  /** `FILE:LINE`. */
  readonly source: string;
}

/** The folder of a bundle's objects, whatever its format. */
export const MANIFESTS = 'manifests';

/** Where a registry+v1 bundle says what it is. */
export const METADATA = 'metadata';

/** What is wrong with all of a bundle. */
export function refusedBundle(message: string): FormatError {
  return new FormatError('operator-bundle-invalid', message);
}

/** Whether a path leads to a file in the top folder `folder`, however deep. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/**
 * Reads the objects of `manifests/`, which is flat: every file there, whatever its name, with lists replaced by what
 * they hold (RukPak, "plain+v0"). If `onRepeated` takes keys that stand twice in a file, the last one counts.
 * Throws `FormatError` `operator-bundle-invalid` for a folder in it, and where it is missing or empty, and
 * `manifest-document-invalid` for a file that is not a manifest.
 */
export function bundleObjects(
  files: readonly OperatorBundleFile[],
  onRepeated?: (path: string, repeated: RepeatedKey) => void,
): BundleObject[] {
  const manifests = files.filter(({ path }) => isBelow(path, MANIFESTS));
  if (manifests.length === 0) throw refusedBundle(`has no folder ${MANIFESTS} with files in it`);
  const nested = manifests.find(({ path }) => path.slice(MANIFESTS.length + 1).includes('/'));
  if (nested !== undefined) {
    const folder = nested.path.split('/').slice(0, 2).join('/');
    throw refusedBundle(`has the folder ${folder}, but ${MANIFESTS} may only hold files`);
  }
  return manifests.flatMap(({ path, bytes }) => {
    const content = text(bytes, 'yaml-invalid');
    const lines = new TextLines(content);
    const tell = onRepeated && ((repeated: RepeatedKey): void => onRepeated(path, repeated));
    return parsePlacedDocuments(content, path, tell).map(({ object, start }) => ({
      object,
      source: `${path}:${lines.position(start).line}`,
    }));
  });
}
