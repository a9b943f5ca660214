import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { FormatError } from '../error.ts';

/** A string of a TOML document, by its path as `components.0.version`, and what it becomes. */
export interface StringEdit {
  readonly path: string;
  readonly to: string;
}

/**
 * Replaces strings of a TOML document. Every other byte stays: comments, spaces, and the kind of quotes. Throws
 * `FormatError` `toml-invalid` for a text that is no TOML, and for a string in a form that cannot be replaced.
 */
export function editStrings(text: string, edits: readonly StringEdit[]): string {
  const before = parseToml(text, 'toml-invalid');
  const fields = locateToml(text);
  const places = edits.map(({ path, to }) => {
    const extent = fields.get(path);
    if (extent === undefined) throw refused(path);
    const equals = extent.nameEnd === extent.end ? extent.start : text.indexOf('=', extent.nameEnd) + 1;
    const written = text.slice(equals, extent.end);
    const start = equals + written.length - written.trimStart().length;
    const isLiteral = text[start] === "'" && !to.includes("'");
    return { start, end: extent.end, text: isLiteral ? `'${to}'` : JSON.stringify(to) };
  });
  let after = text;
  for (const { start, end, text: literal } of places.sort((a, b) => b.start - a.start)) {
    after = after.slice(0, start) + literal + after.slice(end);
  }
  const expected = structuredClone(before);
  for (const { path, to } of edits) set(expected, path, to);
  if (JSON.stringify(parseToml(after, 'toml-invalid')) === JSON.stringify(expected)) return after;
  throw refused(edits.map(({ path }) => path).join(', '));
}

function set(document: unknown, path: string, to: string): void {
  const names = path.split('.');
  let at = document as Record<string, unknown>;
  for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[names.at(-1)!] = to;
}

function refused(path: string): FormatError {
  return new FormatError('toml-invalid', `${path} is written in a form that solpack cannot change`);
}
