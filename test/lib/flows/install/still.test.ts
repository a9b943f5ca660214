import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { embeddedRegistry, install } from '../../../../lib/flows/install/index.ts';
import { SolpackError } from '../../../../lib/kernel/events/errors.ts';
import { ApiError, type KubernetesApi } from '../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { targetOver } from '../../../../lib/parts/clusters/kubernetes/target.ts';
import { writeFiles } from '../../../support/cli.ts';
import { prompt, versionsOf } from '../../../support/cluster/applying.ts';
import { disturbed } from '../../../support/cluster/faults.ts';
import { type MemoryCluster, memoryCluster } from '../../../support/cluster/index.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { definition } from '../../parts/clusters/kubernetes/support.ts';

const folder = scratch('still');

const password = `apiVersion: v1
kind: Secret
metadata: {name: web}
stringData:
  password: {{ randAlphaNum 20 | quote }}
`;
const reader = `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data:
  checksum: {{ include (print $.Template.BasePath "/secret.yaml") . | sha256sum }}
  replicas: {{ .Values.replicas | quote }}
  upgrade: {{ .Release.IsUpgrade | quote }}
{{- if .Capabilities.APIVersions.Has "example.com/v1/Widget" }}
  widgets: "yes"
{{- end }}
`;
const looked = `apiVersion: v1
kind: Secret
metadata: {name: web}
data:
{{- with lookup "v1" "Secret" .Release.Namespace "web" }}
  password: {{ .data.password }}
{{- else }}
  password: {{ randAlphaNum 20 | b64enc }}
{{- end }}
`;

/** Packs a Solution of one chart, and returns its configuration. */
async function packed(
  name: string,
  version: string,
  templates: Record<string, string>,
  replicas = 1,
  more = '',
  site = '',
): Promise<string> {
  const at = join(folder, `${name}-${version}-${replicas}`);
  mkdirSync(at);
  writeFiles(at, {
    'solution.toml': `name = "shop"
version = "${version}"
external-images = ["registry.example.com/*"]
[[components]]
name = "web"
kind = "helm"
path = "chart"
namespace = "default"
${more}
`,
    'chart/Chart.yaml': `apiVersion: v2\nname: web\nversion: 1.0.0\n`,
    'chart/values.yaml': `replicas: ${replicas}\n`,
    ...Object.fromEntries(Object.entries(templates).map(([file, text]) => [`chart/templates/${file}`, text])),
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: here}
solutions: [{name: shop, archives: [shop.iso]${site}}]
`,
  });
  await packHere(join(at, 'solution.toml'), join(at, 'shop.iso'));
  return join(at, 'solutions.yaml');
}

/** What was told of an install, and how it ended. */
interface Ended {
  readonly error: SolpackError | undefined;
  readonly steps: readonly string[];
  readonly notices: readonly string[];
}

async function installs(configuration: string, api: KubernetesApi): Promise<Ended> {
  const flow = testFlow();
  await using cluster = targetOver('memory', async () => api, { timing: { ...prompt, lease: 30 }, force: false });
  const request = {
    configuration,
    trust: 'skip' as const,
    delivery: embeddedRegistry({ host: '127.0.0.1', port: 0, hold: false }),
    hostsDir: undefined,
    cluster,
    timeout: 5_000,
    variables: {},
    allowMissingImages: true,
    test: false,
    strict: false,
  };
  const error = await install(request, flow).then(
    () => undefined,
    (reason: unknown) => {
      if (reason instanceof SolpackError) return reason;
      throw reason;
    },
  );
  return {
    error,
    steps: flow.events.flatMap((event) => (event.type === 'step' ? [`${event.step} ${event.subject}`] : [])),
    notices: flow.events.flatMap((event) => (event.type === 'notice' ? [event.message] : [])),
  };
}

function contents(cluster: MemoryCluster): Record<string, string> {
  const own = cluster.objects().filter(({ metadata }) => metadata.name === 'web');
  return Object.assign({}, ...own.map(({ data }) => data));
}

function versions(cluster: MemoryCluster): Record<string, string> {
  const all = Object.entries(versionsOf(cluster));
  return Object.fromEntries(all.filter(([place]) => !place.startsWith('Lease ')));
}

const drawing = { 'secret.yaml': password, 'map.yaml': reader };
const helmTest = (name: string, work: () => Promise<void>): void => judged(name, ['helm'], work);

/** A cluster in which a configuration was installed, and what that has drawn. */
async function having(configuration: string): Promise<{ cluster: MemoryCluster; drawn: Record<string, string> }> {
  const cluster = memoryCluster();
  expect((await installs(configuration, cluster.connect())).error).toBeUndefined();
  return { cluster, drawn: contents(cluster) };
}

describe('the same archive again', () => {
  const changesNothing = async (name: string, templates: Record<string, string>): Promise<void> => {
    const configuration = await packed(name, '1.0.0', templates);
    const { cluster } = await having(configuration);
    const before = versions(cluster);
    expect((await installs(configuration, cluster.connect())).error).toBeUndefined();
    expect(versions(cluster)).toEqual(before);
  };
  helmTest('changes nothing where a chart draws', () => changesNothing('drawn', drawing));
  helmTest('changes nothing where a chart looks up what it drew', () => changesNothing('looked', { 'a.yaml': looked }));

  helmTest('keeps what was drawn where the cluster serves more by now, and changes the rest', async () => {
    const configuration = await packed('more', '1.0.0', drawing);
    const { cluster, drawn } = await having(configuration);
    await cluster.connect().apply(definition('Widget'), {}, new AbortController().signal);
    cluster.rest();
    expect((await installs(configuration, cluster.connect())).error).toBeUndefined();
    expect(contents(cluster)).toEqual({ ...drawn, widgets: 'yes' });
    const before = versions(cluster);
    await installs(configuration, cluster.connect());
    expect(versions(cluster)).toEqual(before);
  });

  helmTest('forgets what was drawn with the Solution', async () => {
    const configuration = await packed('gone', '1.0.0', drawing);
    const { cluster, drawn } = await having(configuration);
    const at = join(folder, 'gone-1.0.0-1');
    writeFiles(at, {
      'none.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: here}
solutions: []
`,
    });
    await installs(join(at, 'none.yaml'), cluster.connect());
    cluster.rest();
    // What an earlier generation had can be gone back to.
    const left = cluster
      .objects()
      .filter(
        ({ kind, metadata }) =>
          kind === 'Secret' && metadata.labels?.['solpack.io/record-of-configuration'] === undefined,
      );
    expect(left).toEqual([]);
    await installs(configuration, cluster.connect());
    expect(contents(cluster)['password']).not.toBe(drawn['password']);
  });
});

describe('another version', () => {
  helmTest('keeps what was drawn where the chart and its values are the same', async () => {
    const { cluster, drawn } = await having(await packed('same', '1.0.0', drawing));
    expect((await installs(await packed('same', '2.0.0', drawing), cluster.connect())).error).toBeUndefined();
    expect(contents(cluster)).toEqual(drawn);
  });

  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: reader}
spec:
  replicas: 0
  selector: {matchLabels: {app: reader}}
  template:
    metadata:
      labels: {app: reader}
      annotations: {checksum/secret: {{ include (print $.Template.BasePath "/secret.yaml") . | sha256sum }}}
    spec:
      containers:
      - {name: a, image: "registry.example.com/a:1", env: [{name: P, valueFrom: {secretKeyRef: {name: web, key: password}}}]}
`;
  const markOf = (cluster: MemoryCluster): unknown =>
    (cluster.objects().find(({ kind }) => kind === 'Deployment') as { spec?: unknown } | undefined)?.spec;
  const read = { 'secret.yaml': password, 'deployment.yaml': deployment };

  helmTest('draws anew where the chart or its values are others, and tells which Pods read that', async () => {
    const { cluster, drawn } = await having(await packed('anew', '1.0.0', read));
    const { error, notices } = await installs(await packed('anew', '2.0.0', read, 2), cluster.connect());
    expect(error).toBeUndefined();
    expect(contents(cluster)['password']).not.toBe(drawn['password']);
    expect(notices.filter((one) => one.startsWith('draws new random values'))).toEqual([
      'draws new random values: Secret/web (stringData.password), which Pods of Deployment/reader read; ' +
        'Deployment/reader (spec.template.metadata.annotations.checksum/secret); ' +
        'its chart or values have changed; keep-drawn = true of the component keeps the present values, and so does keepDrawn of the site',
    ]);
  });

  helmTest('keeps what was drawn where its component says so, and restarts Pods for what else they read', async () => {
    const kept = 'keep-drawn = true';
    const { cluster, drawn } = await having(await packed('kept', '1.0.0', read));
    const mark = markOf(cluster);
    const { error, notices } = await installs(await packed('kept', '2.0.0', read, 2, kept), cluster.connect());
    expect([error, notices.filter((one) => one.includes('anew'))]).toEqual([undefined, []]);
    expect([contents(cluster), markOf(cluster)]).toEqual([drawn, mark]);
    const other = { ...read, 'secret.yaml': `${password}  login: {{ .Values.replicas | quote }}\n` };
    expect((await installs(await packed('kept', '3.0.0', other, 3, kept), cluster.connect())).error).toBeUndefined();
    expect(contents(cluster)).toEqual({ password: drawn['password'], login: Buffer.from('3').toString('base64') });
    expect(markOf(cluster)).not.toEqual(mark);
  });

  const keeping = ', keepDrawn: {web: true}';

  helmTest(
    'keeps what was drawn where the site says so, which it tells, and against the author where it says no',
    async () => {
      const { cluster, drawn } = await having(await packed('site', '1.0.0', read));
      const mark = markOf(cluster);
      const { error, notices } = await installs(await packed('site', '2.0.0', read, 2, '', keeping), cluster.connect());
      expect([error, contents(cluster), markOf(cluster)]).toEqual([undefined, drawn, mark]);
      expect(notices.filter((one) => one.includes('draw'))).toEqual([
        'keeps drawn values: Secret/web (stringData.password); ' +
          'Deployment/reader (spec.template.metadata.annotations.checksum/secret)',
      ]);
      const not = ', keepDrawn: {web: false}';
      const next = await packed('site', '3.0.0', read, 3, 'keep-drawn = true', not);
      expect((await installs(next, cluster.connect())).error).toBeUndefined();
      expect(contents(cluster)['password']).not.toBe(drawn['password']);
    },
  );

  helmTest('draws nothing anew because the choice alone is another one', async () => {
    const { cluster, drawn } = await having(await packed('choice', '1.0.0', read, 1, 'keep-drawn = true'));
    expect((await installs(await packed('choice', '2.0.0', read), cluster.connect())).error).toBeUndefined();
    expect(contents(cluster)).toEqual(drawn);
  });

  helmTest('is an upgrade to its chart, which looks up what is there', async () => {
    const templates = { 'secret.yaml': looked, 'map.yaml': reader };
    const { cluster, drawn } = await having(await packed('lookup', '1.0.0', templates));
    expect(drawn['upgrade']).toBe('false');
    const next = await packed('lookup', '2.0.0', templates, 2);
    expect((await installs(next, cluster.connect())).error).toBeUndefined();
    expect(contents(cluster)).toMatchObject({ password: drawn['password'], replicas: '2', upgrade: 'true' });
    const before = versions(cluster);
    await installs(next, cluster.connect());
    expect(versions(cluster)).toEqual(before);
  });

  helmTest('ends where its chart may not look up what it wants to, and names what is not allowed', async () => {
    const { cluster } = await having(await packed('denied', '1.0.0', { 'secret.yaml': looked }));
    const before = versions(cluster);
    const api = disturbed(cluster.connect(), ({ verb, subject }) =>
      verb === 'read' && subject === 'Secret default/web' ? denied : undefined,
    );
    const { error } = await installs(await packed('denied', '2.0.0', { 'secret.yaml': looked }, 2), api);
    expect([error?.code, error?.subject, error?.message]).toEqual([
      'cluster-forbidden',
      'web',
      'its chart looks up Secret default/web: user "u" may not get secrets in the namespace "default"',
    ]);
    expect(versions(cluster)).toEqual(before);
  });
});

const denied = new ApiError(
  { verb: 'read', subject: 'Secret default/web' },
  { status: 403, reason: 'Forbidden' },
  'secrets "web" is forbidden: User "u" cannot get resource "secrets" in API group "" in the namespace "default"',
);

helmTest('an install that ends at any call draws no second time', async () => {
  const configuration = await packed('ended', '1.0.0', drawing);
  let calls = 0;
  for (let happened = true; happened; ) {
    calls += 3;
    happened = false;
    const cluster = memoryCluster();
    const api = disturbed(cluster.connect(), ({ count }) => {
      happened ||= count > calls;
      return count > calls ? 'unheard' : undefined;
    });
    await installs(configuration, api);
    const { password: drawn } = contents(cluster);
    expect((await installs(configuration, cluster.connect())).error).toBeUndefined();
    if (drawn !== undefined) expect([calls, contents(cluster)['password']]).toEqual([calls, drawn]);
    const before = versions(cluster);
    await installs(configuration, cluster.connect());
    expect([calls, versions(cluster)]).toEqual([calls, before]);
  }
  expect(calls).toBeGreaterThan(20);
});
