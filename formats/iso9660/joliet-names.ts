import { distinctNames, type NameParts } from './distinct-names.ts';
import { limits } from './limits.ts';
import { isDirectory, type Node, nodeName } from './nodes.ts';

/** The longest extension that is kept when a long name is cut: UTF-16 units, with its dot. */
const EXTENSION_LENGTH = 17;

/**
 * Characters that Joliet forbids: U+0000 to U+001F and `* / : ; ? \` (Joliet specification, "Allowed character set").
 */
const forbidden = /[\0-\x1f*/:;?\\]/g;

/**
 * Makes the identifiers of `children` in the Joliet tree, in their order. Each has at most 103 UCS-2 units, so that 64
 * hexadecimal digits stay whole, and no version. `_` replaces a forbidden character, and a dot at the end, which Linux
 * and 7-Zip drop. Windows and 7-Zip take names that differ in case alone for one, so these get `~` and a number.
 */
export function jolietIdentifiers(children: readonly Node[]): string[] {
  return distinctNames(children, partsOf, { mark: '~', fold: foldCase, cut });
}

function partsOf(node: Node): NameParts {
  const clean = nodeName(node).replace(forbidden, '_').replace(/\.$/, '_');
  const dot = clean.lastIndexOf('.');
  const split = !isDirectory(node) && dot > 0 && clean.length - dot <= EXTENSION_LENGTH ? dot : clean.length;
  return { stem: clean.slice(0, split), extension: clean.slice(split), limit: limits.jolietName };
}

function cut(stem: string, length: number): string {
  if (stem.length <= length) return stem;
  const short = stem.slice(0, length);
  // A cut through a surrogate pair would leave half a character, and a cut after a dot would leave the dot at the end.
  return (short.isWellFormed() ? short : short.slice(0, -1)).replace(/\.$/, '_');
}

/**
 * Folds the case of a name, unit by unit. Only scripts whose letters no longer change are folded, so that no later
 * version of Unicode changes an image.
 */
function foldCase(name: string): string {
  if (/^[\0-\x7f]*$/.test(name)) return name.toLowerCase();
  let folded = '';
  for (const unit of name) {
    const code = unit.codePointAt(0)!;
    const settled = code < 0x1c80 || (code >= 0x1e00 && code < 0x2000) || (code >= 0xff21 && code <= 0xff5a);
    folded += settled ? unit.toUpperCase().toLowerCase() : unit;
  }
  return folded;
}
