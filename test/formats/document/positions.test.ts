import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { parseKustomization } from '../../../formats/manifest/kustomization.ts';
import { parseYaml } from '../../../formats/manifest/yaml.ts';
import { parseRegistriesConf } from '../../../formats/oci/registries-conf.ts';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { parseLock } from '../../../formats/solution/lock.ts';
import { parseMend } from '../../../formats/trust/mend.ts';
import { parsePolicy } from '../../../formats/trust/parse-policy.ts';
import { expectInside, pointedAt, positionsIn } from '../../support/positions.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const id = 'ab'.repeat(32);
const definition = `name = "hello"
version = "1.0.0"
description = "字 😀" # after it

[[images]]
reference = "example.com/web:1"
platforms = ["linux/amd64", "linux/arm64/v8"]

[[components]]
name = "web"
kind = "helm"
path = "charts/web"
after = [ ]
`;
const lock = `lockVersion = 1
created = 0
root = "${digest}"
[[components]]
name = "web"
kind = "helm"
digest = "${digest}"
`;
const policy = `version = 1
[[keys]]
id = "${id}"
file = "a.pub"
notBefore = 2026-01-01 00:00:00Z
[[policies]]
match = "hello-*"
keys = ["${id}"]
`;
const policyInJson = `{
\t"version": 1,
\t"keys": [{"id": "${id}", "file": "a.pub"}],
\t"policies": [{"match": "*", "keys": ["${id}"], "threshold": 1}]
}`;
const mend =
  'type = "solpack-mend/v1"\n[[solutions]]\nname = "hello"\nfrom = { sequence = 9 }\nto = { sequence = 3 }\n';
const registries = '[[registry]]\nprefix = "*.example.com"\nlocation = "mirror.example.com:5000/x"\ninsecure = true\n';
const configuration = `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions:
- name: hello
  activeVersion: "1.0.0"
  archives: [/srv/hello.iso, {a: b}]
`;
const objects = `# 😀
apiVersion: v1
kind: ConfigMap
metadata: {name: text, namespace: hello}
data:
  a: |
    several
    lines
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: x}}
`;

type Reader = (text: string) => unknown;
const readers: [string, string, Reader][] = [
  ['definition', definition, (text) => parseDefinition(utf8(text))],
  ['lock', lock, (text) => parseLock(utf8(text))],
  ['policy', policy, (text) => parsePolicy(utf8(text))],
  ['policy in JSON', policyInJson, (text) => parsePolicy(utf8(text))],
  ['mend', mend, (text) => parseMend(utf8(text))],
  ['registries.conf', registries, (text) => parseRegistriesConf(utf8(text))],
  ['SolutionsConfiguration', configuration, (text) => parseConfiguration(utf8(text))],
  ['manifest', objects, (text) => parseDocuments(text, 'f.yaml')],
  ['file of values', objects, (text) => parseYaml(text, 'f.yaml')],
  ['kustomization', 'resources: [a.yaml]\n', (text) => parseKustomization(text, 'f.yaml')],
];

describe('a damaged', () => {
  test.each(readers)('%s is accepted or refused at a position that it has', (_, sample, read) => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\t',
        '字',
        '😀',
        '"',
        '[',
        ']',
        '{',
        '}',
        ' = ',
        ': ',
        '- ',
        "'''",
        '"""',
        '\u0000',
      ),
    );
    fc.assert(
      fc.property(fc.nat(sample.length), piece, fc.nat(12), fc.boolean(), (at, noise, cut, windows) => {
        const damaged = `${sample.slice(0, at)}${noise}${sample.slice(at + cut)}`.toWellFormed();
        const text = windows ? damaged.replace(/\r?\n/g, '\r\n') : damaged;
        try {
          expectInside(text, () => read(text));
        } catch (error) {
          // Without a position there is at least a code.
          if (!(error instanceof FormatError)) throw error;
        }
      }),
      { numRuns: 500, seed: 20 },
    );
  });
});

describe('what is pointed at', () => {
  test.each<[string, Reader, string, string, readonly string[], readonly string[]]>([
    [
      'an unknown field of a definition, by its name',
      (text) => parseDefinition(utf8(text)),
      definition.replace('kind =', 'knd ='),
      '',
      ['11:1: components.0.knd: unknown field; did you mean "kind"?'],
      ['knd'],
    ],
    [
      'a field of a definition whose value is wrong, with that',
      (text) => parseDefinition(utf8(text)),
      definition,
      'version = "1.0.0"¦version = "v1"',
      ['2:1: version: has to be a SemVer 2.0.0 version, such as 1.2.0 or 2.0.0-rc.1 (no leading "v")'],
      ['version = "v1"'],
    ],
    [
      'an entry of a list behind a date with a blank',
      (text) => parsePolicy(utf8(text)),
      policy,
      `keys = ["${id}"]¦keys = [2026-01-01 00:00:00Z, "x"]`,
      ['8:9: policies.0.keys.0', '8:31: policies.0.keys.1'],
      ['2026-01-01 00:00:00Z', '"x"'],
    ],
    [
      'a digest in a lock that is none',
      (text) => parseLock(utf8(text)),
      lock,
      `kind = "helm"\ndigest = "${digest}"¦kind = "helm"\ndigest = "none"`,
      ['7:1: lock: components.0.digest: '],
      ['digest = "none"'],
    ],
    [
      'what is no TOML in a lock, without a second telling of the position',
      (text) => parseLock(utf8(text)),
      lock,
      'created = 0¦created = =',
      [
        '2:11: a value is missing here: a text in quotes, a number, a date, true, false, a list in [ ] or a table in { }',
      ],
      ['='],
    ],
    [
      'an entry of a list in a SolutionsConfiguration',
      (text) => parseConfiguration(utf8(text)),
      configuration,
      '',
      ['6:30: solutions.0.archives.1: has to be a text, but is a mapping'],
      ['{a: b}'],
    ],
    [
      'the namespace of an object in a list',
      (text) => parseDocuments(text, 'f.yaml'),
      objects,
      'metadata: {name: x}¦metadata: {name: x, namespace: ../y}',
      ['13:54: item 1 of List: Secret x has a metadata.namespace that the API does not accept'],
      ['namespace: ../y'],
    ],
  ])('is %s', (_, read, sample, change, positions, pieces) => {
    const [before = '', after = ''] = change.split('¦');
    const text = before === '' ? sample : sample.replace(before, after);
    const found = positionsIn(() => read(text));
    expect(found).toHaveLength(positions.length);
    for (const [index, position] of positions.entries()) expect(found[index]).toContain(position);
    expect(pointedAt(text, () => read(text))).toEqual(pieces);
  });
});

describe('TOML with line ends of Windows', () => {
  const windows = (text: string): string => text.replaceAll('\n', '\r\n');

  const ofToml = ['definition', 'lock', 'policy', 'mend', 'registries.conf'];
  const inToml = readers.filter(([what]) => ofToml.includes(what));
  test.each(inToml)('says as a %s what it says with others, comments and all', (_, sample, read) => {
    const told = `# first\n${sample}# last\n`;
    expect(read(windows(told))).toEqual(read(told));
  });

  test.each([
    ['an unknown field', definition.replace('kind =', 'knd =')],
    ['what is no TOML', definition.replace('"1.0.0"', '1.0.0 # 字')],
    ['a key that is there twice', definition.replace('[[images]]', 'name = "x" # again\n\n[[images]]')],
  ])('has %s where it is with others', (_, text) => {
    const read = (one: string) => (): unknown => parseDefinition(utf8(one));
    expect(positionsIn(read(windows(text)))).toEqual(positionsIn(read(text)));
    expect(pointedAt(windows(text), read(windows(text)))).toEqual(pointedAt(text, read(text)));
  });
});
