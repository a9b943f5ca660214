import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import type { JsonResults } from '../../cli/view/json.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('status');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);
const image = 'registry.example.com/shop/web:1';

const shop = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {colour: green, size: "3"}
---
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: shop}
stringData: {password: tr0ub4dor-and-three}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  selector: {app: web}
  ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53}, {name: http, port: 80, targetPort: 8080}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, annotations: {}}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, creationTimestamp: null}
    spec:
      tolerations: []
      volumes: [{name: scratch, emptyDir: {}}]
      containers:
        - name: web
          image: "${image}"
          args: [one, two]
          env: [{name: COLOUR, value: green}]
          ports: [{containerPort: 8080}, {containerPort: 53, protocol: UDP}]
          volumeMounts: [{name: scratch, mountPath: /tmp}]
          resources: {}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: report, namespace: shop}
spec:
  suspend: true
  template:
    spec: {restartPolicy: Never, containers: [{name: report, image: "${image}"}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: carts.shop.example.com}
spec:
  group: shop.example.com
  names: {kind: Cart, plural: carts}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: shop.example.com/v1
kind: Cart
metadata: {name: first, namespace: shop}
spec: {wheels: 4, owners: [a, b], deep: {list: [{name: x, value: 1}]}}
`;

const extra = `apiVersion: v1
kind: ConfigMap
metadata: {name: extra, namespace: default}
data: {value: one}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: stays, namespace: default, annotations: {helm.sh/resource-policy: keep}}
data: {value: one}
`;

beforeAll(async () => {
  writeFiles(folder, {
    'shop.yaml': shop,
    'extra.yaml': extra,
    'shop.toml': `name = "shop"\nversion = "1.0.0"\n\n[[components]]\nname = "web"\nkind = "manifests"\npath = "shop.yaml"\n
[[images]]\nreference = "${image}"\nsource = "oci:image:${image}"\n`,
    'extra.toml': `name = "extra"\nversion = "2.0.0"\n\n[[components]]\nname = "more"\nkind = "manifests"\npath = "extra.yaml"\n`,
    'edge.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: shop, archives: [shop.iso]}, {name: extra, archives: [extra.iso]}]
`,
  });
  await writeLayout(at('image'), [{ name: image, image: buildImage({ platforms: ['linux/amd64'], seed: 'shop' }) }]);
  for (const name of ['shop', 'extra']) await succeeds(['pack', at(`${name}.toml`), '-o', at(`${name}.iso`), '--quiet']);
}, 120_000);

type Status = JsonResults['status'];

async function statusOf(...more: readonly string[]): Promise<{ code: number; status: Status; stderr: string }> {
  const kubeconfig = more.includes('--kubeconfig') ? [] : ['--kubeconfig', plane().kubeconfig];
  const { code, stdout, stderr } = await solpack(['status', ...kubeconfig, '--json', '--quiet', ...more]);
  if (stdout === '') throw new Error(stderr);
  return { code, status: jsonSchemas.status.parse(JSON.parse(stdout)) as Status, stderr };
}

/** What is not as it should be, by object. */
const amiss = ({ solutions }: Status): Record<string, string> =>
  Object.fromEntries(
    solutions
      .flatMap(({ objects }) => objects)
      .filter(({ state }) => state !== 'ready')
      .map(({ object, state, reason }) => [object, `${state}: ${reason}`]),
  );

const driftIn = ({ solutions }: Status, object: string) =>
  solutions.flatMap(({ objects }) => objects).find((one) => one.object === object)?.drift;

const patch = (kind: string, name: string, change: object, ...more: readonly string[]): Promise<string> =>
  plane().kubectl('patch', kind, name, '-n', 'shop', '--type', 'merge', '-p', JSON.stringify(change), ...more);

const install = async (): Promise<void> => {
  const { url } = await registry();
  const where = ['--kubeconfig', plane().kubeconfig, '--registry', url, '--timeout', '30s'];
  await succeeds(['install', '-f', at('edge.yaml'), '--insecure-skip-verify', ...where, '--quiet']);
};

describe('status', () => {
  controlPlaneTest('is ready for what was just installed, whatever it is, and names where its images are missing', async () => {
    await install();
    const { code, status } = await statusOf();
    expect(amiss(status)).toEqual({});
    expect(code).toBe(0);
    expect(status).toMatchObject({ configuration: 'edge', generation: 1, state: 'ready' });
    expect(status.solutions.map(({ name, version, state, images }) => ({ name, version, state, images }))).toEqual([
      { name: 'extra', version: '2.0.0', state: 'ready', images: { asked: true, missing: [], reasons: {} } },
      { name: 'shop', version: '1.0.0', state: 'ready', images: { asked: true, missing: [], reasons: {} } },
    ]);
    expect(status.solutions[1]?.objects.map(({ object }) => object)).toContain('Namespace//shop');
  });
});
