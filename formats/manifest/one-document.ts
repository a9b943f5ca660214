import { type FormatCode, PositionedError } from '../error.ts';
import type { YamlDocument } from './plain-yaml.ts';
import { type OnRepeated, parseExactYaml, parseYaml, yamlProblem } from './yaml.ts';
import { SECOND_DOCUMENT } from './yaml-words.ts';

/**
 * Parses a YAML text that holds one document, as `parseYaml` does; undefined where it holds none. Throws
 * `PositionedError` of `code` at the second one.
 */
export function parseOneYaml(
  text: string,
  name: string,
  code: FormatCode = 'yaml-invalid',
  onRepeated?: OnRepeated,
): YamlDocument | undefined {
  return onlyOne(parseYaml(text, name, code, onRepeated), text, name, code);
}

/** The same of what `parseExactYaml` makes of a text. */
export function parseOneExactYaml(text: string, name: string, code: FormatCode): YamlDocument | undefined {
  return onlyOne(parseExactYaml(text, name, code), text, name, code);
}

function onlyOne(
  [first, second]: readonly YamlDocument[],
  text: string,
  name: string,
  code: FormatCode,
): YamlDocument | undefined {
  if (second === undefined) return first;
  throw new PositionedError(code, [yamlProblem(text, second.start, [], SECOND_DOCUMENT)], { textName: name });
}
