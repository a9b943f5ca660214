import { distinctNames, type NameParts } from './distinct-names.ts';
import { isDirectory, type Node, nodeName } from './nodes.ts';
import { dCharacters } from './volume-id.ts';

/** Characters of a file's name and extension together, without the dot (ECMA-119 10.3, level 3). */
const FILE_LENGTH = 30;
/** Characters of a directory's name (ECMA-119 7.6.3). */
const DIRECTORY_LENGTH = 31;
/** Characters of an extension that are kept. Nobody looks for a longer one. */
const EXTENSION_LENGTH = 8;

/**
 * Makes the identifiers of `children` in the primary tree, in their order: level 3, of d-characters (ECMA-119 7.5,
 * 7.6). They are unique within the directory, also for readers that drop a dot at the end. A file's identifier lacks
 * the version, `;1`, which takes no part in the order of records (ECMA-119 9.3).
 */
export function plainIdentifiers(children: readonly Node[]): string[] {
  const names = distinctNames(children, partsOf, {
    mark: '',
    fold: (name) => name,
    cut: (stem, length) => stem.slice(0, length),
  });
  return names.map((name, at) => (isDirectory(children[at]!) || name.includes('.') ? name : `${name}.`));
}

function partsOf(node: Node): NameParts {
  const name = nodeName(node);
  if (isDirectory(node)) return { stem: dCharacters(name), extension: '', limit: DIRECTORY_LENGTH };
  const dot = name.lastIndexOf('.');
  // A name whose only dot comes first has no extension: else it would have no stem.
  if (dot <= 0 || dot === name.length - 1) return { stem: dCharacters(name), extension: '', limit: FILE_LENGTH };
  const extension = `.${dCharacters(name.slice(dot + 1)).slice(0, EXTENSION_LENGTH)}`;
  return { stem: dCharacters(name.slice(0, dot)), extension, limit: FILE_LENGTH + 1 };
}
