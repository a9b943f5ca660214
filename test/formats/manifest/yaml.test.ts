import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import { parseYaml, type RepeatedKey, yamlLimits } from '../../../formats/manifest/yaml.ts';

const value = (text: string): unknown => parseYaml(text, 'f.yaml')[0]?.value;
const refusal = (text: string): string => {
  try {
    return `accepted: ${JSON.stringify(parseYaml(text, 'f.yaml'))}`;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
};

describe('parseYaml', () => {
  test('reads every document and where its content begins', () => {
    expect(parseYaml('# a\n---\na: 1\n---\n---\n\nb: 2\n...\n', 'f')).toEqual([
      { value: { a: 1 }, start: 8 },
      { value: { b: 2 }, start: 22 },
    ]);
  });

  test('reads JSON, with tabs too', () => {
    expect(value('{\n\t"a": [1, "\\u00e9", null]\n}')).toEqual({ a: [1, 'é', null] });
  });

  test('lets a quoted text go on at any indentation, as kubectl does, but not past a mark of documents', () => {
    for (const quote of ["'", '"']) {
      for (const indent of ['', ' ', '  ', '    ']) {
        const text = `m:\n  a: ${quote}one\n\n${indent}two\n${indent}three${quote}\n  b: 1\nc: 2\n`;
        expect(value(text)).toEqual({ m: { a: 'one\ntwo three', b: 1 }, c: 2 });
      }
      expect(refusal(`m:\n  a: ${quote}one\n---\ntwo${quote}\n`)).toContain('f.yaml:2:');
      expect(refusal(`m:\n  - a: ${quote}one\n  b: 1\n`)).toContain('the quotes that end this text are missing');
    }
  });

  test('turns keys into strings as kubectl does, and keeps __proto__ a key', () => {
    expect(value('1: a\non: b\n0644: c')).toEqual({ 1: 'a', true: 'b', 420: 'c' });
    expect(Object.keys(value('__proto__: {polluted: true}') as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('keeps an integer that JSON writes as it is, however large', () => {
    expect(JSON.stringify(value('maximum: 9223372036854775000'))).toBe('{"maximum":9223372036854775000}');
  });

  test('expands aliases and merge keys', () => {
    expect(value('a: &a {x: 1, y1: 2}\nb: {<<: *a, x: 3}')).toEqual({ a: { x: 1, y1: 2 }, b: { x: 3, y1: 2 } });
  });

  test('takes the last of repeated keys, and tells the lines, where somebody wants to know', () => {
    const text = '# a\na: 1\nb: {c: &x 1, d: *x, c: 2}\n"a": {e: 3}\nyes: 1\n---\nf: 1\na: 2\ntrue: 1\nf: 2\nf: [3]\n';
    const repeated: RepeatedKey[] = [];
    const documents = parseYaml(text, 'f.yaml', 'yaml-invalid', (one) => repeated.push(one));
    expect(documents.map((document) => document.value)).toEqual([
      { a: { e: 3 }, b: { c: 2, d: 1 }, true: 1 },
      { f: [3], a: 2, true: 1 },
    ]);
    expect(repeated).toEqual([
      { key: 'a', before: 2, line: 4 },
      { key: 'c', before: 3, line: 3 },
      { key: 'f', before: 7, line: 10 },
      { key: 'f', before: 10, line: 11 },
    ]);
  });

  test.each([
    ['a key that is there twice', 'a: 1\n"a": 2', 'f.yaml:2:1: the key "a" is there twice'],
    ['two spellings of one key', 'yes: 1\ntrue: 2', 'f.yaml:2:1: the key "true" is there twice'],
    ['a key without a value of its own', '? [a]\n: 1', 'f.yaml:1:3: a key must be a plain value'],
    ['a tag of an application', 'a: !Ref b', 'f.yaml:1:4: this tag has no standard meaning: !Ref'],
    ['an integer that a number cannot hold', 'a: 9007199254740993', 'f.yaml:1:4: the integer 9007199254740993 is'],
    ['infinity', 'a: .inf', 'f.yaml:1:4: .inf has no meaning in JSON'],
    ['a collection within itself', 'a: &a [*a, *a]', 'f.yaml:1:1: a collection contains itself'],
    ['an alias without an anchor', 'a: *b', 'f.yaml:1:1: there is no anchor & before this alias: b'],
    ['broken structure', 'a:\n  - b\n c: d', 'f.yaml:3:'],
  ])('refuses %s, and says where', (_, text, message) => {
    expect(refusal(text)).toContain(message);
  });

  test.each([
    ['kind: Secret\ndata:\n  a: x\n  a: x\n', undefined],
    ['{"kind" : "Secret", "data": {"a": x, "a": x}}', undefined],
    ['items:\n- a: x\n  a: x\n- kind: SecretList\n', undefined],
    ['a: |\n  -----BEGIN PRIVATE KEY-----\nb: x\nb: x\n', undefined],
    ['kind: ConfigMap\na: x\na: y # Secret\n', 'a: y # Secret'],
  ])('keeps the line of an error to itself where the text may hold secrets: %j', (text, lineText) => {
    const problem = (): unknown => parseYaml(text, 'f.yaml');
    expect(problem).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ lineText })] }));
  });

  test('refuses documents made to exhaust it', () => {
    const laughs = [...'bcdefghi'].map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(9)}]`);
    expect(refusal(`a: &a [x, x]\n${laughs.join('\n')}`)).toMatch(/Excessive alias|more than/);
    expect(refusal(`a: &a 1\nb: [${'*a,'.repeat(yamlLimits.aliases + 1)}]`)).toContain('aliases');
    expect(refusal(`a: ${'['.repeat(yamlLimits.depth)}${']'.repeat(yamlLimits.depth)}`)).toContain('nested more than');
    for (const deeper of ['[', '{', '{a: ', '- ', '? ']) {
      expect(refusal(`a: 1\n---\n${deeper.repeat(1_000_000)}`)).toContain('f.yaml:3:');
      expect(refusal(deeper.repeat(1_000_000))).toContain('nested more than 256 deep');
    }
    expect(refusal(`a: []\n${']'.repeat(4_000_000)}`)).toContain('this closing bracket has no opening bracket');
    expect(refusal(`${'%X\n'.repeat(1_000_000)}---\na: 1\n`)).toContain('more than 10000 marks');
    expect(refusal(' '.repeat(yamlLimits.length + 1))).toContain('characters');
    for (const entries of [
      `a: [1${','.repeat(1_000_000)}]`,
      `a: &x\n${'- 1\n'.repeat(1_000_000)}`,
      `{a: 1${', b'.repeat(500_000)}}`,
    ]) {
      expect(refusal(entries)).toMatch(/more than \d+ entries in one document|more entries, comments, lines and text/);
    }
    const half = `a: &x [${'1,'.repeat(yamlLimits.entries / 2)}1]\n`;
    expect(parseYaml(`${half}---\n${half}---\n${half}`, 'f')).toHaveLength(3);
    expect(parseYaml(Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n'), 'f')).toHaveLength(1);
  });

  test('ends in a value or in a FormatError, whatever it is given', () => {
    const sample =
      'a: &x [1, "two", {three: 0x3}]\nb: |\n  text\n---\n? k\n: *x\n<<: {z: ~}\n...\n%YAML 1.1\n---\n- !!str 1\n';
    fc.assert(
      fc.property(fc.nat(sample.length), fc.string({ unit: 'binary', maxLength: 6 }), fc.nat(8), (at, noise, cut) => {
        refusal(sample.slice(0, at) + noise + sample.slice(at + cut));
      }),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'[]{}:,-?&*!|>\'"%@#a1 \n\t<~.'), { maxLength: 40 }), (parts) => {
        refusal(parts.join(''));
      }),
      { numRuns: 5000 },
    );
  });
});
