import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseExactJson } from '../../formats/exact-json.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('long-integers');
const cwd = folder;
const plane = sharedControlPlane();

const integers = '{type: integer, format: int64, maximum: 9223372036854774807, minimum: -9223372036854775808}';
const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.exact.example.com}
spec:
  group: exact.example.com
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              priority: ${integers}
              low: ${integers}
              list: {type: array, items: ${integers}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;
const thing = (name: string, spec: string): string =>
  `apiVersion: exact.example.com/v1\nkind: Thing\nmetadata: {name: ${name}, namespace: default}\nspec: ${spec}\n`;
const all = (priority: string): string =>
  `{priority: ${priority}, low: -9223372036854775807, list: [9007199254740993, 1], free: {max: 9223372036854775807}}`;

beforeAll(async () => {
  for (const [version, priority] of [
    ['1.0.0', '9223372036854773801'],
    ['1.1.0', '9223372036854773803'],
  ] as const) {
    writeFiles(join(folder, version), {
      'solution.toml': `name = "exact"
version = "${version}"

[[components]]
name = "kinds"
kind = "manifests"
path = "kinds.yaml"

[[components]]
name = "plain"
kind = "manifests"
path = "plain"
after = ["kinds"]
ready = [{ apiVersion = "exact.example.com/v1", kind = "Thing", name = "plain", namespace = "default", cel = "self.spec.priority == ${priority}" }]

[[components]]
name = "kust"
kind = "kustomize"
path = "kust"
after = ["kinds"]

[[components]]
name = "chart"
kind = "helm"
path = "chart"
after = ["kinds"]
`,
      'kinds.yaml': definition,
      'plain/yaml.yaml': thing('plain', all(priority)),
      'plain/json.json': JSON.stringify({
        apiVersion: 'exact.example.com/v1',
        kind: 'Thing',
        metadata: { name: 'json', namespace: 'default' },
        spec: { priority: 'PRIORITY' },
      }).replace('"PRIORITY"', priority),
      'kust/kustomization.yaml': `resources: [thing.yaml]
patches:
- patch: |
    apiVersion: exact.example.com/v1
    kind: Thing
    metadata: {name: kust, namespace: default}
    spec: {free: {max: ${priority}}}
`,
      'kust/thing.yaml': thing('kust', `{priority: ${priority}}`),
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/templates/thing.yaml': thing('chart', all(priority)),
    });
    await succeeds(['pack', version, '-o', `exact-${version}.iso`, '-q'], { cwd });
    writeFiles(folder, {
      [`${version}.yaml`]: `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions:
- name: exact
  archives: [exact-${version}.iso]
  patches:
    plain:
    - path: site.yaml
    - target: {kind: Thing, name: json}
      patch: '[{"op": "add", "path": "/spec/low", "value": -9223372036854773801}]'
`,
      'site.yaml': thing('plain', '{list: [9007199254740995, 1]}'),
    });
  }
});

const where = (): string[] => ['--kubeconfig', plane().kubeconfig, '--quiet'];
/** No image is pulled, so that any place does. */
const elsewhere = ['--image-folder', `k3s:${join(folder, 'images')}`];
const installs = (version: string, ...more: string[]): Promise<string> =>
  succeeds(['install', '-f', `${version}.yaml`, '--insecure-skip-verify', ...where(), ...elsewhere, ...more], { cwd });
const stored = async (name: string): Promise<unknown> => {
  const text = await plane().kubectl('get', '--raw', `/apis/exact.example.com/v1/namespaces/default/things/${name}`);
  return (parseExactJson(text) as { spec: unknown }).spec;
};
const expected = (priority: bigint) => {
  const low = -9223372036854775807n;
  const free = { max: 9223372036854775807n };
  return {
    plain: { priority, low, list: [9007199254740995n, 1], free },
    json: { priority, low: -9223372036854773801n },
    kust: { priority, free: { max: priority } },
    chart: { priority, low, list: [9007199254740993n, 1], free },
  };
};
const expectStored = async (priority: bigint): Promise<void> => {
  for (const [name, spec] of Object.entries(expected(priority))) expect(await stored(name)).toEqual(spec);
};

describe('integers that a float cannot keep', () => {
  test('are told apart by a diff of two archives', async () => {
    const { code, stdout } = await solpack(['diff', 'exact-1.0.0.iso', 'exact-1.1.0.iso', '-q'], { cwd });
    expect(code).toBe(1);
    for (const place of ['spec.priority', 'spec.free.max']) {
      expect(stdout).toContain(`${place}: 9223372036854773801 -> 9223372036854773803`);
    }
  });

  controlPlaneTest('are stored as archives and sites state them, and stay what they are', async () => {
    await installs('1.0.0');
    await expectStored(9223372036854773801n);
    const again = JSON.parse(await installs('1.0.0', '--json'));
    const actions = again.solutions[0].objects.map(({ action }: { action: string }) => action);
    expect(new Set(actions)).toEqual(new Set(['unchanged']));
  });

  controlPlaneTest('are changed by their last digit, which a plan and a status tell', async () => {
    expect(await installs('1.1.0', '--plan')).toMatch(/9223372036854773801.*9223372036854773803/s);
    await installs('1.1.0');
    await expectStored(9223372036854773803n);
    const change = '{"spec":{"priority":9223372036854773805}}';
    await plane().kubectl('patch', 'thing', 'chart', '--type=merge', '-p', change);
    const { stdout } = await solpack(['status', ...where(), '--no-images'], { cwd });
    expect(stdout).toContain('9223372036854773805');
    await succeeds(['repair', ...where()], { cwd });
    await expectStored(9223372036854773803n);
  });

  controlPlaneTest('come back with a rollback', async () => {
    await succeeds(['rollback', ...where()], { cwd });
    await expectStored(9223372036854773801n);
  });
});
