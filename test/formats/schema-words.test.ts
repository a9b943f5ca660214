import { describe, expect, test } from 'vitest';
import { utf8 } from '../../formats/bytes.ts';
import { parseProfile } from '../../formats/profile/profile.ts';
import { parseConfiguration } from '../../formats/solution/configuration.ts';
import { parseDefinition } from '../../formats/solution/definition.ts';
import { parseLock } from '../../formats/solution/lock.ts';
import { parsePolicy } from '../../formats/trust/parse-policy.ts';
import { positionsIn } from '../support/positions.ts';

const nul = 'has a NUL character, which cannot stand here';
const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const component = (fields: string): string => `[[components]]\nname = "web"\nkind = "helm"\n${fields}`;
const image = (field: string): string => `[[images]]\nreference = "web:1"\n${field}`;
const key = { id: 'a'.repeat(64), file: 'a\0b', status: 'active' };
const policy = { version: 1, keys: [key], policies: [{ match: '*', keys: [key.id], threshold: 1 }] };

describe('a NUL character, which no path can have', () => {
  test.each([
    ['6:1: components.0.path', component('path = "a\\u0000b"')],
    ['7:16: components.0.values.1', component('path = "a"\nvalues = ["x", "a\\u0000b"]')],
    ['7:1: components.0.site-schema', component('path = "a"\nsite-schema = "a\\u0000b"')],
    ['5:1: images.0.source', image('source = "oci:a\\u0000b"')],
    ['5:1: images.0.sbom', image('sbom = "a\\u0000b"')],
    ['3:1: sbom', `sbom = "a\\u0000b"\n${image('')}`],
  ])('is refused in a definition at %s', (place, text) => {
    const source = `name = "shop"\nversion = "1.0.0"\n${text}\n`;
    expect(positionsIn(() => parseDefinition(utf8(source)))).toEqual([`${place}: ${nul}`]);
  });

  test.each([
    ['3:12: archives.0', 'archives: ["a\\0b"]'],
    ['5:14: solutions.0.archives.0', 'solutions:\n- name: shop\n  archives: ["a\\0b"]'],
    ['3:23: values.web.0', 'values: {shop: {web: ["a\\0b"]}}'],
    ['3:34: secrets.web.0.file', 'secrets: {shop: {web: [{path: a, file: "a\\0b"}]}}'],
    ['3:25: patches.web.0.path', 'patches: {shop: {web: [{path: "a\\0b"}]}}'],
    ['3:61: values.web.0', 'environments: {shop: {web: {version: latest, values: {web: ["a\\0b"]}}}}'],
  ])('is refused in a configuration at %s', (place, text) => {
    expect(positionsIn(() => parseConfiguration(utf8(`${head}${text}\n`)))).toEqual([`${place}: ${nul}`]);
  });

  test('is refused in a policy, in TOML and in JSON', () => {
    const [toml, json] = [
      `version = 1\n[[keys]]\nid = "${key.id}"\nfile = "a\\u0000b"\nstatus = "active"\n`,
      JSON.stringify(policy, null, 1),
    ].map((text) => positionsIn(() => parsePolicy(utf8(text))));
    expect(toml).toContain(`4:1: keys.0.file: ${nul}`);
    expect(json).toContain(`6:4: keys.0.file: ${nul}`);
  });

  test.each([
    ['1:1: kubeconfig', 'kubeconfig = "a\\u0000b"'],
    ['1:9: keys.0', 'keys = ["a\\u0000b"]'],
  ])('is refused in a profile at %s', (place, text) => {
    expect(positionsIn(() => parseProfile(utf8(`${text}\n`)))).toEqual([`${place}: ${nul}`]);
  });

  test('may be in values, which are a chart’s', () => {
    const { sites } = parseConfiguration(utf8(`${head}values: {shop: {web: [{a: "a\\0b"}]}}\n`));
    expect(sites[0]?.values[0]?.at.value).toEqual({ a: 'a\0b' });
  });
});

test('a number that is none is called that', () => {
  expect(positionsIn(() => parseLock(utf8('lockVersion = nan\n')))).toEqual([
    '1:1: lock: lockVersion: has to be 1, but is no number',
  ]);
});

describe('a field __proto__, which a table of names would leave out without a word', () => {
  test.each([
    'active: {__proto__: latest}',
    'values: {shop: {__proto__: [a.yaml]}}',
    'environments: {shop: {__proto__: {}}}',
  ])('is refused: %s', (text) => {
    expect(positionsIn(() => parseConfiguration(utf8(`${head}archives: []\n${text}\n`)))).toEqual([
      expect.stringMatching(/^4:\d+: .*__proto__: is not a name that anything may have$/),
    ]);
  });
});
