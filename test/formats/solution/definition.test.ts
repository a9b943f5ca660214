import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { positionsIn } from '../../support/positions.ts';

const good = `name = "guestbook"
version = "1.1.0"

[[images]]
reference = "nginx:1.27"

[[components]]
name = "web"
kind = "helm"
path = "charts/web"
values = ["values.yaml"]
after = ["crds"]

[[components]]
name = "crds"
kind = "manifests"
path = "crds"
`;

const problems = (text: string): readonly string[] => positionsIn(() => parseDefinition(utf8(text)));

describe('parseDefinition', () => {
  test('reads what a Solution asks of others, with alternatives in the order in which they stand', () => {
    const more = [
      'exclusive = ["cni"]',
      '[requires]',
      'cert-manager = ">=1.12 <2"',
      '"example.com/v1/Widget" = "*"',
      '[[any-of]]',
      'postgres = "^1"',
      'mysql = "8.0.0"',
      '[recommends]',
      'monitoring = "3.x"',
      '[provides]',
      'cni = "1.0.0"',
      '[conflicts]',
      'old = "*"',
      '[replaces]',
      'older = "<2"',
    ];
    const [name, version, ...rest] = good.split('\n');
    const read = parseDefinition(utf8([name, version, ...more, ...rest].join('\n')));
    expect(read).toMatchObject({
      requires: { 'cert-manager': '>=1.12 <2', 'example.com/v1/Widget': '*' },
      anyOf: [{ postgres: '^1', mysql: '8.0.0' }],
      recommends: { monitoring: '3.x' },
      provides: { cni: '1.0.0' },
      exclusive: ['cni'],
      conflicts: { old: '*' },
      replaces: { older: '<2' },
    });
    expect(Object.keys(read.anyOf![0]!)).toEqual(['postgres', 'mysql']);
    expect(parseDefinition(utf8(good))).not.toHaveProperty('requires');
  });

  test.each([
    ['requires = { guestbook = "^1" }', 'is the Solution itself'],
    ['requires = { a = "newest" }', 'has to be a SemVer range'],
    ['requires = { kubernetes = ">=1.29" }', 'the field "kubernetes" says'],
    ['requires = { "__proto__" = "*" }', '3:14: requires.__proto__: is not a name that anything may have'],
    ['annotations = { "__proto__" = "a" }', '3:17: annotations.__proto__: is not a name'],
    ['requires = { "-a" = "*" }', 'is not a name of a Solution or capability'],
    ['any-of = [{}]', 'names nothing'],
    ['provides = { cni = "1" }', 'SemVer 2.0.0'],
    ['exclusive = ["cni"]', 'cni is not in "provides"'],
  ])('refuses %s, with its position', (line, words) => {
    const [name, version, ...rest] = good.split('\n');
    expect(problems([name, version, line, ...rest].join('\n')).join('\n')).toContain(words);
  });

  test('spells out registries, and takes an image from its own reference by default', () => {
    const { images } = parseDefinition(utf8(good));
    expect(images).toEqual([
      {
        reference: 'docker.io/library/nginx:1.27',
        source: 'docker://nginx:1.27',
        platforms: undefined,
        select: 'sparse',
        referrers: true,
        foreignLayers: 'refuse',
        keep: false,
      },
    ]);
  });

  test('puts components behind those they wait for', () => {
    expect(parseDefinition(utf8(good)).components.map(({ name }) => name)).toEqual(['crds', 'web']);
  });

  test('reads how long a component may take, in seconds, and leaves out what is not said', () => {
    const { components } = parseDefinition(utf8(`${good}timeout = "1h30m"\n`));
    expect(components.map(({ name, timeout }) => [name, timeout])).toEqual([
      ['crds', 5400],
      ['web', undefined],
    ]);
  });

  test('reads what a Solution is for, and how its components are rendered', () => {
    const more = [
      'version = "1.2.x"',
      'release = "shop.web"',
      'namespace = "shop"',
      'create-namespace = { labels = { team = "a" } }',
      'render = "install"',
      'site-schema = "site.json"',
      'skip-schema-validation = true',
      'keep-drawn = true',
      'set = { replicas = 3, image = { tag = "1" } }',
    ].join('\n');
    const text = `kubernetes = ">=1.29 <1.31"\nexternal-images = ["site.example/*"]\n${good.replace('after = ["crds"]', more)}`;
    const { kubernetes, externalImages, components } = parseDefinition(utf8(text));
    expect([kubernetes, externalImages]).toEqual(['>=1.29 <1.31', ['site.example/*']]);
    expect(components.find(({ name }) => name === 'web')).toMatchObject({
      version: '1.2.x',
      release: 'shop.web',
      createNamespace: { labels: { team: 'a' } },
      atInstall: true,
      siteSchema: 'site.json',
      skipSchemaValidation: true,
      keepDrawn: true,
      set: { replicas: 3, image: { tag: '1' } },
    });
    expect(components.find(({ name }) => name === 'crds')).toMatchObject({ release: 'crds', atInstall: false });
  });

  test.each([
    [
      'a range without a version of Kubernetes in it',
      `kubernetes = ">2"\n${good}`,
      ['1:1: kubernetes: has to be a SemVer range of Kubernetes versions, such as ">=1.29 <1.36"'],
    ],
    [
      'a namespace to be made that is not named',
      good.replace('after = ["crds"]', 'create-namespace = true'),
      ['12:1: components.0.create-namespace: asks to create a namespace, but "namespace" does not name it'],
    ],
    [
      'a namespace with two values of one label',
      good
        .replace('after = ["crds"]', 'namespace = "a"\ncreate-namespace = { labels = { b = "1" } }')
        .concat('namespace = "a"\ncreate-namespace = { labels = { b = "2" } }\n'),
      ['20:1: components.1.create-namespace: another component has b = "1" for a'],
    ],
    [
      'a release of what is not a chart',
      `${good}release = "a"\n`,
      ['18:1: components.1.release: only a component of kind helm has release, not manifests'],
    ],
    [
      'an unknown field, with what was meant',
      good.replace('reference =', 'referense ='),
      ['5:1: images.0.referense: unknown field; did you mean "reference"?'],
    ],
    [
      'an unknown kind, with what was meant',
      good.replace('"helm"', '"helmm"'),
      [
        '9:1: components.0.kind: has to be one of manifests, kustomize, helm, plugin, registry+v1, plain+v0, components.d, but is "helmm"; did you mean "helm"?',
      ],
    ],
    [
      'a version that is not SemVer',
      good.replace('1.1.0', 'v1.1'),
      ['2:1: version: has to be a SemVer 2.0.0 version, such as 1.2.0 or 2.0.0-rc.1 (no leading "v")'],
    ],
    [
      'a name that is no label',
      good.replace('"guestbook"', '"Guest Book"'),
      ['1:1: name: has to be an RFC 1123 label: 1 to 63 of a-z, 0-9 and "-", no "-" at either end'],
    ],
    [
      'a field of the wrong type',
      good.replace('["values.yaml"]', '"values.yaml"'),
      ['11:1: components.0.values: has to be a list, but is a text'],
    ],
    [
      'an entry of a list',
      good.replace('["values.yaml"]', '["a",\n 3]'),
      ['12:2: components.0.values.1: has to be a text, but is a number: put it in quotes'],
    ],
    [
      'a component that waits for one that is not there',
      good.replace('["crds"]', '["crd"]'),
      ['12:10: components.0.after.0: there is no component "crd"'],
    ],
    [
      'components that wait for each other',
      `${good}after = ["web"]\n`,
      [
        '12:1: components.0.after: waits for itself, through web, crds',
        '18:1: components.1.after: waits for itself, through web, crds',
      ],
    ],
    [
      'two components of one name',
      good.replace('"crds"\nkind', '"web"\nkind').replace('after = ["crds"]\n', ''),
      ['14:1: components.1.name: web is named twice'],
    ],
    [
      'a timeout that is not a duration',
      `${good}timeout = "5 minutes"\n`,
      ['18:1: components.1.timeout: has to be a duration from 1s to 24h, such as 90s, 5m or 1h30m'],
    ],
    [
      'a timeout that lacks its unit',
      `${good}timeout = 300\n`,
      ['18:1: components.1.timeout: has to be a text, but is a number: put it in quotes'],
    ],
    [
      'values for a kind that has none',
      good.replace('path = "crds"', 'path = "crds"\nvalues = ["a"]'),
      ['18:1: components.1.values: only a component of kind helm or registry+v1 has values, not manifests'],
    ],
    [
      'a reference that is none',
      good.replace('nginx:1.27', 'NGINX!'),
      [
        '5:1: images.0.reference: "NGINX!" is not an image reference: the repository has to be lower-case names between /',
      ],
    ],
    [
      'a reference with a tag that no registry takes',
      good.replace('nginx:1.27', 'nginx:1.27+a'),
      [
        '5:1: images.0.reference: "nginx:1.27+a" is not an image reference: a tag cannot have a +; look up what the registry has instead, often 1.27_a or 1.27-a',
      ],
    ],
    [
      'an inline table',
      'name = "a"\nversion = "1.0.0"\nimages = [{ reference = "a", sorce = "b" }]\n',
      ['3:30: images.0.sorce: unknown field; did you mean "source"?'],
    ],
    [
      'a definition of nothing',
      'name = "a"\nversion = "1.0.0"\n',
      ['1:1: has neither [[images]] nor [[components]]: there is nothing to pack'],
    ],
    [
      'what is not TOML, at its place',
      'name = "a"\nversion = \n',
      [
        '2:11: a value is missing here: a text in quotes, a number, a date, true, false, a list in [ ] or a table in { }',
      ],
    ],
  ])('tells where to find %s', (_, text, expected) => {
    expect([...problems(text)].sort()).toEqual([...expected].sort());
  });

  test('takes how an image is selected, and what comes along with it', () => {
    const lines = ['platforms = ["linux/amd64"]', 'select = "index"', 'referrers = false', 'foreign-layers = "fetch"'];
    const text = ['name = "a"', 'version = "1.0.0"', '[[images]]', 'reference = "b:1"', ...lines, ''].join('\n');
    expect(parseDefinition(utf8(text)).images[0]).toMatchObject({
      platforms: ['linux/amd64'],
      select: 'index',
      referrers: false,
      foreignLayers: 'fetch',
    });
    expect(problems(text.replace(lines[0]!, ''))).toEqual([
      '6:1: images.0.select: says how "platforms" are selected, but there are none',
    ]);
    for (const [good, bad] of [
      ['"index"', '"all"'],
      ['false', '"no"'],
      ['"fetch"', 'true'],
    ] as const) {
      expect(problems(text.replace(good, bad))).toHaveLength(1);
    }
  });

  test('tells every problem, in the order of the lines', () => {
    const lines = problems('version = "1"\nname = 3\nfoo = 1\n').map((problem) => Number(problem.split(':')[0]));
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    expect(lines.length).toBe(3);
  });

  test('refuses damaged definitions with a DefinitionError, whatever the damage', () => {
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.string({ maxLength: 3 }), fc.nat(4), (at, inserted, dropped) => {
        const text = good.slice(0, at) + inserted + good.slice(at + dropped);
        expect(() => problems(text)).not.toThrow();
      }),
      { seed: 4, numRuns: 400 },
    );
  });
});

test.each([
  ['registry.site.example/*', true],
  ['*/team/app:1', true],
  ['nginx', true],
  ['a.example/b@sha256:short', false],
  ['', false],
  ['a b*', false],
])('external-images takes %j: %s', (entry, taken) => {
  const text = `name = "x"\nversion = "1.0.0"\nexternal-images = [${JSON.stringify(entry)}]\n[[images]]\nreference = "a.example/b:1"\n`;
  const read = (): unknown => parseDefinition(Buffer.from(text));
  if (taken) expect(read()).toMatchObject({ externalImages: [entry] });
  else expect(read).toThrow(/external-images\.0/);
});
