import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import type { Outcome } from '../support/judges.ts';
import { scratch } from '../support/judges.ts';

// Several versions of a Solution side by side, each in its namespace, on a real API server.

const folder = scratch('environments');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();

/** Namespaces take their time to go. */
const PATIENCE = 300_000;

const versions = ['1.0.0', '1.1.0', '2.0.0'];

/** An operator with its account and rights, a definition, and what it watches. Each version says which it is. */
const operator = (version: string): string => `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: shops}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: carts.shop.example.com, annotations: {version: "${version}"}}
spec:
  group: shop.example.com
  names: {kind: Cart, plural: carts}
  scope: Namespaced
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: operator, namespace: shop}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop-operator, annotations: {version: "${version}"}}
rules: [{apiGroups: [shop.example.com], resources: [carts], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: shop-operator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: shop-operator}
subjects: [{kind: ServiceAccount, name: operator, namespace: shop}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: shop-reads, namespace: kube-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: extension-apiserver-authentication-reader}
subjects: [{kind: ServiceAccount, name: operator, namespace: shop}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: operator, namespace: shop}
spec:
  replicas: 0
  selector: {matchLabels: {app: operator}}
  template:
    metadata: {labels: {app: operator}}
    spec: {serviceAccountName: operator, containers: [{name: operator, image: "registry.example.com/shop/operator:${version}", imagePullPolicy: Never}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: shop-carts, annotations: {version: "${version}"}}
webhooks:
  - name: carts.shop.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: {service: {name: operator, namespace: shop, path: /check}}
    rules: [{apiGroups: [shop.example.com], apiVersions: [v1], operations: [CREATE], resources: [carts]}]
`;

const cart = (version: string): string => `apiVersion: shop.example.com/v1
kind: Cart
metadata: {name: main}
spec: {version: "${version}"}
`;

const definition = (version: string): string => `name = "shop"
version = "${version}"

[[components]]
name = "operator"
kind = "manifests"
path = "operator-${version}.yaml"

[[components]]
name = "cart"
kind = "manifests"
path = "cart-${version}.yaml"
namespace = "shop"
after = ["operator"]
`;

const configuration = (
  name: string,
  environments: string,
  more = '',
): string => `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: ${name}}
solutions:
  - name: shop
    archives: [${versions.map((version) => `shop-${version}.iso`).join(', ')}]
${more}${environments}`;

/** The same in releases that are counted. */
const counted = (version: string): string =>
  definition(version)
    .replace('"shop"', '"counted"')
    .replace('[[', `sequence = ${versions.indexOf(version) + 1}\n\n[[`)
    .replace(/operator-.*\.yaml/, 'counted.yaml')
    .replace(/\n\[\[components\]\]\nname = "cart"[\s\S]*$/, '');

beforeAll(async () => {
  await succeeds(['keygen', '-o', at('release'), '--quiet']);
  writeFiles(folder, { 'counted.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: counted}\n' });
  for (const version of versions) {
    writeFiles(folder, {
      [`operator-${version}.yaml`]: operator(version),
      [`cart-${version}.yaml`]: cart(version),
      [`${version}.toml`]: definition(version),
    });
    await succeeds(['pack', at(`${version}.toml`), '-o', at(`shop-${version}.iso`), '--quiet']);
    writeFiles(folder, { [`counted-${version}.toml`]: counted(version) });
    const key = ['--sign', at('release.key')];
    await succeeds(['pack', at(`counted-${version}.toml`), '-o', at(`counted-${version}.iso`), ...key, '--quiet']);
  }
});

async function installs(text: string, ...more: readonly string[]): Promise<Outcome> {
  writeFiles(folder, { 'solutions.yaml': text });
  const where = ['--kubeconfig', plane().kubeconfig, '--served-at', 'http://127.0.0.1:9', '--timeout', '20s'];
  return solpack(['install', '-f', at('solutions.yaml'), '--insecure-skip-verify', ...where, '--quiet', ...more]);
}

interface Installed {
  readonly solutions: readonly {
    readonly name: string;
    readonly version: string;
    readonly site?: { readonly digest: string };
    readonly objects: readonly { readonly object: string; readonly action: string }[];
  }[];
  readonly removed: readonly { readonly name: string }[];
}

async function brought(text: string): Promise<Installed> {
  const { code, stdout, stderr } = await installs(text, '--json');
  expect([code, stderr.replaceAll(/^note: .* (?:NOT TRUSTED:|is a downgrade from) .*\n/gm, '')]).toEqual([0, '']);
  return jsonSchemas.install.parse(JSON.parse(stdout)) as Installed;
}

const told = (...words: readonly string[]): Promise<Outcome> =>
  solpack([...words, '--kubeconfig', plane().kubeconfig, '--quiet']);

const read = (...words: readonly string[]): Promise<string> => plane().kubectl('get', ...words, '--ignore-not-found');
const versionOf = (...words: readonly string[]): Promise<string> =>
  read(...words, '-o', 'jsonpath={.metadata.annotations.version}');
const cartIn = (namespace: string): Promise<string> =>
  read('carts.shop.example.com', 'main', '-n', namespace, '-o', 'jsonpath={.spec.version}');
const subjects = (...words: readonly string[]): Promise<string> =>
  read(...words, '-o', 'jsonpath={.subjects[*].namespace}');

const ab = (a: string, b: string): string => `    environments: {team-a: "${a}", team-b: "${b}"}\n`;

describe('environments', () => {
  controlPlaneTest(
    'run several versions side by side, and share what is outside of them, from the highest',
    async () => {
      const { solutions } = await brought(configuration('edge', ab('1.0.0', '1.1.0')));
      expect(solutions.map(({ name, version }) => `${name} ${version}`)).toEqual([
        'shop 1.1.0',
        'shop.team-b 1.1.0',
        'shop.team-a 1.0.0',
      ]);
      expect([await cartIn('team-a'), await cartIn('team-b')]).toEqual(['1.0.0', '1.1.0']);
      expect(await versionOf('crd', 'carts.shop.example.com')).toBe('1.1.0');
      expect(await versionOf('clusterrole', 'shop-operator')).toBe('1.1.0');
      expect(await subjects('clusterrolebinding', 'shop-operator')).toBe('team-b team-a');
      expect(await subjects('rolebinding', 'shop-reads', '-n', 'kube-system')).toBe('team-b team-a');
      const webhook = 'validatingwebhookconfiguration';
      expect(await read(webhook, 'shop-carts', '-o', 'jsonpath={.webhooks[0].clientConfig.service.namespace}')).toBe(
        'team-b',
      );
      expect(await read('namespace', 'shop')).toBe('');
      expect(await read('namespace', 'team-a', '-o', 'jsonpath={.metadata.labels.team}')).toBe('shops');
    },
  );

  controlPlaneTest(
    'are there as they were by the same again, which changes nothing',
    async () => {
      const { solutions } = await brought(configuration('edge', ab('1.0.0', '1.1.0')));
      const actions = solutions.flatMap(({ objects }) => objects.map(({ action }) => action));
      expect(new Set(actions)).toEqual(new Set(['unchanged']));
      const { code, stdout } = await told('status', 'shop', '--json', '--no-images');
      const status = JSON.parse(stdout) as { solutions: { name: string; state: string }[] };
      expect([code, status.solutions.map(({ name, state }) => `${name} ${state}`)]).toEqual([
        0,
        ['shop ready', 'shop.team-b ready', 'shop.team-a ready'],
      ]);
    },
    PATIENCE,
  );

  controlPlaneTest(
    'are upgraded one by one, added and removed; nothing of the others changes',
    async () => {
      const before = await read('deployment', 'operator', '-n', 'team-b', '-o', 'jsonpath={.metadata.resourceVersion}');
      await brought(configuration('edge', ab('2.0.0', '1.1.0')));
      expect([await cartIn('team-a'), await cartIn('team-b')]).toEqual(['2.0.0', '1.1.0']);
      expect(await versionOf('crd', 'carts.shop.example.com')).toBe('2.0.0');
      expect(await versionOf('validatingwebhookconfiguration', 'shop-carts')).toBe('2.0.0');
      const three = '    environments: {team-a: "2.0.0", team-b: "1.1.0", team-c: "^1"}\n';
      await brought(configuration('edge', three));
      expect(await cartIn('team-c')).toBe('1.1.0');
      expect(await subjects('clusterrolebinding', 'shop-operator')).toBe('team-a team-b team-c');
      expect(await read('deployment', 'operator', '-n', 'team-b', '-o', 'jsonpath={.metadata.resourceVersion}')).toBe(
        before,
      );
      const { removed } = await brought(
        configuration('edge', '    environments: {team-b: "1.1.0", team-c: "1.1.0"}\n'),
      );
      expect(removed.map(({ name }) => name)).toEqual(['shop.team-a']);
      expect(await read('namespace', 'team-a')).toBe('');
      expect(await subjects('clusterrolebinding', 'shop-operator')).toBe('team-b team-c');
      expect(await versionOf('crd', 'carts.shop.example.com')).toBe('1.1.0');
    },
    PATIENCE,
  );

  controlPlaneTest(
    'have histories, are gone back to, repaired and uninstalled by their names',
    async () => {
      const { stdout } = await told('history', 'edge');
      expect(stdout).toContain('shop 1.1.0, shop.team-b 1.1.0, shop.team-c 1.1.0');
      const back = await told('rollback', '--json', '--allow-missing-images');
      expect(back.code).toBe(0);
      expect(back.stderr).toMatch(/^note: rollback: trust was not checked[^\n]+\n$/);
      expect([await cartIn('team-a'), await cartIn('team-b'), await cartIn('team-c')]).toEqual([
        '2.0.0',
        '1.1.0',
        '1.1.0',
      ]);
      await plane().kubectl('delete', 'cart.shop.example.com', 'main', '-n', 'team-c');
      await plane().kubectl('delete', 'cart.shop.example.com', 'main', '-n', 'team-b');
      expect((await told('repair', 'shop.team-c')).code).toBe(0);
      expect([await cartIn('team-b'), await cartIn('team-c')]).toEqual(['', '1.1.0']);
      expect((await told('repair', 'shop')).code).toBe(0);
      expect(await cartIn('team-b')).toBe('1.1.0');
      const gone = await told('uninstall', 'shop.team-b', '--json');
      expect(gone.code).toBe(0);
      expect(gone.stderr).toMatch(/^note: uninstall: trust was not checked[^\n]+\n$/);
      expect((JSON.parse(gone.stdout) as Installed).removed.map(({ name }) => name)).toEqual(['shop.team-b']);
      expect([await cartIn('team-b'), await cartIn('team-c')]).toEqual(['', '1.1.0']);
      expect(await subjects('clusterrolebinding', 'shop-operator')).toBe('team-a team-c');
    },
    PATIENCE,
  );

  controlPlaneTest(
    'of two configurations are refused, and both are named',
    async () => {
      const { code, stderr } = await installs(configuration('other', '    environments: {team-z: "1.0.0"}\n'));
      expect(code).toBe(5);
      expect(stderr).toContain('shop 2.0.0 belongs to the configuration edge');
      expect(stderr).toContain('configuration other');
      expect(await read('namespace', 'team-z')).toBe('');
      const plain = await installs(configuration('other', ''));
      expect([plain.code, plain.stderr.includes('shop 2.0.0 belongs to the configuration edge')]).toEqual([5, true]);
    },
    PATIENCE,
  );

  controlPlaneTest(
    'go to another configuration with --take-over, all of a Solution, and back',
    async () => {
      const edge = configuration('edge', '    environments: {team-a: "2.0.0", team-c: "1.1.0"}\n');
      const other = configuration('other', '    environments: {team-c: "1.1.0"}\n');
      const unknown = await installs(other, '--take-over', 'none');
      expect([unknown.code, unknown.stderr.includes('no Solution "none" is active')]).toEqual([2, true]);
      const planned = await installs(other, '--take-over', 'shop', '--plan');
      expect(planned.stderr).toContain(
        'shop.team-a 2.0.0: belongs to the configuration edge, and is taken over by other',
      );
      expect(await cartIn('team-a')).toBe('2.0.0');
      const { code, stderr } = await installs(other, '--take-over', 'shop');
      expect([code, stderr]).toEqual([0, expect.stringContaining('is taken over by other')]);
      expect([await cartIn('team-a'), await cartIn('team-c')]).toEqual(['', '1.1.0']);
      const former = await installs(edge);
      expect([former.code, former.stderr]).toEqual([5, expect.stringContaining('belongs to the configuration other')]);
      const status = await told('status', 'edge', '--no-images', '--json');
      expect([status.code, status.stdout]).toEqual([
        1,
        expect.stringContaining('now belongs to the configuration other'),
      ]);
      expect((await installs(edge, '--take-over', 'shop')).code).toBe(0);
      expect([await cartIn('team-a'), await cartIn('team-c')]).toEqual(['2.0.0', '1.1.0']);
    },
    PATIENCE,
  );

  controlPlaneTest(
    'are set by their site each for itself, above what it sets for the Solution',
    async () => {
      const patch = (value: string): string =>
        `{cart: [{target: {kind: Cart}, patch: '[{"op": "add", "path": "/spec/host", "value": "${value}"}]'}]}`;
      const entry = `    patches: ${patch('all.example.com')}\n    environments:\n`;
      const text = `${entry}      team-b: "1.1.0"\n      team-c: {version: "1.1.0", patches: ${patch('c.example.com')}}\n`;
      const planned = await installs(configuration('edge', text), '--plan', '--json');
      const { steps } = jsonSchemas['install-plan'].parse(JSON.parse(planned.stdout));
      const cart = steps.find(({ subject }) => subject === 'Cart/team-c/main');
      expect([planned.code, JSON.stringify(cart)]).toEqual([0, expect.stringContaining('c.example.com')]);
      const { solutions } = await brought(configuration('edge', text));
      const host = (namespace: string): Promise<string> =>
        read('carts.shop.example.com', 'main', '-n', namespace, '-o', 'jsonpath={.spec.host}');
      expect([await host('team-b'), await host('team-c')]).toEqual(['all.example.com', 'c.example.com']);
      const digests = solutions.map(({ name, site }) => [name, site?.digest]);
      expect(new Set(digests.map(([, digest]) => digest)).size).toBe(2);
      await brought(configuration('edge', '    environments: {team-b: "1.1.0", team-c: "1.1.0"}\n'));
      expect([await host('team-b'), await host('team-c')]).toEqual(['', '']);
    },
    PATIENCE,
  );

  controlPlaneTest(
    'take over from a Solution without, and give back to it; all of it goes at once',
    async () => {
      await brought(configuration('edge', '', '    activeVersion: "1.1.0"\n'));
      expect([await cartIn('shop'), await cartIn('team-a'), await cartIn('team-c')]).toEqual(['1.1.0', '', '']);
      await brought(configuration('edge', '    environments: {shop: "1.1.0", team-a: "1.0.0"}\n'));
      expect([await cartIn('shop'), await cartIn('team-a')]).toEqual(['1.1.0', '1.0.0']);
      const ahead = '    activeVersion: "2.0.0"\n';
      await brought(configuration('edge', '    environments: {team-a: "1.0.0"}\n', ahead));
      expect([await versionOf('crd', 'carts.shop.example.com'), await cartIn('team-a')]).toEqual(['2.0.0', '1.0.0']);
      expect((await told('uninstall', 'shop')).code).toBe(0);
      expect([await read('clusterrole', 'shop-operator'), await read('namespace', 'team-a')]).toEqual(['', '']);
    },
    PATIENCE,
  );

  controlPlaneTest(
    'may stay at an older release, which nobody may bring anew',
    async () => {
      const text = (environments: string): string =>
        configuration('counts', environments).replaceAll('shop', 'counted');
      const tries = async (environments: string, ...more: string[]): Promise<Outcome> => {
        writeFiles(folder, { 'counted.yaml.conf': text(environments) });
        const trust = ['--key', at('release.pub'), '--trust-state', at('trust')];
        const where = ['--kubeconfig', plane().kubeconfig, '--served-at', 'http://127.0.0.1:9', '--quiet', '--json'];
        return solpack(['install', '-f', at('counted.yaml.conf'), ...trust, ...where, ...more]);
      };
      const both = '    environments: {old: "1.0.0", new: "2.0.0"}\n';
      expect((await tries(both)).code).toBe(0);
      // By now sequence 3 is remembered; the older release stays where it is.
      const again = await tries(both);
      expect([again.code, again.stderr]).toEqual([0, '']);
      const middle = '    environments: {old: "1.1.0", new: "2.0.0"}\n';
      const refused = await tries(middle);
      expect([refused.code, refused.stderr.includes('[not-trusted]')]).toEqual([3, true]);
      expect((await tries(middle, '--allow-downgrade')).code).toBe(0);
      expect((await tries(middle)).code).toBe(0);
    },
    PATIENCE,
  );
});
