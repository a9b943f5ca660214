import type { FormatCode } from '../error.ts';
import type { z } from '../schema.ts';
import { judged, MISSING } from '../schema-words.ts';
import type { YamlDocument } from './plain-yaml.ts';
import { YamlPart } from './yaml-part.ts';

/** What is checked of a text in YAML. */
export interface CheckedYaml {
  readonly text: string;
  /** A document that was read from it. */
  readonly document: YamlDocument;
  /** How errors call it. */
  readonly name: string;
}

/**
 * Checks a document against `schema`, and returns it. Throws `PositionedError` of `code` about the first field that is
 * wrong.
 */
export function checkedYaml<T>({ text, document, name }: CheckedYaml, schema: z.ZodType<T>, code: FormatCode): T {
  return checkedYamlPart(new YamlPart(text, document.start, document.value), schema, code, name);
}

/**
 * The same for a part of a document. `what` is how errors call the part, where the text that it is of has a name of its
 * own.
 */
export function checkedYamlPart<T>(
  part: YamlPart,
  schema: z.ZodType<T>,
  code: FormatCode,
  name: string,
  what?: string,
): T {
  const result = judged(schema, part.value, 'YAML');
  if (result.success) return result.data;
  const { path, message, input } = result.error.issues[0]!;
  const field = path.map(String).join('.');
  const said = input === undefined && !message.startsWith(MISSING) ? MISSING : message;
  const words = [what, field, said].filter((word) => word !== undefined && word !== '').join(': ');
  throw part.error(
    code,
    [{ path: path.map((step) => (typeof step === 'number' ? step : String(step))), message: words }],
    name,
  );
}
