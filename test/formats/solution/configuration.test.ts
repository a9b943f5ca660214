import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const grouped = `${head}solutions:
  - name: guestbook
    activeVersion: 1.1.0
    archives: [a.iso, b.iso]
  - name: other
    archives:
      - c.iso
`;
const parse = (text: string): ReturnType<typeof parseConfiguration> => parseConfiguration(utf8(text));

describe('parseConfiguration', () => {
  test('reads the grouped form, in which a Solution without activeVersion is active all the same', () => {
    expect(parse(grouped)).toEqual({
      name: 'default',
      groups: [
        { name: 'guestbook', archives: ['a.iso', 'b.iso'] },
        { name: 'other', archives: ['c.iso'] },
      ],
      active: new Map([['guestbook', '1.1.0']]),
      implicit: true,
      saysActive: true,
      environments: new Map(),
      sites: [],
    });
  });

  test('reads the form that MetalK8s ships, in which only what is named is active', () => {
    const { groups, active, implicit } = parse(
      `${head}archives: [/a.iso]\nactive: {guestbook: latest, other: 2.0.0}\n`,
    );
    expect(groups).toEqual([{ name: undefined, archives: ['/a.iso'] }]);
    expect(active).toEqual(
      new Map([
        ['guestbook', 'latest'],
        ['other', '2.0.0'],
      ]),
    );
    expect(implicit).toBe(false);
  });

  test('takes names with an e before digits for no numbers', () => {
    const environments = 'environments: {a: {e1: latest}}';
    const read = parse(`${head}metadata: {name: e2}\narchives: []\n${environments}\n`);
    expect([read.name, [...(read.environments.get('a')?.keys() ?? [])]]).toEqual(['e2', ['e1']]);
  });

  test('takes an empty file of the shipped form for one without archives', () => {
    expect(parse(`${head}archives:\nactive:\n`)).toEqual({
      name: 'default',
      groups: [{ name: undefined, archives: [] }],
      active: new Map(),
      implicit: false,
      saysActive: false,
      environments: new Map(),
      sites: [],
    });
  });

  test('reads ranges in both forms, and in the grouped one that a Solution is not active', () => {
    const ranges = parse(grouped.replace('1.1.0', '">=1.2 <2"'));
    expect(ranges.active).toEqual(new Map([['guestbook', '>=1.2 <2']]));
    expect(parse(`${head}active: {a: ^1.2, b: 1.x}\n`).active).toEqual(
      new Map([
        ['a', '^1.2'],
        ['b', '1.x'],
      ]),
    );
    expect(parse(grouped.replace('1.1.0', 'none')).active).toEqual(new Map([['guestbook', 'none']]));
    expect(() => parse(`${head}active: {a: none}\n`)).toThrow(/active\.a: has to be "latest" or a SemVer version/);
  });

  test('reads its name, which is "default" where it has none', () => {
    const named = (metadata: string): string => parse(`${head}metadata: ${metadata}\narchives: []\n`).name;
    expect(named('{name: edge-1, labels: {a: b}}')).toBe('edge-1');
    for (const none of ['', '{}', '{name: }']) expect(named(none)).toBe('default');
  });

  test.each([
    [
      'a name that no label can have',
      `${head}metadata: {name: Edge.1}\n`,
      /metadata\.name: has to be an RFC 1123 label/,
    ],
    ['a name that is a number', `${head}metadata: {name: 1}\n`, /metadata\.name/],
    [
      'a kind of its own',
      head.replace('Configuration', 'Config'),
      /kind: has to be SolutionsConfiguration, but is ".*"; did you mean/,
    ],
    ['another apiVersion', head.replace('v1alpha1', 'v2'), /apiVersion: has to be one of/],
    [
      'a version that YAML takes for a number',
      `${head}active: {a: 1.0}\n`,
      /active\.a: has to be "latest" or a SemVer version in quotes/,
    ],
    [
      'a slip in a field',
      grouped.replace('activeVersion', 'activeversion'),
      /^5:5: solutions\.0\.activeversion: unknown field; did you mean "activeVersion"/,
    ],
    ['both forms at once', `${grouped}active: {a: latest}\n`, /^1:1: has both .*: use one form$/],
    [
      'a Solution twice',
      grouped.replace('other', 'guestbook'),
      /^\d+:\d+: solutions\.1\.name: guestbook is named twice$/,
    ],
    ['broken YAML', `${head}solutions: [`, /^3:13: /],
    ['a key twice', `${head}kind: SolutionsConfiguration\n`, /the key "kind" is there twice/],
    ['an alias of what is nowhere', `${head}archives: [*a]\n`, /there is no anchor & before this alias: a/],
    ['more aliases than anybody needs', `${head}archives: [&a x${', *a'.repeat(200)}]\n`, /alias/i],
    [
      'millions of brackets that close nothing',
      `${head}${']'.repeat(4_000_000)}`,
      /^3:1: this closing bracket has no opening bracket/,
    ],
    ['brackets without end', '['.repeat(50_000), /^1:259: nested more than 256 deep$/],
    [
      'a second document',
      `---\n${head}archives: []\n---\n${head}archives: [a.iso]\n`,
      /^5:1: a second document begins here, but only one is allowed: keep one of them$/,
    ],
    ['a second document that is empty', `${head}archives: []\n---\n`, /^4:1: a second document begins here/],
    ['nothing', '', /has to be a mapping, but is empty/],
    ['a list', '- 1', /has to be a mapping, but is a list/],
  ])('refuses %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(FormatError);
    expect(() => parse(text)).toThrow(message);
  });

  test('refuses damage with a FormatError, whatever it is', () => {
    fc.assert(
      fc.property(fc.nat(grouped.length - 1), fc.string({ maxLength: 3 }), (at, inserted) => {
        try {
          parse(grouped.slice(0, at) + inserted + grouped.slice(at + 1));
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});

test('a configuration of more fields than anybody needs is refused before it is parsed', () => {
  const active = Array.from({ length: 20_001 }, (_, number) => `  s${number}: latest\n`).join('');
  expect(() => parse(`${head}archives: []\nactive:\n${active}`)).toThrow(/more than 20000 fields/);
});
