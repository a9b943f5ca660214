import { Pattern } from '../../../formats/json-schema/pattern.ts';
import { PatternError } from '../../../formats/json-schema/pattern-syntax.ts';
import { parseSchema } from '../../../formats/json-schema/schema.ts';
import { violationsOf } from '../../../formats/json-schema/validate.ts';
import { parsers } from '../parser.ts';
import type { Random } from '../random.ts';
import { must } from '../violation.ts';

const schema = JSON.stringify({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['host'],
  properties: {
    host: { type: 'string', pattern: '^[a-z0-9.-]{1,63}$', minLength: 1 },
    replicas: { type: ['integer', 'null'], minimum: 0, exclusiveMaximum: 10, multipleOf: 1 },
    list: { type: 'array', items: { $ref: '#/$defs/entry' }, uniqueItems: true, contains: { const: 'a' }, maxItems: 4 },
    tls: JSON.parse(
      '{"if": {"required": ["cert"]}, "then": {"required": ["key"]}, "else": {"not": {"required": ["key"]}}}',
    ),
  },
  patternProperties: { '^x-': true },
  additionalProperties: false,
  dependentRequired: { tls: ['host'] },
  $defs: {
    entry: { anyOf: [{ enum: ['a', 'b'] }, { type: 'object', propertyNames: { maxLength: 3 }, oneOf: [true, false] }] },
  },
});
const values: readonly unknown[] = [
  { host: 'a.b', replicas: 3, list: ['a', { abc: 1 }], tls: { cert: 1, key: 2 }, 'x-y': null },
  { host: 1, replicas: '3', list: [1, 1], tls: { key: 1 }, other: { deep: [{}] } },
  [],
  'text',
];
const patterns = [
  '^(?:[a-z]|\\d{2,3})+(?:\\.[^.]*)?$',
  '\\bw\\w*\\b|[\\x41-\\u00ff]{3,}?|(?<n>a)(?P<m>b)',
  '^\\s*$|()|a{0}b{1,}',
];
const texts = ['', 'abc.def', 'w wä 12', 'a'.repeat(500), 'AÿB\n'];

/** JSON Schemas, and the patterns in them. */
export const schemas = parsers(
  'schemas',
  15,
  '"$ref": "#"¦"#/$defs/entry"¦"properties": {¦"allOf": [¦"items": ¦"pattern": "¦true¦{}¦"type": "null"¦(a+)+¦{9,99}¦[^\\\\]¦(?:¦|¦"not": ',
  {
    schema: { samples: [schema], read: (bytes) => judge(bytes) },
    pattern: { samples: [...patterns], read: (bytes, random) => search(bytes.toString(), random) },
  },
);

function judge(bytes: Buffer): void {
  const read = parseSchema(bytes, 'site.json');
  for (const value of values) {
    for (const { message, path } of violationsOf(read, value))
      must(message !== '' && Array.isArray(path), 'nothing is said');
  }
}

/** Searches for a pattern, which ECMAScript finds in the same texts where it takes it. */
function search(source: string, random: Random): string | undefined {
  try {
    new Pattern(source).isIn(texts[random.below(texts.length)]!);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
