import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { checkValues } from '../../../formats/chart/check-values.ts';
import { finalValues, type ValuesChart, valuesChart } from '../../../formats/chart/default-values.ts';
import { mergeValues, reach, valuesAt, withoutNulls } from '../../../formats/chart/merge-values.ts';
import { readChartValues } from '../../../formats/chart/values.ts';
import { packChart } from '../../../formats/chart/write.ts';
import { parseSchema } from '../../../formats/json-schema/schema.ts';
import type { CollectedFile } from '../../../lib/parts/components/kind.ts';

/** Packs files as a chart, as `pack` does. */
async function packed(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const all = Object.entries(files).map(([path, content]): CollectedFile => {
    const bytes = typeof content === 'string' ? utf8(content) : content;
    const open = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes;
    };
    return { path, mode: 0o644, size: bytes.length, open };
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of packChart(name, all)) pieces.push(piece);
  return Buffer.concat(pieces);
}
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const values = `
replicas: 1
port: 80
host: example.com
unset: ""
nothing: null
template: |
  a: {{ .b }}
enabled: false
labels: {}
hosts: []
deep: {er: {known: 1}}
store: {size: 1Gi}
`;
const schema = { properties: { port: { maximum: 100 }, hidden: { type: 'string' } } };

async function shop(): Promise<ReturnType<typeof valuesChart>> {
  const cache = await packed('cache', {
    'Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 1.0.0\n',
    'values.yaml': 'size: 1\n',
  });
  const bytes = await packed('shop', {
    'Chart.yaml': `apiVersion: v2
name: shop
version: 1.0.0
dependencies:
- {name: store, version: 1.0.0, condition: store.enabled, tags: [data]}
- {name: cache, alias: front, version: 1.0.0, condition: toggles.front}
- {name: remote, version: 1.0.0, repository: "https://example.com"}
`,
    'values.yaml': values,
    'values.schema.json': JSON.stringify(schema),
    'charts/store/Chart.yaml': 'apiVersion: v2\nname: store\nversion: 1.0.0\n',
    'charts/store/values.yaml': 'size: 2Gi\nclass: fast\nauth: {user: a}\n',
    'charts/store/values.schema.json': JSON.stringify({ properties: { class: { enum: ['fast', 'slow'] } } }),
    'charts/cache-1.0.0.tgz': cache,
  });
  return valuesChart(await readChartValues(once(bytes)));
}

const chart = await shop();
const found = (site: Record<string, unknown>, author: readonly Record<string, unknown>[] = []): string[] =>
  checkValues(chart, author, site).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('values of a site', () => {
  test.each<[string, Record<string, unknown>]>([
    [
      'stand for defaults of their type',
      { replicas: 3, host: 'a', enabled: true, hosts: ['a'], deep: { er: { known: 2 } } },
    ],
    ['are numbers with a unit where a number is usual', { replicas: '50%' }],
    ['are numbers where a text is usual', { host: 1 }],
    ['take defaults away', { replicas: null, deep: null }],
    ['are anything where nothing is set', { unset: true, nothing: [1], template: { a: 1 } }],
    ['are anything in a mapping that is empty', { labels: { a: 1, b: { c: [] } } }],
    [
      'are those of a chart in the chart',
      { store: { class: 'slow', enabled: false, auth: { user: 'b' } }, front: { size: 2 } },
    ],
    ['are those of a chart that was not packed', { remote: { anything: 1 } }],
    ['are shared by all charts', { global: { any: { thing: 1 } }, store: { global: { a: 1 } } }],
    ['switch charts by conditions and tags', { toggles: { front: true }, tags: { data: false } }],
    ['are in the schema alone', { hidden: 'a' }],
  ])('%s', (_, site) => {
    expect(found(site)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown field', { replica: 1 }, 'replica: unknown field; did you mean "replicas"?'],
    [
      'an unknown field deep inside',
      { deep: { er: { knowm: 1 } } },
      'deep.er.knowm: unknown field; did you mean "known"?',
    ],
    [
      'an unknown field of a chart in the chart',
      { store: { klass: 1 } },
      'store.klass: unknown field; did you mean "class"?',
    ],
    ['a name instead of an alias', { cache: { size: 1 } }, 'cache: unknown field'],
    ['a text for a number', { replicas: 'three' }, 'replicas: has to be a number, as by default, but is a text'],
    ['a text for a boolean', { enabled: 'no' }, 'enabled: has to be true or false, as by default, but is a text'],
    ['a list for a text', { host: ['a'] }, 'host: has to be a text, as by default, but is a list'],
    ['no mapping for a mapping', { deep: 1 }, 'deep: has to be a mapping, but is a whole number'],
    ['a number for an empty mapping', { labels: 1 }, 'labels: has to be a mapping, but is a whole number'],
    ['no mapping for a chart', { front: true }, 'front: has to be a mapping, but is true or false'],
    ['an unknown tag', { tags: { date: true } }, 'tags.date: unknown field; did you mean "data"?'],
    ['a tag that is not a boolean', { tags: { data: 1 } }, 'tags.data: has to be true or false, but is a whole number'],
    ['what the schema refuses', { port: 8080 }, 'port: has to be at most 100'],
    [
      'what the schema of a chart in the chart refuses',
      { store: { class: 'medium' } },
      'store.class: has to be one of "fast", "slow"',
    ],
  ])('are refused with %s', (_, site, message) => {
    expect(found(site)).toEqual([message]);
  });

  test('may name what the author of the Solution has set', () => {
    expect(found({ added: { a: 2 } }, [{ added: { a: 1 } }])).toEqual([]);
  });

  test('are not to blame for what the chart or the author have wrong', () => {
    expect(found({ replicas: 2 }, [{ port: 8080 }])).toEqual([]);
  });
});

describe('a schema that would take without end', () => {
  const processorSeconds = (work: () => void): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const schemaOf = (value: unknown) => parseSchema(utf8(JSON.stringify(value)), 'values.schema.json');
  const known = (schema: ReturnType<typeof schemaOf> | undefined, parts: ValuesChart['parts'] = new Map()) => {
    return { defaults: {}, schema, parts, conditions: [], tags: [] } satisfies ValuesChart;
  };

  test('since it refers to itself in many ways is asked once about a field', () => {
    const schema = schemaOf({ allOf: Array.from({ length: 20 }, () => ({ $ref: '#' })), properties: { a: {} } });
    const seconds = processorSeconds(() => {
      expect(checkValues(known(schema), [], { a: 1, b: 2 }, true)).toEqual([]);
    });
    expect(seconds).toBeLessThan(1);
  });

  test('has as much time for all charts of a chart together as for one', () => {
    const slow = schemaOf({ additionalProperties: { type: 'string', pattern: '^(a?){900}x$' } });
    const texts = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, 'a'.repeat(1000)]));
    const names = Array.from({ length: 50 }, (_, at) => `p${at}`);
    const all = known(undefined, new Map(names.map((name) => [name, known(slow)])));
    const seconds = processorSeconds(() => {
      checkValues(all, [], Object.fromEntries(names.map((name) => [name, texts])));
    });
    expect(seconds).toBeLessThan(5);
  });

  test('by a pattern for names says nothing of a name', () => {
    const schema = schemaOf({ patternProperties: { 'a{1000}b{1000}c{1000}': {} } });
    expect(checkValues(known(schema), [], { ['a'.repeat(5000)]: 1 })).toEqual([]);
  });
});

test('values of several files are merged as Helm merges them, and reach charts in charts with what is global', () => {
  const merged = mergeValues([
    { a: { b: 1, c: 2 }, d: [1] },
    { a: { b: null }, d: [2] },
    valuesAt(['a', 'x', 'y'], 's'),
  ]);
  expect(merged).toEqual({ a: { b: null, c: 2, x: { y: 's' } }, d: [2] });
  expect(withoutNulls(merged)).toEqual({ a: { c: 2, x: { y: 's' } }, d: [2] });
  expect(finalValues(chart, [{ global: { g: 1 }, store: { class: 'slow' } }])).toMatchObject({
    store: { size: '1Gi', class: 'slow', auth: { user: 'a' }, global: { g: 1 } },
    front: { size: 1, global: { g: 1 } },
  });
  expect([reach({ a: { b: 1 } }, ['a', 'b', 'c']), reach({ a: {} }, ['a', 'b']), reach({}, [])]).toEqual([
    2,
    undefined,
    0,
  ]);
  expect(mergeValues([JSON.parse('{"__proto__": {"x": 1}}')])).toEqual(JSON.parse('{"__proto__": {"x": 1}}'));
});
