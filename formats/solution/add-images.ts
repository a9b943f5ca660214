import type { FieldExtents, TextExtent } from '../document/fields.ts';
import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { FormatError } from '../error.ts';

/**
 * Adds images to the text of a definition: behind those that it has, in the form that these have, otherwise at its end.
 * Every byte that is there stays, and in its order. Throws `FormatError` `toml-invalid` for a text that is no TOML, and
 * for one that cannot be added to.
 */
export function addImages(text: string, references: readonly string[]): string {
  if (references.length === 0) return text;
  const before = imagesOf(text);
  const fields = locateToml(text);
  const inline = fields.get('images');
  const added =
    inline === undefined ? addTables(text, fields, references) : addEntries(text, fields, inline, references);
  const after = imagesOf(added);
  const expected = [...before, ...references.map((reference) => ({ reference }))];
  if (JSON.stringify(after) === JSON.stringify(expected)) return added;
  throw new FormatError(
    'toml-invalid',
    'the images are written in a form to which solpack cannot add; write [[images]] tables',
  );
}

function imagesOf(text: string): unknown[] {
  const { images } = parseToml(text, 'toml-invalid') as { images?: unknown };
  return Array.isArray(images) ? images : [];
}

/** Adds `[[images]]` tables behind the last one, or at the end. */
function addTables(text: string, fields: FieldExtents, references: readonly string[]): string {
  const newline = newlineOf(text);
  const tables = references.map((one) => `[[images]]${newline}reference = ${JSON.stringify(one)}${newline}`);
  const ends = [...fields].filter(([path]) => path.startsWith('images.')).map(([, { end }]) => end);
  if (ends.length === 0) {
    const gap =
      text === '' || text.endsWith(newline + newline) ? '' : text.endsWith('\n') ? newline : newline + newline;
    return text + gap + tables.join(newline);
  }
  const at = lineEnd(text, Math.max(...ends));
  const lead = text[at - 1] === '\n' ? '' : newline;
  return text.slice(0, at) + lead + tables.map((table) => newline + table).join('') + text.slice(at);
}

/** Adds tables to a list `images = [{ … }]`, behind its last entry. */
function addEntries(text: string, fields: FieldExtents, list: TextExtent, references: readonly string[]): string {
  const newline = newlineOf(text);
  const entries = references.map((reference) => `{ reference = ${JSON.stringify(reference)} }`);
  const last = lastEntry(fields);
  if (last === undefined) {
    const open = text.indexOf('[', list.nameEnd) + 1;
    const lines = entries.map((entry) => `${newline}  ${entry},`).join('');
    const rest = text.slice(open);
    return text.slice(0, open) + lines + (/^[ \t]*\r?\n/.test(rest) ? '' : newline) + rest;
  }
  const inLines = text.slice(list.nameEnd, list.end).includes('\n');
  if (!inLines) return text.slice(0, last.end) + entries.map((entry) => `, ${entry}`).join('') + text.slice(last.end);
  const lead = text.slice(text.lastIndexOf('\n', last.start) + 1, last.start);
  const indent = lead.slice(lead.trimEnd().length);
  const hasComma = /^[ \t]*,/.test(text.slice(last.end));
  // A comment behind the last entry stays behind it.
  const at = lineEnd(text, last.end);
  const own = text.slice(last.end, at).includes(']') ? last.end : at;
  const lines = entries.map((entry) => `${indent}${entry}`).join(`,${newline}`);
  const head = text.slice(0, last.end) + (hasComma ? '' : ',') + text.slice(last.end, own);
  if (own === last.end) return `${head}${newline}${lines}${text.slice(own)}`;
  return `${head}${lines}${hasComma ? ',' : ''}${newline}${text.slice(own)}`;
}

function lastEntry(fields: FieldExtents): TextExtent | undefined {
  let last: TextExtent | undefined;
  for (let index = 0; fields.has(`images.${index}`); index += 1) last = fields.get(`images.${index}`);
  return last;
}

/** The offset behind the line that `at` is in. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function newlineOf(text: string): string {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}
