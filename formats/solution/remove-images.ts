import type { FieldExtents, TextExtent } from '../document/fields.ts';
import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { FormatError } from '../error.ts';

/**
 * Removes entries of `images` from the text of a definition, by their numbers from 0. Comments stay, except those that
 * stand behind a field of the entry, and so does every other byte. Throws `FormatError` `toml-invalid` for a text that
 * is no TOML, and for one that nothing can be removed from.
 */
export function removeImages(text: string, entries: readonly number[]): string {
  if (entries.length === 0) return text;
  const before = parsed(text);
  const fields = locateToml(text);
  const isList = fields.has('images');
  const extents = entries.flatMap((entry) => (isList ? listed(text, fields, entry) : lines(text, fields, entry)));
  let after = text;
  for (const { start, end } of extents.sort((a, b) => b.start - a.start))
    after = after.slice(0, start) + after.slice(end);
  const { images = [], ...others } = before;
  const kept = images.filter((_, at) => !entries.includes(at));
  const { images: left = [], ...rest } = parsed(after);
  if (JSON.stringify([left, rest]) === JSON.stringify([kept, others])) return after;
  throw new FormatError('toml-invalid', 'the images are written in a form from which solpack cannot remove');
}

function parsed(text: string): { readonly images?: readonly unknown[] } {
  return parseToml(text, 'toml-invalid') as { images?: unknown[] };
}

/** The lines of a table `[[images]]`: of its header and of each field. Blank lines before it go with it. */
function lines(text: string, fields: FieldExtents, entry: number): TextExtent[] {
  const header = `images.${entry}`;
  const own = [...fields].filter(([path]) => path === header || isFieldOf(path, header));
  return own.map(([path, { start, end }]) => {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    return extent(path === header ? blankBefore(text, from) : from, lineEnd(text, end));
  });
}

/** An entry of a list `images = [{ … }]`, with the comma behind it, and its line where nothing else is there. */
function listed(text: string, fields: FieldExtents, entry: number): TextExtent[] {
  const own = fields.get(`images.${entry}`);
  if (own === undefined) return [];
  const tail = /[ \t]*,[ \t]*/y;
  tail.lastIndex = own.end;
  const end = own.end + (tail.exec(text)?.[0].length ?? 0);
  const from = text.lastIndexOf('\n', own.start - 1) + 1;
  const to = lineEnd(text, end);
  const isAlone = text.slice(from, own.start).trim() === '' && /^(?:#.*)?\r?\n?$/.test(text.slice(end, to));
  return [isAlone ? extent(from, to) : extent(own.start, end)];
}

/** Decides whether a path is that of a field of a table, and not of what the field holds. */
function isFieldOf(path: string, header: string): boolean {
  return path.startsWith(`${header}.`) && !path.slice(header.length + 1).includes('.');
}

function extent(start: number, end: number): TextExtent {
  return { start, nameEnd: end, end };
}

/** The offset behind the last line before `at` that is not blank. */
function blankBefore(text: string, at: number): number {
  let from = at;
  while (from > 0) {
    const line = text.lastIndexOf('\n', from - 2) + 1;
    if (text.slice(line, from).trim() !== '') return from;
    from = line;
  }
  return from;
}

/** The offset behind the line that `at` is in. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}
