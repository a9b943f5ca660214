import { FormatError } from '../error.ts';
import { globTest } from '../glob.ts';

/** The name of a file that says which files of its folder, and of those below, are no part of a catalog. */
export const INDEX_IGNORE = '.indexignore';

/** One line of a file, for the paths below the folder of that file. */
interface Rule {
  /** Where the file is, with `/` at its end; '' for the root of the catalog. */
  readonly below: string;
  readonly negated: boolean;
  /** Applies to folders alone. */
  readonly folders: boolean;
  /** A test of each name of the path; `**` stands for any number of names. */
  readonly names: readonly (((name: string) => boolean) | '**')[];
}

/** Decides whether a file is no part of a catalog. */
export type IgnoredInCatalog = (path: string) => boolean;

/**
 * Reads the files `.indexignore` of a catalog, each by the path of its folder ('' for the root), which have the syntax
 * of `.gitignore` (gitignore(5)): the last pattern that matches counts, and nothing in a folder that is left out comes
 * back. Throws `FormatError` `catalog-invalid` for a pattern that is not well-formed.
 */
export function parseIndexIgnore(files: ReadonlyMap<string, string>): IgnoredInCatalog {
  const rules = [...files]
    // What is said nearer to a file counts more.
    .sort(([a], [b]) => depthOf(a) - depthOf(b))
    .flatMap(([folder, text]) => text.split('\n').flatMap((line, at) => ruleOf(folder, line, at + 1)));
  const decides = (path: string, isFolder: boolean): boolean => {
    const rule = rules.findLast((one) => applies(one, path, isFolder));
    return rule !== undefined && !rule.negated;
  };
  return (path) => {
    const names = path.split('/');
    return names.some((_, at) => decides(names.slice(0, at + 1).join('/'), at + 1 < names.length));
  };
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function ruleOf(folder: string, line: string, number: number): Rule[] {
  const written = line.replace(/\r$/, '');
  const text = withoutSpaces(written);
  if (text === '' || text.startsWith('#')) return [];
  const negated = text.startsWith('!');
  const folders = text.endsWith('/');
  const body = text.slice(negated ? 1 : 0, folders ? -1 : undefined);
  const isAnchored = body.includes('/');
  const parts = (isAnchored ? body : `**/${body}`).split('/').filter((part) => part !== '');
  const names = parts.map((part) => (part === '**' ? part : globTest(part.replaceAll('[!', '[^'))));
  const below = folder === '' ? '' : `${folder}/`;
  if (names.every((name) => name !== undefined)) return [{ below, negated, folders, names }];
  throw new FormatError('catalog-invalid', `${below}${INDEX_IGNORE}:${number}: the pattern ${body} is not well-formed`);
}

/** Leaves out the spaces at the end of a line, except for one that is written as `\ `. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}

function applies({ below, folders, names }: Rule, path: string, isFolder: boolean): boolean {
  if (!path.startsWith(below) || (folders && !isFolder)) return false;
  return matchesFrom(names, path.slice(below.length).split('/'));
}

/** Goes back to the last `**` only, so that the time is at most the product of both lengths. */
function matchesFrom(wanted: Rule['names'], names: readonly string[]): boolean {
  let back: { rule: number; name: number } | undefined;
  let rule = 0;
  let at = 0;
  while (at < names.length) {
    const test = wanted[rule];
    if (test === '**') {
      // At its end it stands for all that is in the folder, and so for one name at least.
      if (rule === wanted.length - 1) return true;
      back = { rule: rule + 1, name: at };
      rule += 1;
    } else if (test?.(names[at]!)) {
      rule += 1;
      at += 1;
    } else if (back) {
      back.name += 1;
      [rule, at] = [back.rule, back.name];
    } else return false;
  }
  return rule === wanted.length;
}
