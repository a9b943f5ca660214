import { utf8 } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { parseJson } from '../json.ts';
import { parseExactYaml } from './yaml.ts';

/** How long a text may be that is read as a document, in characters. */
const LIMIT = 1024 * 1024;

/**
 * Reads a text in an object as the YAML or JSON that it is, where a field of it seems to name an image. Returns its
 * documents; undefined for what is neither, or is not worth it.
 */
export function structureOf(text: string): unknown[] | undefined {
  if (text.length > LIMIT || !/image|repository/i.test(text)) return undefined;
  const isJson = /^\s*[[{]/.test(text);
  if (!isJson && !/:\s/.test(text)) return undefined;
  try {
    if (isJson) return [parseJson(utf8(text), 'json-invalid', 'a text')];
    const documents = parseExactYaml(text, 'a text').map(({ value }) => value);
    return documents.some((value) => typeof value === 'object') ? documents : undefined;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
