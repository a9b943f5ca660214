import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { makeKey } from '../support/policies.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('rollback');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);

const definition = (version: string, reference: string): string => `name = "shop"
version = "${version}"

[[components]]
name = "web"
kind = "manifests"
path = "web-${version}.yaml"

[[images]]
reference = "${reference}"
source = "oci:image-${version}:${reference}"
`;

const settings = (name: string, value: string): string => `---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: default}
data: {value: "${value}"}
`;

const reference = (version: string): string => `registry.example.com/shop/web:${version}`;
/** A Deployment that asks for no Pod is ready at once, also where no node is. */
const deployment = (version: string, replicas: number): string => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: ${replicas}
  progressDeadlineSeconds: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "${reference(version)}"}]}
`;

const crd = (versions: readonly [name: string, type: string][]): string => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: carts.shop.example.com}
spec:
  group: shop.example.com
  names: {kind: Cart, plural: carts}
  scope: Namespaced
  versions:
${versions
  .map(
    ([name, type], at) => `  - name: ${name}
    served: true
    storage: ${at === versions.length - 1}
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: ${type}}, colour: {type: string}}}}}}
`,
  )
  .join('')}`;

const versions = ['1.0.0', '2.0.0', '3.0.0'];

beforeAll(async () => {
  writeFiles(folder, {
    'web-1.0.0.yaml': [
      settings('kept', 'one'),
      settings('old', 'one'),
      deployment('1.0.0', 0),
      crd([['v1', 'string']]),
    ].join(''),
    'web-2.0.0.yaml': [
      ...[settings('kept', 'two'), settings('new', 'two'), deployment('2.0.0', 0)],
      crd([
        ['v1', 'string'],
        ['v2', 'string'],
      ]),
    ].join(''),
    // No node is there, so that its Pod never runs.
    'web-3.0.0.yaml': [settings('kept', 'three'), deployment('3.0.0', 1)].join(''),
  });
  for (const version of versions) {
    const name = reference(version);
    await writeLayout(at(`image-${version}`), [
      { name, image: buildImage({ platforms: ['linux/amd64'], seed: version }) },
    ]);
    writeFiles(folder, {
      [`${version}.toml`]: definition(version, name),
      [`${version}.yaml`]: `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: shop, archives: [shop-${version}.iso]}]
`,
    });
    await succeeds(['pack', at(`${version}.toml`), '-o', at(`shop-${version}.iso`), '--quiet']);
  }
});

interface History {
  readonly generations: readonly {
    readonly number: number;
    readonly at: string;
    readonly by: string;
    readonly state: string;
    readonly reason: string | null;
    readonly solutions: readonly { readonly name: string; readonly version: string; readonly root: string }[];
  }[];
}

async function history(): Promise<History> {
  const printed = JSON.parse(await succeeds(['history', '--kubeconfig', plane().kubeconfig, '--json', '--quiet']));
  return jsonSchemas.history.parse(printed) as History;
}

async function installsBy(trust: readonly string[], version: string, ...more: readonly string[]): Promise<Outcome> {
  const { url } = await registry();
  const where = ['--kubeconfig', plane().kubeconfig, '--registry', url, '--timeout', '20s'];
  const own = [...trust, '--trust-state', at('state')];
  return solpack(['install', '-f', at(`${version}.yaml`), ...own, ...where, '--quiet', ...more]);
}

const installs = (version: string, ...more: readonly string[]): Promise<Outcome> =>
  installsBy(['--insecure-skip-verify'], version, ...more);

const rollsBack = (...words: readonly string[]): Promise<Outcome> =>
  solpack(['rollback', ...words, '--kubeconfig', plane().kubeconfig, '--json', '--quiet']);

const valueIn = (name: string): Promise<string> =>
  plane().kubectl('get', 'configmap', name, '-o', 'jsonpath={.data.value}', '--ignore-not-found');

describe('generations', () => {
  controlPlaneTest('are there for each install that applies, and none for one that finds all as it was', async () => {
    expect((await installs('1.0.0')).code).toBe(0);
    expect((await installs('1.0.0')).code).toBe(0);
    expect((await installs('2.0.0')).code).toBe(0);
    const { generations } = await history();
    expect(generations.map(({ number, state, reason }) => ({ number, state, reason }))).toEqual([
      { number: 2, state: 'ready', reason: null },
      { number: 1, state: 'ready', reason: null },
    ]);
    expect(generations[0]).toMatchObject({ by: 'admin', solutions: [{ name: 'shop', version: '2.0.0' }] });
    expect(await valueIn('kept')).toBe('two');
  });

  controlPlaneTest('are gone back to as new ones: what was then is there, and what came since is gone', async () => {
    const { code, stdout, stderr } = await rollsBack();
    expect(code).toBe(0);
    // Objects may be stored as v2, which the first version of the Solution did not know.
    expect(stderr).toMatch(
      /carts.shop.example.com: is not changed, because .*: objects may be stored as v2, which it lacks/,
    );
    expect(jsonSchemas.rollback.parse(JSON.parse(stdout))).toMatchObject({ of: { number: 1 }, generation: 3 });
    expect([await valueIn('kept'), await valueIn('old'), await valueIn('new')]).toEqual(['one', 'one', '']);
    expect((await history()).generations[0]).toMatchObject({ number: 3, state: 'ready', cause: 'rollback', of: 1 });
    const names = await plane().kubectl(
      'get',
      'crd',
      'carts.shop.example.com',
      '-o',
      'jsonpath={.spec.versions[*].name}',
    );
    expect(names).toBe('v1 v2');
    expect((await rollsBack('2', '--name', 'edge')).code).toBe(0);
    expect([await valueIn('kept'), await valueIn('old'), await valueIn('new')]).toEqual(['two', '', 'two']);
  });

  controlPlaneTest('that failed say so and why, and --rollback-on-failure goes back by itself', async () => {
    const failed = await installs('3.0.0');
    expect(failed.code).toBe(5);
    expect(failed.stderr).toMatch(
      /generation 5 \(shop 3.0.0\) is installed in part: .*"solpack rollback 4" goes back to shop 2.0.0/,
    );
    const [five] = (await history()).generations;
    expect(five).toMatchObject({ number: 5, state: 'failed' });
    expect(five?.reason).toMatch(/Deployment default\/web.*component web of shop/);
    const rootOf = async (version: string): Promise<string> =>
      JSON.parse(await succeeds(['inspect', at(`shop-${version}.iso`), '--json', '-q'])).root;
    // Whoever trusts the one alone does not get the other back.
    const distrusting = await installsBy(['--allow-unsigned', await rootOf('3.0.0')], '3.0.0', '--rollback-on-failure');
    expect(distrusting.code).toBe(3);
    expect(distrusting.stderr).toMatch(
      /shop 3.0.0: failed, and stays in part: Deployment default\/web.*\(object-not-ready\); generation 4 of edge: is not restored, .*shop 2.0.0: .*\(signature-untrusted\).*\[not-trusted\]/,
    );
    expect([await valueIn('kept'), await valueIn('new')]).toEqual(['three', 'two']);
    const back = await installs('3.0.0', '--rollback-on-failure');
    expect(back.code).toBe(5);
    expect(back.stderr).toMatch(
      /shop 3.0.0: failed, so that generation 4 \(shop 2.0.0\) is back: Deployment default\/web/,
    );
    const { generations } = await history();
    expect(generations.slice(0, 2).map(({ number, state }) => `${number} ${state}`)).toEqual(['8 ready', '7 failed']);
    expect([await valueIn('kept'), await valueIn('new')]).toEqual(['two', 'two']);
  });

  controlPlaneTest('are refused that are not there, that failed, or whose images are gone', async () => {
    const refused = async (...words: readonly string[]): Promise<string> => {
      const { code, stderr } = await rollsBack(...words);
      return `${code} ${stderr.trim()}`;
    };
    const before = await history();
    expect(await refused('99')).toMatch(
      /^2 .*generation 99 of edge: is not remembered; there are those that succeeded: 8, 4, 3, 2, 1/,
    );
    expect(await refused('5')).toMatch(/^2 .*is failed, so it is unknown whether it ever worked/);
    expect(await refused('x')).toMatch(/^2 .*x is not the number of a generation/);
    expect(await refused('2', '--name', 'other')).toMatch(/^2 .*the cluster only remembers edge/);
    makeKey(folder, 'stranger');
    expect(await refused('1', '--key', at('stranger.pub'))).toMatch(
      /^3 .*generation 1 of edge: is not restored, .*shop 1.0.0: .*\(signature-untrusted\).*\[not-trusted\]/,
    );
    await (await registry()).stop();
    expect(await refused('1')).toMatch(
      /^5 .*images cannot be pulled: registry.example.com\/shop\/web:1.0.0 .*shop-1.0.0.iso/s,
    );
    expect(await history()).toEqual(before);
    const unasked = await rollsBack('1', '--allow-missing-images');
    expect(unasked.code).toBe(0);
    expect(unasked.stderr).toMatch(/rollback: trust was not checked: --policy/);
    expect(await valueIn('kept')).toBe('one');
  });

  controlPlaneTest('are as many as are asked for', async () => {
    const [newest] = (await history()).generations;
    const root = newest!.solutions[0]!.root;
    const others = (await history()).generations.find(({ number }) => number === 2)!.solutions[0]!.root;
    const words = ['2', '--allow-missing-images', '--keep-generations', '2', '--allow-unsigned'];
    expect((await rollsBack(...words, root)).code).toBe(3);
    const trusted = await rollsBack(...words, others);
    expect([trusted.code, trusted.stderr]).toEqual([0, expect.not.stringContaining('trust was not checked')]);
    const left = await history();
    expect(left.generations.map(({ number }) => number)).toEqual([newest!.number + 1, newest!.number]);
    const secrets = await plane().kubectl('get', 'secret', '-n', 'solpack-system', '-o', 'name');
    expect(secrets.split('\n').filter((name) => name.includes('edge.content'))).toHaveLength(2);
  });
});
