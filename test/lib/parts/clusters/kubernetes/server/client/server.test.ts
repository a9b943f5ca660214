import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { type KubernetesObject, parseDocuments } from '../../../../../../../formats/manifest/documents.ts';
import { groupOf } from '../../../../../../../formats/manifest/namespace.ts';
import { driftOf } from '../../../../../../../lib/parts/clusters/kubernetes/observe/status/drift.ts';
import { nameOf } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { connect } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { applyTo } from '../../../../../../support/cluster/applying.ts';
import { everyKind, unshipped } from '../../../../../../support/cluster/every-kind.ts';
import { disturbed } from '../../../../../../support/cluster/faults.ts';
import { calls, type Done, type Outcome, type Step } from '../../../../../../support/control-plane/calls.ts';
import { controlPlaneTest, sharedControlPlane } from '../../../../../../support/control-plane.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { ok } from '../../../../../../support/judges.ts';
import { component, solution } from '../../support.ts';

const plane = sharedControlPlane();

const run = (kubeconfig: string, ...steps: Step[]): Promise<Outcome> => calls({ kubeconfig, steps });
const succeeds = async (args: readonly string[], options: { input?: string } = {}): Promise<string> => {
  const { code, stdout, stderr } = await plane().tried(args, options);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return stdout;
};
const as = async (kubeconfig: string, ...steps: Step[]): Promise<readonly Done[]> =>
  (await run(kubeconfig, ...steps)).done;
const admin = (...steps: Step[]): Promise<readonly Done[]> => as(plane().kubeconfig, ...steps);

const object = (kind: string, name: string, more: object = {}, apiVersion = 'v1'): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'default' },
  ...more,
});
const map = (name: string, data: object = { a: '1' }): KubernetesObject => object('ConfigMap', name, { data });
const exact = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: exacts.exact.example.com}
spec:
  group: exact.example.com
  scope: Namespaced
  names: {plural: exacts, singular: exact, kind: Exact, listKind: ExactList}
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
            properties: {priority: {type: integer, format: int64, maximum: 9223372036854774807}}
---
apiVersion: exact.example.com/v1
kind: Exact
metadata: {name: e, namespace: default}
spec: {priority: 9223372036854773801}
`;
const ENDED = JSON.stringify({ status: { phase: 'Succeeded' } });
const named = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'default' });
const deployment = (name: string, label = name): KubernetesObject =>
  object(
    'Deployment',
    name,
    {
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: label } },
        template: { metadata: { labels: { app: label } }, spec: { containers: [{ name: 'x', image: 'x.local/x:1' }] } },
      },
    },
    'apps/v1',
  );

describe('on a real API server', () => {
  controlPlaneTest('what is installed again, of every kind there is, is reads alone but for the Lease', async () => {
    const api = await connect(plane().kubeconfig, testFlow());
    const all = { ...component('all', ...everyKind()), timeout: 60_000 };
    const note = { cause: 'install', configuration: undefined, solutions: [], keep: 10 } as const;
    const request = { configuration: 'every', solutions: [solution('every', all)], generation: note };
    const changes = async (): Promise<readonly string[]> => {
      const asked: string[] = [];
      const told = await applyTo(
        disturbed(api, ({ verb, subject }) => {
          if (['apply', 'try', 'reassign', 'remove'].includes(verb)) asked.push(`${verb} ${subject}`);
          return undefined;
        }),
        request,
        { timing: { poll: 50 } },
      );
      expect(told.error).toBeUndefined();
      return asked.filter((one) => !one.endsWith(' Lease solpack-system/configuration-every'));
    };
    // No node is there to run it.
    const ends = plane()
      .kubectl('wait', '--for=create', 'pod/every', '-n', 'every', '--timeout=60s')
      .then(() => plane().kubectl('patch', 'pod', 'every', '-n', 'every', '--subresource=status', '-p', ENDED));
    expect((await changes()).length).toBeGreaterThan(request.solutions[0]!.components[0]!.objects.length);
    await ends;
    const made = new Set(request.solutions[0]!.components[0]!.objects.map((one) => `${groupOf(one)}/${one.kind}`));
    const { resources } = await api.discover(new AbortController().signal, true);
    const served = resources.filter(({ verbs }) => verbs.includes('list') && verbs.includes('patch'));
    expect(
      served.map(({ group, kind }) => `${group}/${kind}`).filter((one) => !made.has(one) && !unshipped.has(one)),
    ).toEqual([]);
    // What controllers add to objects is there before it is looked at again.
    await plane().kubectl('wait', 'deployment/every', '-n', 'every', '--for=condition=Available', '--timeout=60s');
    expect(await changes()).toEqual([]);
    expect(await changes()).toEqual([]);
    await api.close();
  });

  controlPlaneTest('an object is applied, read, listed and deleted', async () => {
    const [dry, absent, made, again, read, list] = await admin(
      { apply: map('life'), options: { dryRun: true } },
      { read: named('life') },
      { apply: map('life') },
      { apply: map('life') },
      { read: named('life') },
      { list: ['v1', 'ConfigMap'], namespace: 'default' },
    );
    expect(dry?.value).toMatchObject({ data: { a: '1' }, metadata: { name: 'life', resourceVersion: '' } });
    expect(absent?.value).toBeNull();
    expect(made?.value.metadata.managedFields).toMatchObject([{ manager: 'solpack', operation: 'Apply' }]);
    expect(again?.value.metadata.resourceVersion).toBe(made?.value.metadata.resourceVersion);
    expect(read?.value).toEqual(made?.value);
    expect(list?.value).toContainEqual(made?.value);
    const uid: string = made?.value.metadata.uid;
    const removals = await admin(
      { remove: named('life'), uid: '00000000-0000-0000-0000-000000000000' },
      { remove: named('life'), uid },
      { remove: named('life'), uid },
      { read: named('life') },
    );
    expect(removals.map(({ value }) => value)).toEqual([false, true, false, null]);
  });

  controlPlaneTest('metadata alone is told of what was applied where no more is asked for', async () => {
    const [brief, whole] = await admin({ apply: map('brief'), options: { metadata: true } }, { read: named('brief') });
    const { apiVersion, kind, metadata } = whole?.value ?? {};
    expect(brief?.value).toEqual({ apiVersion, kind, metadata });
  });

  controlPlaneTest('an integer of 64 bits is stored as it is stated, told as it is stored, and is still', async () => {
    const objects = parseDocuments(exact, 'exact.yaml');
    const api = await connect(plane().kubeconfig, testFlow());
    const request = {
      configuration: 'exact',
      solutions: [solution('exact', { ...component('all', ...objects), timeout: 60_000 })],
    };
    expect((await applyTo(api, request, { timing: { poll: 50 } })).error).toBeUndefined();
    expect(await plane().kubectl('get', 'exacts.exact.example.com', 'e', '-o', 'jsonpath={.spec.priority}')).toBe(
      '9223372036854773801',
    );
    const live = await api.read(nameOf(objects[1]!), new AbortController().signal);
    expect(live?.['spec']).toEqual(objects[1]!['spec']);
    expect(new Set(Object.values((await applyTo(api, request)).actions))).toEqual(new Set(['unchanged']));
    expect(
      driftOf(objects[0]!, (await api.read(nameOf(objects[0]!), new AbortController().signal))!, 'nobody'),
    ).toEqual([]);
    await api.close();
  });

  controlPlaneTest('discovery knows what kubectl knows', async () => {
    const [facts] = await admin({ facts: true });
    const groups = (await plane().kubectl('api-versions')).trim().split('\n').sort();
    expect(facts?.value.apiVersions.filter((entry: string) => !/\/[A-Z]/.test(entry)).sort()).toEqual(groups);
    expect(facts?.value.apiVersions).toEqual(expect.arrayContaining(['apps/v1/Deployment', 'v1/Pod']));
    expect(JSON.parse(await plane().kubectl('version', '-o', 'json')).serverVersion.gitVersion).toBe(
      facts?.value.version,
    );
  });

  controlPlaneTest('a list of many pages is whole', async () => {
    const names = Array.from({ length: 1100 }, (_, at) => `many-${at}`);
    const objects = names.map((name) => ({
      ...map(name),
      metadata: { name, namespace: 'default', labels: { test: 'many' } },
    }));
    await succeeds(['apply', '--server-side', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
    });
    const [list] = await admin({ list: ['v1', 'ConfigMap'], labels: 'test=many' });
    expect(list?.value.map((one: KubernetesObject) => one.metadata.name).sort()).toEqual(names.sort());
    expect(list?.value[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  controlPlaneTest('the fields of another manager are not taken, unless by force', async () => {
    const theirs = JSON.stringify(map('shared', { a: 'theirs', b: 'theirs' }));
    await succeeds(['apply', '--server-side', '--field-manager=gitops', '-f', '-'], { input: theirs });
    const [refused, forced] = await admin({ apply: map('shared') }, { apply: map('shared'), options: { force: true } });
    expect(refused?.error).toMatchObject({
      code: 'object-conflict',
      subject: 'ConfigMap default/shared',
      message: 'fields belong to "gitops": .data.a',
      hint: expect.stringContaining('--force-conflicts'),
    });
    expect(forced?.value.data).toEqual({ a: '1', b: 'theirs' });
  });

  controlPlaneTest('a field that never changes is recognised', async () => {
    const claim = object('StatefulSet', 'fixed', {}, 'apps/v1');
    const set = (serviceName: string) => ({
      ...claim,
      spec: { ...(deployment('fixed')['spec'] as object), serviceName },
    });
    const [, changed, , renamed, , wrong] = await admin(
      { apply: deployment('fixed') },
      { apply: deployment('fixed', 'other') },
      { apply: set('one') },
      { apply: set('two') },
      { apply: map('fine') },
      { apply: { ...deployment('wrong'), spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template: {} } } },
    );
    expect(changed).toMatchObject({
      immutable: true,
      error: { code: 'object-refused', message: expect.stringContaining('spec.selector') },
    });
    expect(renamed?.immutable).toBe(true);
    expect(wrong).toMatchObject({ immutable: false, error: { code: 'object-refused' } });
  });

  controlPlaneTest('what is refused is reported: schema, namespace, quota, Pod security, policy, size', async () => {
    for (const name of ['full', 'strict']) await plane().kubectl('create', 'namespace', name);
    await plane().kubectl('label', 'namespace', 'strict', 'pod-security.kubernetes.io/enforce=restricted');
    await plane().kubectl('create', 'quota', 'none', '--namespace=full', '--hard=services=0');
    const within = (namespace: string, one: KubernetesObject) => ({ ...one, metadata: { ...one.metadata, namespace } });
    const pod = object('Pod', 'root', {
      spec: { containers: [{ name: 'x', image: 'x', securityContext: { privileged: true } }] },
    });
    const service = object('Service', 's', { spec: { ports: [{ port: 80 }] } });
    const done = await admin(
      { apply: { ...map('typo'), dta: {} } },
      { apply: within('nowhere', map('lost')) },
      { apply: within('full', service) },
      { apply: within('strict', pod) },
      { apply: map('huge', { a: 'x'.repeat(1_200_000) }) },
      { apply: object('Gadget', 'g', {}, 'example.com/v1') },
    );
    expect(done.map(({ error }) => [error?.code, error?.message])).toEqual([
      ['object-refused', 'apply is refused: .dta: field not declared in schema'],
      ['object-refused', 'the namespace nowhere does not exist'],
      ['object-refused', expect.stringMatching(/^apply is refused: exceeded quota: none, requested: services=1/)],
      ['object-refused', expect.stringMatching(/^apply is refused: violates PodSecurity "restricted:latest"/)],
      ['object-refused', expect.stringContaining('Too long: may not be more than 1048576 bytes')],
      ['kind-unknown', 'the API server does not serve example.com/v1 Gadget'],
    ]);
  });

  controlPlaneTest(
    'a custom resource is found once its definition is there, and its unknown fields are refused',
    async () => {
      const crd = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
                },
              },
            },
          ],
        },
      };
      const [before, made] = await admin({ facts: true }, { apply: crd });
      expect(before?.value.apiVersions).not.toContain('example.com/v1');
      expect(made?.error).toBeUndefined();
      const widget = object('Widget', 'w', { spec: { size: 1, colour: 'red' } }, 'example.com/v1');
      const { done } = await run(
        plane().kubeconfig,
        { served: ['example.com/v1', 'Widget'] },
        { apply: widget },
        { apply: { ...widget, spec: { size: 1 } } },
      );
      expect(done[1]?.error).toMatchObject({
        code: 'object-refused',
        message: 'apply is refused: .spec.colour: field not declared in schema',
      });
      expect(done[2]?.value.spec).toEqual({ size: 1 });
    },
  );

  controlPlaneTest('what the server warns of is reported once', async () => {
    await plane().kubectl('create', 'namespace', 'warned');
    await plane().kubectl('label', 'namespace', 'warned', 'pod-security.kubernetes.io/warn=restricted');
    const one = deployment('lax');
    const lax = { ...one, metadata: { ...one.metadata, namespace: 'warned' } };
    const { notices } = await run(plane().kubeconfig, { apply: lax, options: { dryRun: true } }, { apply: lax });
    expect(notices).toEqual([
      expect.stringMatching(/^Deployment warned\/lax: would violate PodSecurity "restricted:latest"/),
    ]);
  });

  controlPlaneTest('an API whose server is down breaks nothing else', async () => {
    const service = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.down.example.com' },
      spec: {
        group: 'down.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: 'nowhere', namespace: 'default' },
      },
    };
    await admin({ apply: service });
    await plane().kubectl('wait', '--for=condition=Available=false', 'apiservice/v1.down.example.com', '--timeout=30s');
    const { done } = await run(plane().kubeconfig, { apply: map('beside') }, { facts: true });
    expect(done.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(done[1]?.value.apiVersions).toContain('apps/v1/Deployment');
    await plane().kubectl('delete', 'apiservice', 'v1.down.example.com');
  });

  controlPlaneTest('who may not do something is reported what', async () => {
    const ada = await plane().userKubeconfig('ada');
    const [apply, list] = await as(ada, { apply: map('x') }, { list: ['apps/v1', 'Deployment'] });
    expect(apply?.error).toMatchObject({
      code: 'cluster-forbidden',
      subject: 'ConfigMap default/x',
      message: 'user "ada" may not patch configmaps in the namespace "default"',
    });
    expect(list?.error?.message).toBe('user "ada" may not list deployments.apps at the cluster scope');
  });

  controlPlaneTest('credentials that the server does not accept are reported by user and kubeconfig', async () => {
    const path = join(plane().state, 'stranger');
    const config = ['config', '--kubeconfig', path];
    await ok('cp', [plane().kubeconfig, path]);
    const current = JSON.parse(await succeeds([...config, 'view', '--minify', '-o', 'json']));
    await succeeds([...config, 'set-credentials', 'stranger', '--token=s3cr3t']);
    await succeeds([...config, 'set-context', current['current-context'], '--user=stranger']);
    const [outcome] = await as(path, { facts: true });
    expect(outcome?.error).toMatchObject({
      code: 'cluster-unauthorized',
      message: `the server does not accept the credentials of user "stranger" of ${path}`,
    });
    expect(JSON.stringify(outcome)).not.toContain('s3cr3t');
  });

  controlPlaneTest('a value of a Secret is not repeated when the Secret is refused', async () => {
    const done = await admin(
      { apply: object('Secret', 's', { data: { a: 'geheimnis!' } }) },
      { apply: object('Secret', 's', { data: { a: { b: 'geheimnis' } } }) },
      { apply: object('Secret', 's', { stringData: { a: 7654321 } }) },
      { apply: object('Secret', 's', { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'geheimnis' } }) },
    );
    for (const { error } of done) expect(error?.code).toBe('object-refused');
    expect(JSON.stringify(done)).not.toMatch(/geheimnis|7654321/);
  });

  controlPlaneTest('the log of a Pod that is not there is empty', async () => {
    expect((await admin({ log: ['default', 'nobody', 'x'], lines: 5 }))[0]?.value).toEqual([]);
  });

  controlPlaneTest('work goes on while the API server is killed and starts again', async () => {
    const { signal, ...flow } = testFlow();
    const api = await connect(plane().kubeconfig, { signal, ...flow });
    const labels = { test: 'restart' };
    let restarted: Promise<void> | undefined;
    for (let index = 0; index < 60; index += 1) {
      // Long enough for several calls to be refused.
      // Clock: the API server is away for a while.
      if (index === 20) restarted = plane().restart(() => sleep(1500));
      const metadata = { name: `restart-${index}`, namespace: 'default', labels };
      await api.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, {}, signal);
    }
    await restarted;
    const maps = (await api.discover(signal)).find('v1', 'ConfigMap')!;
    expect(await api.list(maps, { namespace: 'default', labels: 'test=restart' }, signal)).toHaveLength(60);
    await api.close();
  });
});
