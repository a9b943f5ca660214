import { type FormatCode, PositionedError } from '../error.ts';
import { isRecord } from '../record.ts';
import { type OnRepeated, parseYaml, yamlProblem } from './yaml.ts';
import type { FieldPath } from './yaml-fields.ts';

/** A field of a YAML document: what it is, and where. */
export class YamlPart {
  readonly value: unknown;
  readonly #text: string;
  readonly #start: number;
  readonly #path: FieldPath;

  /** `start` is where the document's content begins in `text`. */
  constructor(text: string, start: number, value: unknown, path: FieldPath = []) {
    this.#text = text;
    this.#start = start;
    this.value = value;
    this.#path = path;
  }

  /** Finds a field below this one. Its value is undefined where there is none. */
  at(...steps: FieldPath): YamlPart {
    let value = this.value;
    for (const step of steps) {
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
      value = isThere ? (value as Record<string | number, unknown>)[step] : undefined;
    }
    return new YamlPart(this.#text, this.#start, value, [...this.#path, ...steps]);
  }

  /** The same field, as an empty mapping where it is not there or null. */
  orEmpty(): YamlPart {
    return new YamlPart(this.#text, this.#start, this.value ?? {}, this.#path);
  }

  /**
   * Makes the error that says all of this about fields below this one, in the order of the text. `name` is that of the
   * text.
   */
  error(code: FormatCode, problems: readonly PartProblem[], name?: string): PositionedError {
    const positioned = problems.map(({ path = [], message, ofName }) =>
      yamlProblem(this.#text, this.#start, [...this.#path, ...path], message, ofName),
    );
    const ordered = positioned.sort(
      (a, b) => a.position.line - b.position.line || a.position.column - b.position.column,
    );
    return new PositionedError(code, ordered, name === undefined ? {} : { textName: name });
  }
}

/** What is wrong with a field below a part. */
export interface PartProblem {
  readonly path?: FieldPath;
  readonly message: string;
  /** Whether it is the name of the field that is wrong, rather than its value. */
  readonly ofName?: boolean;
}

/**
 * Reads a text that is one mapping, as values files of Helm are; one without content is an empty mapping. For keys that
 * stand twice, `onRepeated` is called. Throws `PositionedError` `yaml-invalid`.
 */
export function parseMapping(text: string, name: string, onRepeated?: OnRepeated): YamlPart {
  const documents = parseYaml(text, name, 'yaml-invalid', onRepeated);
  const [first = { value: {}, start: 0 }] = documents;
  const part = new YamlPart(text, first.start, first.value);
  if (documents.length < 2 && isRecord(first.value)) return part;
  const last = documents.at(-1)!;
  throw new YamlPart(text, last.start, last.value).error('yaml-invalid', [{ message: 'values are one mapping' }], name);
}
