import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import { exactJson } from '../../../formats/exact-json.ts';
import { formatDocuments, type KubernetesObject, parseDocuments } from '../../../formats/manifest/documents.ts';
import { judged, ok, scratch } from '../../support/judges.ts';

const folder = scratch('documents');
const object = (name: string): KubernetesObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const tricky = [
  'yes',
  'y',
  '0644',
  '0o7',
  '1e3',
  '1_0',
  '1:30',
  '2024-01-02',
  '~',
  '',
  ' a',
  '<<',
  '=',
  '\u2028',
  '.5_0',
];
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...tricky),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[0-9_+.eExXoObB:~ -]{1,8}$/),
    fc.integer(),
    fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n) + 1n, 2n ** 53n + 1n, 9007199254740993001n, 2n ** 64n - 1n),
    fc.constantFrom(9223372036854775000, -9223372036854775000, 2 ** 53, 2 ** 63, 1e21),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...tricky), fc.string()), tie('node'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).node;

const refusal = (text: string): string => {
  try {
    return `accepted: ${JSON.stringify(parseDocuments(text, 'f.yaml'))}`;
  } catch (error) {
    if (error instanceof FormatError && error.code === 'manifest-document-invalid') return error.message;
    throw error;
  }
};

describe('parseDocuments', () => {
  test('reads objects in order, skips empty documents, and flattens lists', () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [object('b'), { ...object('c'), kind: 'Secret' }] };
    const text = `# nothing\n---\n${JSON.stringify(object('a'))}\n---\n\n---\n${JSON.stringify(list)}\n`;
    expect(parseDocuments(text, 'f').map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'ConfigMap/a',
      'ConfigMap/b',
      'Secret/c',
    ]);
  });

  test('reads Windows line ends, and a byte order mark is not a part of a document', () => {
    expect(parseDocuments('apiVersion: v1\r\nkind: A\r\nmetadata:\r\n  name: a\r\n', 'f')).toHaveLength(1);
    expect(parseDocuments('\ufeffapiVersion: v1\nkind: A\nmetadata: {name: a}\n', 'f')).toHaveLength(1);
  });

  test.each([
    ['a scalar', 'just text', 'f.yaml:1:1: not a Kubernetes object'],
    ['a list', '\n\n- a', 'f.yaml:3:1: not a Kubernetes object'],
    ['no apiVersion', 'kind: A\nmetadata: {name: a}', 'f.yaml:1:1: apiVersion is missing'],
    ['an apiVersion that is a number', 'apiVersion: 1\nkind: A', 'apiVersion is missing, or is not a text'],
    ['no kind', 'apiVersion: v1\nmetadata: {name: a}', 'kind is missing'],
    ['no metadata', 'apiVersion: v1\nkind: A', 'A has no metadata'],
    ['no name', 'apiVersion: v1\nkind: A\nmetadata: {}', 'A has no metadata.name'],
    [
      'a name that the API server would make',
      'apiVersion: v1\nkind: A\nmetadata:\n  generateName: a-',
      'f.yaml:4:3: A has metadata.generateName and no name, so each install would make one more',
    ],
    ['a name that is a path', 'apiVersion: v1\nkind: A\nmetadata: {name: ../a}', 'A has no metadata.name'],
    ['a namespace that is a path', 'apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: ..}', 'metadata.namespace'],
    [
      'a bad item',
      'apiVersion: v1\nkind: List\nitems: [{kind: A}]',
      'f.yaml:3:9: item 1 of List: apiVersion is missing',
    ],
    ['broken YAML', 'a: 1\n---\nb: [', 'f.yaml:3:'],
  ])('refuses %s, and says where', (_, text, message) => {
    expect(refusal(text)).toContain(message);
  });

  test('ends in objects or in a FormatError, whatever bytes of a manifest are changed', () => {
    const sample = formatDocuments([object('a'), { ...object('b'), data: { key: 'value\nlines', other: '0644' } }]);
    fc.assert(
      fc.property(fc.nat(sample.length), fc.nat(255), fc.nat(20), (at, byte, cut) => {
        refusal(sample.slice(0, at) + String.fromCharCode(byte) + sample.slice(at + cut));
        refusal(sample.slice(0, at));
      }),
      { numRuns: 1500 },
    );
  });
});

describe('formatDocuments', () => {
  test('writes documents that are read back as the same values', () => {
    fc.assert(
      fc.property(value, (data) => {
        const objects = [{ ...object('a'), data }, object('b')];
        expect(parseDocuments(formatDocuments(objects), 'f')).toEqual(objects);
      }),
      { numRuns: 1500 },
    );
  });

  test('leads each document with ---, keeps the order of keys, and repeats what is shared instead of linking it', () => {
    const shared = { app: 'web' };
    const text = formatDocuments([{ ...object('a'), one: shared, two: shared }]);
    expect(text).toBe(
      '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\none:\n  app: web\ntwo:\n  app: web\n',
    );
  });

  judged('writes documents that kubectl reads as the same values', ['kubectl'], async () => {
    const drawn = fc.sample(value, { numRuns: 300, seed: 11 });
    // Numbers have many spellings in JSON; what is compared here is strings and structure.
    const plain = (node: unknown): unknown => JSON.parse(exactJson(node), (_, v) => (typeof v === 'number' ? 1 : v));
    const strings = fc.oneof(
      fc.constantFrom(...tricky),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.stringMatching(/^[\n \t#:a-]{1,8}$/),
      fc.stringMatching(/^[ab\n]{1,8}$/),
    );
    const texts = fc.sample(strings, { numRuns: 1000, seed: 5 }).filter((text) => text.isWellFormed());
    const long = 'k'.repeat(2000);
    const contents = [
      ...drawn.map(plain),
      ...texts.map((text) => ({ [text]: [text, { [text]: text }] })),
      { [long]: long },
    ];
    const objects = contents.map((data, at) => ({ ...object(`o${at}`), data }));
    const file = join(folder, 'objects.yaml');
    writeFileSync(file, formatDocuments(objects));
    const printed = await ok('kubectl', ['label', '--local', '-f', file, 'a=b', '-o', 'json']);
    const theirs = JSON.parse(`[${printed.replace(/^}\n{/gm, '},\n{')}]`) as { data: unknown }[];
    expect(theirs.map(({ data }) => data)).toEqual(contents);
  });
});

describe('a stream of JSON objects', () => {
  const one = (name: string) => `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "${name}"}}`;

  test.each([
    ['one behind the other', `${one('a')}${one('b')}`],
    ['in lines', `${one('a')}\n\n${one('b')}\n`],
    ['over several lines', JSON.stringify(JSON.parse(one('a')), null, 2).repeat(2)],
  ])('is as many documents as it has: %s', (_, text) => {
    const names = parseDocuments(text, 'f').map(({ metadata }) => metadata.name);
    expect(names).toEqual(['a', text.includes('"b"') ? 'b' : 'a']);
  });

  test('says at which place of the text something is wrong', () => {
    const position = (text: string) => {
      try {
        return parseDocuments(text, 'f');
      } catch (error) {
        return (error as { position?: object }).position;
      }
    };
    expect(position(`${one('a')}\n  {"apiVersion": "v1", "kind": 1, "metadata": {"name": "b"}}\n`)).toMatchObject({
      line: 2,
      column: 24,
    });
    expect(position(`${one('a')}\n${one('b')}\n{"kind": "A", "kind": "B"}`)).toMatchObject({ line: 3, column: 15 });
  });

  test('is bounded', () => {
    expect(() => parseDocuments('{}\n'.repeat(20_000), 'f')).toThrow('more than 10000 documents');
  });
});

test('an integer of 64 bits keeps all its digits, and a larger one is refused', () => {
  const read = (digits: string) =>
    parseDocuments(`{apiVersion: v1, kind: A, metadata: {name: a}, spec: {x: ${digits}}}`, 'f')[0]!['spec'];
  expect(read('9223372036854774807')).toEqual({ x: 9223372036854774807n });
  expect(read('18446744073709551615')).toEqual({ x: 2n ** 64n - 1n });
  expect(read('-9223372036854775808')).toEqual({ x: -(2n ** 63n) });
  expect(read('9007199254740992')).toEqual({ x: 2 ** 53 });
  expect(() => read('18446744073709551616')).toThrow('too large for an exact value');
});
