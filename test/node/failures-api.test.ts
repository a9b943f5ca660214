import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { map, stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { signedBy } from '../support/apiserver.ts';
import { scratch } from '../support/judges.ts';
import { definition } from '../support/node/requests.ts';
import { openShop, type Shop, web, workload } from '../support/node/shops.ts';
import { workshop } from '../support/node/solutions.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { until } from '../support/until.ts';

const node = sharedNode();
const folder = scratch('failures-api');
const shops = workshop(folder, node);
const open = (name: string, ...more: readonly KubernetesObject[]): Promise<Shop> =>
  openShop(name, shops, node(), ...more);
const soon = ['--timeout', '6s'];

/** Fails to install version 2.0.0 with these objects, before anything is touched; returns the line that says why. */
async function refused(shop: Shop, objects: readonly KubernetesObject[], ...more: readonly string[]): Promise<string> {
  const before = await shop.versions();
  const line = await shops.fails(shop.second(...objects), ...soon, ...more);
  expect([await shop.versions(), await shop.page()]).toEqual([before, 'first']);
  return line;
}

/** Fails to install version 2.0.0 with these objects, of which some are applied; returns the line that says why. */
async function failed(shop: Shop, objects: readonly KubernetesObject[], ...more: readonly string[]): Promise<string> {
  const line = await shops.fails(shop.second(...objects), ...soon, ...more);
  await shop.stands();
  return line;
}

const apply = (...objects: readonly KubernetesObject[]): Promise<string> =>
  node().ok('kubectl', ['apply', '-f', '-'], { input: objects.map((one) => JSON.stringify(one)).join('\n') });

describe.concurrent('before anything is touched, an install says in one line', () => {
  nodeTest('which quota is used up, and by how much', async () => {
    const shop = await open('count');
    await apply(stated('v1', 'ResourceQuota', 'count/few', { spec: { hard: { 'count/configmaps': '2' } } }));
    await node().kubectl('wait', 'quota/few', '-n', 'count', '--for=jsonpath={.status.used}', '--timeout=60s');
    expect(await refused(shop, [map('count/second'), web('count', 'second')])).toBe(
      'solpack: ConfigMap count/second: apply is refused: exceeded quota: few, requested: count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2; raise the ResourceQuota of the namespace, or free what it counts [object-refused]',
    );
  });

  nodeTest('which policy of the cluster denies an object, in the words of the policy', async () => {
    const shop = await open('policy');
    const group = 'admissionregistration.k8s.io/v1';
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'policy' } };
    const validations = [{ expression: "object.metadata.name != 'second'", message: 'nothing is second here' }];
    await apply(
      stated(group, 'ValidatingAdmissionPolicy', 'firsts', {
        spec: { matchConstraints: { resourceRules: [rule], namespaceSelector }, validations },
      }),
      stated(group, 'ValidatingAdmissionPolicyBinding', 'firsts', {
        spec: { policyName: 'firsts', validationActions: ['Deny'] },
      }),
    );
    const dry = ['create', 'configmap', 'second', '-n', 'policy', '--dry-run=server'];
    await until(
      async () => (await node().run('kubectl', dry)).stderr,
      (told) => told.includes('second'),
    );
    expect(await refused(shop, [map('policy/second')])).toBe(
      "solpack: ConfigMap policy/second: apply is refused: ValidatingAdmissionPolicy 'firsts' with binding 'firsts' denied request: nothing is second here; change the object, or the policy and its binding [object-refused]",
    );
  });

  nodeTest('which manager a field belongs to, and --force-conflicts takes it over', async () => {
    const shop = await open('conflict');
    const theirs = ['--type=merge', '-p', '{"data":{"value":"theirs"}}', '--field-manager=night-shift'];
    await node().kubectl('patch', 'configmap', 'first', '-n', 'conflict', ...theirs);
    const objects = [map('conflict/first', 'ours'), web('conflict', 'second')];
    expect(await refused(shop, objects)).toBe(
      'solpack: ConfigMap conflict/first: fields belong to "night-shift": .data.value; --force-conflicts takes them over; or remove them from the Solution [object-conflict]',
    );
    await shops.installs(shop.second(...objects), '--force-conflicts');
    const value = ['get', 'configmap', 'first', '-n', 'conflict', '-o', 'jsonpath={.data.value}'];
    expect(await node().kubectl(...value)).toBe('ours');
    // Traffic leaves the old Pod a moment after the new one is ready.
    await until(
      () => shop.page(),
      (page) => page === 'second',
    );
  });

  nodeTest('which kind nobody knows, and which namespace nobody made', async () => {
    const shop = await open('unknown');
    expect(await refused(shop, [stated('example.org/v1', 'Gadget', 'unknown/g'), web('unknown', 'second')])).toBe(
      'solpack: Gadget unknown/g: neither the API server nor the Solution knows Gadget (example.org/v1): Gadget unknown/g of unknown, component all; add its CustomResourceDefinition to the Solution, or first install what brings it; check the apiVersion [kind-unknown]',
    );
    expect(await refused(shop, [map('nowhere/a'), web('unknown', 'second')])).toBe(
      'solpack: ConfigMap nowhere/a: component all of unknown wants it in the namespace nowhere, which does not exist; add a Namespace nowhere to the Solution, or create it with "kubectl create namespace nowhere" [object-refused]',
    );
  });

  nodeTest('which field of an object never changes', async () => {
    const shop = await open('fixed');
    const other = workload('fixed/web', { labels: { app: 'web', tier: 'front' } });
    expect(await refused(shop, [other])).toMatch(
      /^solpack: Deployment fixed\/web: a field of it cannot change: .*spec\.selector: Invalid value: \{.*\}: field is immutable; if its contents may be lost, delete it with "kubectl delete deployment web -n fixed" and run the same command again \[object-refused\]$/,
    );
  });
});

describe.concurrent('of a cluster that does not take the credentials, or is not there, an install says', () => {
  let opened: Promise<Shop> | undefined;
  const rights = (): Promise<Shop> => {
    opened ??= open('rights');
    return opened;
  };
  const second = [map('rights/second'), web('rights', 'second')];
  const by = async (kubeconfig: string): Promise<string> => refused(await rights(), second, '--kubeconfig', kubeconfig);

  /** The administrator's kubeconfig with another user, or another server. */
  function changed(name: string, { user, server }: { user?: object; server?: string }): string {
    const config = JSON.parse(readFileSync(node().kubeconfig, 'utf8'));
    if (user !== undefined) config.users[0] = { name: config.users[0].name, user };
    if (server !== undefined) config.clusters[0].cluster.server = server;
    const path = join(folder, `${name}.conf`);
    writeFileSync(path, JSON.stringify(config));
    return path;
  }
  const serverOf = (kubeconfig: string): string =>
    JSON.parse(readFileSync(kubeconfig, 'utf8')).clusters[0].cluster.server;

  nodeTest('which verb on what is not allowed to whom', async () => {
    const deployer = await node().userKubeconfig('deployer');
    const group = 'rbac.authorization.k8s.io';
    const bound = (kind: string, place: string, roleKind: string, name: string): KubernetesObject =>
      stated(`${group}/v1`, kind, place, {
        subjects: [{ kind: 'User', apiGroup: group, name: 'deployer' }],
        roleRef: { apiGroup: group, kind: roleKind, name },
      });
    const deployed = ['deployments', 'namespaces', 'services'];
    await rights();
    await apply(
      stated(`${group}/v1`, 'ClusterRole', 'deployer', {
        rules: [
          { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] },
          { apiGroups: ['', 'apps'], resources: deployed, verbs: ['create', 'patch', 'delete'] },
          { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete'] },
        ],
      }),
      bound('ClusterRoleBinding', 'deployer', 'ClusterRole', 'deployer'),
      bound('RoleBinding', 'solpack-system/deployer', 'ClusterRole', 'cluster-admin'),
    );
    const allowed = ['auth', 'can-i', 'patch', 'services', '-n', 'rights', '--as=deployer'];
    await until(
      async () => (await node().run('kubectl', allowed)).stdout,
      (answer) => answer === 'yes\n',
    );
    expect(await by(deployer)).toBe(
      `solpack: ${serverOf(deployer)}: user "deployer" may not patch configmaps in rights; let an administrator allow it to deployer, or use a kubeconfig of somebody with that right [cluster-forbidden]`,
    );
    const stranger = await node().userKubeconfig('stranger');
    expect(await by(stranger)).toMatch(
      /^solpack: configmaps of solpack-system: user "stranger" may not list configmaps in the namespace "solpack-system"; .* \[cluster-forbidden\]$/,
    );
  });

  nodeTest('when a client certificate expired, or that a token is none of its own', async () => {
    const pki = join(node().state, 'pki');
    const authority = { cert: join(pki, 'ca.crt'), key: join(pki, 'ca.key') };
    const { cert, key } = await signedBy(authority, folder, 'late', -1);
    const expired = changed('expired', { user: { 'client-certificate': cert, 'client-key': key } });
    const server = serverOf(expired);
    const renewing = 'get a new kubeconfig for this cluster, or renew the credentials in it [cluster-unauthorized]';
    const first = await by(expired);
    expect(first).toContain(`solpack: ${server}: the client certificate of user "admin" of ${expired} expired on 20`);
    expect(first).toContain(`Z; ${renewing}`);
    const token = changed('token', { user: { token: 'kept-secret' } });
    expect(await by(token)).toBe(
      `solpack: ${server}: the server does not accept the credentials of user "admin" of ${token}; ${renewing}`,
    );
  });

  nodeTest('that nobody listens at its address, or that no way leads there', async () => {
    expect(await by(changed('closed', { server: 'https://127.0.0.1:1' }))).toBe(
      'solpack: https://127.0.0.1:1: the connection is refused; check that the API server runs and listens at 127.0.0.1:1 [cluster-unreachable]',
    );
    expect(await by(changed('outside', { server: 'https://203.0.113.1:6443' }))).toBe(
      'solpack: https://203.0.113.1:6443: there is no route to the network of the host; check that the API server runs and listens at 203.0.113.1:6443 [cluster-unreachable]',
    );
  });
});

describe.concurrent('while the version before goes on serving, an install says in one line', () => {
  nodeTest('what the security standard of a namespace forbids its Pods', async () => {
    const shop = await open('guarded');
    await node().kubectl('label', 'namespace', 'guarded', 'pod-security.kubernetes.io/enforce=restricted');
    expect(await failed(shop, [web('guarded', 'second')])).toMatch(
      /^solpack: Deployment guarded\/web: component all of guarded: not ready after \d+ s: no Pod can be created: it violates PodSecurity "restricted:latest": container "app" must set allowPrivilegeEscalation=false, .* must set seccompProfile\.type to "RuntimeDefault".*; last events: FailedCreate: .*; set the named fields in its securityContext, or label namespace guarded pod-security\.kubernetes\.io\/enforce with a level that allows it; nothing of guarded 1\.0\.0 was removed \[object-not-ready\]$/,
    );
  });

  nodeTest('that the names of a definition are taken by another one', async () => {
    const shop = await open('taken');
    await apply(definition('widgets', 'Widget'));
    await node().kubectl('wait', 'crd/widgets.example.com', '--for=condition=Established', '--timeout=60s');
    expect(await failed(shop, [definition('gizmos', 'Widget'), web('taken', 'second')])).toMatch(
      /^solpack: CustomResourceDefinition gizmos\.example\.com: component all of taken: failed after \d+ s: its names are taken by another CustomResourceDefinition of group example\.com: "Widget(List)?" is already in use; find it with "kubectl get crd"; .*; nothing of taken 1\.0\.0 was removed \[object-not-ready\]$/,
    );
  });

  nodeTest('that a controller has not looked at its object, or what it says of it', async () => {
    const task = (size: string): KubernetesObject => stated('example.com/v1', 'Task', 'tasks/a', { spec: { size } });
    const shop = await open('tasks', definition('tasks', 'Task', { size: { type: 'string' } }), task('1'));
    const says = async (condition: object): Promise<void> => {
      const patch = JSON.stringify({ status: { conditions: [{ type: 'Ready', ...condition }] } });
      const as = ['--subresource=status', '--type=merge', '--field-manager=task-controller'];
      await node().kubectl('patch', 'tasks', 'a', '-n', 'tasks', ...as, '-p', patch);
    };
    await says({ status: 'True', observedGeneration: 1 });
    expect(await failed(shop, [task('2')])).toMatch(
      /^solpack: Task tasks\/a: component all of tasks: not ready after \d+ s: its controller has not processed its newest version yet; read the log of its controller \(its field manager is "task-controller"\); look at "kubectl -n tasks describe task a"; nothing of tasks 1\.0\.0 was removed \[object-not-ready\]$/,
    );
    await says({ status: 'False', reason: 'NoLicence', message: 'no licence for size 2', observedGeneration: 2 });
    expect(await failed(shop, [task('2')])).toMatch(
      /: is not ready: no licence for size 2; read the log of its controller .*; nothing of tasks 1\.0\.0 was removed \[/,
    );
  });
});

nodeTest('what is held by a finalizer is named once the new version serves, and goes when that lets go', async () => {
  const shop = await open('held');
  const holds = (finalizers: readonly string[]): Promise<string> => {
    const patch = JSON.stringify({ metadata: { finalizers } });
    return node().kubectl('patch', 'configmap', 'first', '-n', 'held', '--type=merge', '-p', patch);
  };
  await holds(['example.com/backup']);
  const { parts, ...more } = shop.second(web('held', 'second'));
  const second = { ...more, parts: [{ ...parts[0]!, timeout: '60s' }] };
  expect(await shops.fails(second, '--timeout', '3s')).toMatch(
    /^solpack: ConfigMap held\/first: deleted, but still there after \d+ s: held by finalizer example\.com\/backup; check that the controller of example\.com\/backup runs; only if it no longer exists, remove the finalizer by hand \[object-not-removed\]$/,
  );
  await until(
    () => shop.page(),
    (page) => page === 'second',
  );
  await holds([]);
  await shops.installs(second);
  expect(await node().kubectl('get', 'configmaps', '-n', 'held', '-o', 'name')).not.toContain('configmap/first');
});
