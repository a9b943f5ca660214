import type { FileFormat } from '../document/schema-line.ts';
import { fileSchema } from './index.ts';
import type { FileSchema } from './to-json.ts';

/** A field of a file that users write. */
export interface FileField {
  /** Names with points between; `[]` stands for each entry of a list, and `NAME` for any name. */
  readonly path: string;
  /** What it holds, in words: `text`, `a list of texts`, `a table`. */
  readonly type: string;
  /** Whether it has to be there, if what it stands in is there. */
  readonly required: boolean;
  /** Sentences; undefined where the field has none. */
  readonly description: string | undefined;
  /** All that it may be, where that is a few words. */
  readonly values: readonly string[];
  /** What counts where it is left out, as JSON; undefined where its description says that, or nothing counts. */
  readonly default: string | undefined;
}

/** Lists all fields of a format, each before those in it, as the schema has them by which solpack reads the file. */
export function fileFields(format: FileFormat): readonly FileField[] {
  return fieldsIn(fileSchema(format), '');
}

function fieldsIn(schema: FileSchema, path: string): FileField[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, FileSchema>);
  const required = (schema['required'] ?? []) as readonly string[];
  const own = properties.flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [fieldOf(field, at, required.includes(name)), ...fieldsBelow(field, at)];
  });
  const rest = schema['additionalProperties'];
  if (typeof rest !== 'object' || rest === null || Object.keys(rest).length === 0) return own;
  const at = `${path}.NAME`;
  const below = fieldsBelow(rest as FileSchema, at);
  const described = (rest as FileSchema)['description'] !== undefined || below.length > 0;
  return described ? [...own, fieldOf(rest as FileSchema, at, false), ...below] : own;
}

/**
 * The fields that stand in a field: of an object, of each entry of a list, and of each form that it may have; each path
 * once.
 */
function fieldsBelow(field: FileSchema, path: string): FileField[] {
  const items = field['items'] as FileSchema | undefined;
  const all = [
    ...fieldsIn(field, path),
    ...(items === undefined ? [] : fieldsBelow(items, `${path}[]`)),
    ...formsOf(field).flatMap((form) => fieldsBelow(form, path)),
  ];
  return all.filter((one, at) => all.findIndex((other) => other.path === one.path) === at);
}

function fieldOf(field: FileSchema, path: string, required: boolean): FileField {
  const { description, default: left } = field as { description?: string; default?: unknown };
  return {
    ...{ path, required, description },
    type: typeWords(field),
    values: [...new Set([field, ...formsOf(field)].flatMap(valuesOf))],
    default: left === undefined ? undefined : JSON.stringify(left),
  };
}

function formsOf(field: FileSchema): readonly FileSchema[] {
  return (field['anyOf'] ?? []) as readonly FileSchema[];
}

function valuesOf(field: FileSchema): string[] {
  const { enum: values = [], const: only } = field as { enum?: readonly unknown[]; const?: unknown };
  return [...values, ...(only === undefined ? [] : [only])].filter((value) => value !== null).map(String);
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a table',
};

const several: Readonly<Record<string, string>> = {
  text: 'texts',
  'a number': 'numbers',
  'a table': 'tables',
};

function typeWords(field: FileSchema): string {
  const forms = formsOf(field);
  if (forms.length > 0) return [...new Set(forms.map(typeWords).filter((word) => word !== ''))].join(' or ');
  const { type, items } = field as { type?: string | readonly string[]; items?: FileSchema };
  const names = (typeof type === 'string' ? [type] : (type ?? [])).filter((name) => name !== 'null');
  return names
    .map((name) => {
      if (name !== 'array') return words[name] ?? name;
      const entry = items === undefined ? '' : typeWords(items);
      return entry === '' ? 'a list' : `a list of ${several[entry] ?? entry}`;
    })
    .join(' or ');
}
