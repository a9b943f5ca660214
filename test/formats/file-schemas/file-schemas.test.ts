import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from '@iarna/toml';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { utf8 } from '../../../formats/bytes.ts';
import { type FileFormat, fileFormats, schemaFile } from '../../../formats/document/schema-line.ts';
import { fileSchema, fileSchemaText } from '../../../formats/file-schemas/index.ts';
import { parseSchema } from '../../../formats/json-schema/schema.ts';
import { violationsOf } from '../../../formats/json-schema/validate.ts';
import { mistakes } from '../../support/editors/planted.ts';
import * as whole from '../../support/editors/whole-files.ts';
import { isRead, readers } from '../../support/editors/written-files.ts';
import { sampledRuns } from '../../support/sample.ts';

type Part = Readonly<Record<string, unknown>>;

const published = join(import.meta.dirname, '../../../docs/schemas/files');
const schemas = Object.fromEntries(
  fileFormats.map((format) => [format, parseSchema(utf8(fileSchemaText(format)), format)]),
) as Record<FileFormat, ReturnType<typeof parseSchema>>;

/** Whole files, as what JSON has of them: TOML's dates as texts. */
const wholes: readonly (readonly [FileFormat, unknown])[] = [
  ['definition', plain(parse(whole.wholeDefinition))],
  ['configuration', parseYaml(whole.wholeConfiguration)],
  ['configuration', parseYaml(whole.flatConfiguration)],
  ['policy', plain(parse(whole.wholePolicy))],
  ['profile', plain(parse(whole.wholeProfile))],
  ['profile', plain(parse(whole.profileWithKeys))],
];

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Writes a value as a file of a format; undefined where that cannot be written so. */
function written(format: FileFormat, value: unknown): string | undefined {
  if (format === 'configuration' || format === 'policy') return JSON.stringify(value);
  try {
    return stringify(value as Parameters<typeof stringify>[0]);
  } catch {
    return undefined;
  }
}

/** Lists the fields of a schema with the paths that lead to them, `*` standing for any name and number. */
function fieldsOf(part: Part, path = ''): [path: string, field: Part][] {
  const at = (step: string, inner: unknown): [string, Part][] =>
    typeof inner === 'object' && inner !== null ? fieldsOf(inner as Part, path === '' ? step : `${path}.${step}`) : [];
  const fields = Object.entries((part['properties'] ?? {}) as Record<string, Part>);
  return [
    ...fields.map(([name, field]): [string, Part] => [path === '' ? name : `${path}.${name}`, field]),
    ...fields.flatMap(([name, field]) => at(name, field)),
    ...at('*', part['items']),
    ...at('*', part['additionalProperties']),
    ...((part['anyOf'] ?? []) as Part[]).flatMap((form) => fieldsOf(form, path)),
  ];
}

describe.each(fileFormats)('the schema of a %s', (format) => {
  const schema = fileSchema(format);
  const fields = fieldsOf(schema).filter(([, field]) => 'type' in field || 'anyOf' in field);

  test('is published as it is made', () => {
    expect(readFileSync(join(published, schemaFile(format)), 'utf8')).toBe(fileSchemaText(format));
  });

  test('is of draft-07, without references, and with patterns that every reader knows', () => {
    expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
    expect(fileSchemaText(format)).not.toMatch(/"\$(?:ref|id|defs)"|"definitions"/);
    expect(schemas[format].patterns.size).toBeGreaterThan(1);
  });

  test('describes every field in words', () => {
    expect(fields.length).toBeGreaterThan(10);
    const poor = fields.filter(([, { description }]) => !/^[A-Z"a].*\.$/.test(String(description ?? '')));
    expect(poor.map(([path]) => path)).toEqual([]);
  });

  test('has no field that no whole file of the tests has', () => {
    const values = wholes.filter(([one]) => one === format).map(([, value]) => value);
    const has = (value: unknown, [step, ...rest]: readonly string[]): boolean => {
      if (step === undefined) return true;
      if (typeof value !== 'object' || value === null) return false;
      const inner = step === '*' ? Object.values(value) : Object.hasOwn(value, step) ? [(value as Part)[step]] : [];
      return inner.some((one) => has(one, rest));
    };
    const absent = fields.filter(([path]) => !values.some((value) => has(value, path.split('.'))));
    // Sites of environments have the fields of those of Solutions.
    const own = absent.filter(
      ([path]) => !/environments\..*(?:values|secrets|patches|keepDrawn)|^(?:secrets|patches)\./.test(path),
    );
    expect(own.map(([path]) => path)).toEqual([]);
  });

  test('accepts whole files', () => {
    for (const [, value] of wholes.filter(([one]) => one === format)) {
      expect(violationsOf(schemas[format], value)).toEqual([]);
      expect(isRead(format, written(format, value)!)).toBe(true);
    }
  });

  test('refuses what is planted', () => {
    const planted = mistakes.filter((one) => one.format === format);
    const read = format === 'configuration' ? parseYaml : (text: string): unknown => plain(parse(text));
    const missed = planted.filter(({ text }) => violationsOf(schemas[format], read(text)).length === 0);
    // Without its time, TOML's date is a text of another form than what JSON makes of it.
    expect(missed.map(({ mistake }) => mistake).filter((mistake) => mistake !== 'a day without a time')).toEqual([]);
  });
});

/** Least files, in which a field may be set to its default. */
const least: Readonly<Record<Exclude<FileFormat, 'profile'>, unknown>> = {
  definition: {
    name: 'shop',
    version: '1.0.0',
    images: [{ reference: 'registry.example.com/a:1', platforms: ['linux/amd64'] }],
    components: [{ name: 'web', kind: 'helm', path: 'web' }],
  },
  configuration: {
    apiVersion: 'solutions.metalk8s.scality.com/v1alpha1',
    kind: 'SolutionsConfiguration',
    metadata: {},
    solutions: [{ name: 'shop', archives: [], environments: { 'team-a': {} } }],
  },
  policy: {
    version: 1,
    keys: [{ id: 'a'.repeat(64), file: 'a.pub' }],
    policies: [{ match: '*', keys: ['a'.repeat(64)], allow: {} }],
  },
};

/** Sets the field at a path, everywhere where something has room for it and says nothing; returns whether anything has it then. */
function set(value: unknown, [step = '', ...rest]: readonly string[], to: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (rest.length === 0) {
    if (!Object.hasOwn(value, step)) (value as Record<string, unknown>)[step] = to;
    return true;
  }
  const inner = step === '*' ? Object.values(value) : [(value as Part)[step]];
  return inner.map((one) => set(one, rest, to)).some((done) => done);
}

test.each(Object.entries(least))('a default of a %s is what counts where it is left out', (format, value) => {
  const read = readers[format as FileFormat];
  const before = read(Buffer.from(written(format as FileFormat, value)!));
  const defaults = fieldsOf(fileSchema(format as FileFormat)).filter(([, field]) => 'default' in field);
  expect(defaults.length).toBeGreaterThan(1);
  for (const [path, field] of defaults.filter(([path]) => !path.startsWith('environments.'))) {
    const other = structuredClone(value);
    expect(set(other, path.split('.'), field['default']), path).toBe(true);
    // A bound that says nothing is no bound; the one that moves tags is asked for false alone.
    if (path === 'policies.*.allow.moveTags') continue;
    expect(read(Buffer.from(written(format as FileFormat, other)!)), path).toEqual(before);
  }
});

/** What stands in the place of something. */
const others: readonly unknown[] = [
  ...[
    '',
    'a',
    'A',
    'latest',
    'none',
    '1.0.0',
    'v1.0.0',
    '^1',
    '1 || 2',
    '5m',
    '0s',
    'helm',
    'manifests',
    'a/b:1',
    'https://a/b',
  ],
  ...['2026-01-01T00:00:00Z', '2026-01-01', 'a'.repeat(64), 'kube-system', 'linux/amd64', '*', 'x@sha256:0', ' ', 'é'],
  ...[0, 1, -1, 1.5, true, false, null, [], ['a'], {}, { a: 'a' }, { a: ['a'] }, [{}], { name: 'a' }, [[]]],
];

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { holder: value as Record<string, unknown>, key },
    ...placesIn(inner),
  ]);
}

/** Changes one thing. */
function mutate(value: unknown, at: number, how: 'set' | 'remove' | 'rename' | 'add', other: unknown): void {
  const places = placesIn(value);
  const { holder, key } = places[at % places.length] ?? { holder: value as Record<string, unknown>, key: 'a' };
  if (how === 'set') holder[key] = structuredClone(other);
  else if (Array.isArray(holder))
    how === 'remove' ? holder.splice(Number(key), 1) : holder.push(structuredClone(other));
  else if (how === 'add') holder[typeof other === 'string' ? other : 'more'] = structuredClone(holder[key]);
  else {
    const kept = holder[key];
    delete holder[key];
    if (how === 'rename') holder[`${key}x`] = kept;
  }
}

test('no editor refuses what solpack reads, whatever is changed in a file', () => {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('set', 'remove', 'rename', 'add' as const),
    fc.constantFrom(...others),
  );
  let read = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...wholes),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      ([format, value], changes) => {
        const other = structuredClone(value);
        for (const [at, how, one] of changes) mutate(other, at, how, one);
        const text = written(format, other);
        if (text === undefined || !isRead(format, text)) return;
        read += 1;
        const again = format === 'configuration' || format === 'policy' ? other : plain(parse(text));
        expect(violationsOf(schemas[format], again), text).toEqual([]);
      },
    ),
    sampledRuns(5_000),
  );
  expect(read).toBeGreaterThan(20);
});
