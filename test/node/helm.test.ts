import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { pauseImage } from '../../scripts/node/state.ts';
import { succeeds, writeFiles } from '../support/cli.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

const cwd = scratch('node-helm');
const node = sharedNode();

const namespaceOf = (name: string): string => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;

/** Packs a Solution of the component `base` of manifests, and after it the chart `web`, and installs it. */
async function install(
  name: string,
  files: Readonly<Record<string, string>>,
  version = '1.0.0',
  more = '',
): Promise<Outcome> {
  writeFiles(join(cwd, name), {
    'solution.toml': `name = "${name}"
version = "${version}"

[[components]]
name = "base"
kind = "manifests"
path = "base"

[[components]]
name = "web"
kind = "helm"
path = "web"
namespace = "${name}"
after = ["base"]
${more}
`,
    'base/namespace.yaml': namespaceOf(name),
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    ...files,
  });
  writeFiles(cwd, { [`${name}.yaml`]: configurationOf(name, `[{name: ${name}, archives: [${name}.iso]}]`) });
  await succeeds(['pack', name, '-o', `${name}.iso`], { cwd });
  return again(name);
}

function configurationOf(name: string, solutions: string): string {
  return `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: ${name}}
solutions: ${solutions}
`;
}

/** Installs what `install` has packed. */
function again(name: string, ...more: readonly string[]): Promise<Outcome> {
  const { kubeconfig, hostsDir } = node();
  const places = ['--kubeconfig', kubeconfig, '--hosts-dir', hostsDir];
  return node().solpack(
    ['install', '-f', `${name}.yaml`, '--insecure-skip-verify', ...places, '--timeout', '60s', ...more],
    {
      cwd,
    },
  );
}

const lamps = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: lamps, singular: lamp, kind: Lamp}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;

const capabilities = `apiVersion: v1
kind: ConfigMap
metadata: {name: capabilities}
data:
  version: {{ .Capabilities.KubeVersion.Version }}
  served: "{{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }}"
  absent: "{{ .Capabilities.APIVersions.Has "monitoring.example.com/v1/Monitor" }}"
  brought: "{{ .Capabilities.APIVersions.Has "example.com/v1/Lamp" }}"
  group: "{{ .Capabilities.APIVersions.Has "example.com/v1" }}"
{{- if .Capabilities.APIVersions.Has "example.com/v1/Lamp" }}
---
apiVersion: example.com/v1
kind: Lamp
metadata: {name: desk}
{{- end }}
{{- if .Capabilities.APIVersions.Has "monitoring.example.com/v1/Monitor" }}
---
apiVersion: monitoring.example.com/v1
kind: Monitor
metadata: {name: web}
{{- end }}
`;

/** A Job that runs a command of a shell, as a hook. */
function hook(name: string, event: string, command: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations: {helm.sh/hook: ${event}}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - {name: ${name}, image: ${pauseImage}, imagePullPolicy: Never, command: [/bin/sh, -c, "${command}"]}
`;
}

/** A Deployment that is ready two seconds after its Pod runs. */
const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: web
          image: ${pauseImage}
          imagePullPolicy: Never
          readinessProbe: {exec: {command: ["true"]}, initialDelaySeconds: 2}
`;

interface Timed {
  metadata: { creationTimestamp: string };
  status: { completionTime: string; conditions: { type: string; lastTransitionTime: string }[] };
}

describe('a chart on a real cluster', () => {
  nodeTest('sees its version and kinds, and the kinds that an earlier component brings', async () => {
    const installed = await install('lit', { 'base/lamps.yaml': lamps, 'web/templates/all.yaml': capabilities });
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining('created  Lamp lit/desk\n') });
    const { serverVersion } = JSON.parse(await node().kubectl('version', '-o', 'json'));
    expect(await node().get('configmap', 'capabilities', '-n', 'lit')).toMatchObject({
      data: { version: serverVersion.gitVersion, served: 'true', absent: 'false', brought: 'true', group: 'true' },
    });
    expect(await node().kubectl('get', 'lamps', '-n', 'lit', '-o', 'name')).toBe('lamp.example.com/desk\n');
    expect(await again('lit')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing changed') });
  });

  nodeTest('for other versions of Kubernetes is refused in the words of helm, and nothing is applied', async () => {
    const files = {
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\nkubeVersion: ">=99"\n',
      'web/templates/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n',
    };
    const { code, stdout, stderr } = await install('future', files, '1.0.0', 'render = "install"');
    const { serverVersion } = JSON.parse(await node().kubectl('version', '-o', 'json'));
    const words = `chart requires kubeVersion: >=99 which is incompatible with Kubernetes ${serverVersion.gitVersion}`;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^solpack: web: .* \[tool-failed\]$/);
    expect(stderr).toContain(words);
    expect(await node().kubectl('get', 'namespaces', '-o', 'name')).not.toContain('namespace/future');
    expect(await node().kubectl('get', 'configmaps', '-A', '-o', 'name')).not.toContain('solution-future');
  });

  nodeTest('has its hooks run before and after what they stand around', async () => {
    const { code, stderr } = await install('hooked', {
      'web/templates/web.yaml': web,
      'web/templates/before.yaml': hook('before', 'pre-install', 'sleep 3'),
      'web/templates/after.yaml': hook('after', 'post-install', 'true'),
    });
    expect([code, stderr]).toEqual([0, expect.anything()]);
    const [before, deployment, after] = (await Promise.all(
      ['job/before', 'deployment/web', 'job/after'].map((name) => node().get<Timed>(name, '-n', 'hooked')),
    )) as [Timed, Timed, Timed];
    const available = deployment.status.conditions.find(({ type }) => type === 'Available')!.lastTransitionTime;
    // The server writes whole seconds; the hook takes three, and the Deployment two until it is ready.
    const times = [
      ...[before.metadata.creationTimestamp, before.status.completionTime],
      ...[deployment.metadata.creationTimestamp, available],
      ...[after.metadata.creationTimestamp, after.status.completionTime],
    ];
    expect(times).toEqual(times.toSorted());
  });

  nodeTest('has its hooks run at an upgrade and at its removal, and none for the same again', async () => {
    const files = (version: string) => ({
      'web/templates/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {version: "${version}"}\n`,
      'web/templates/once.yaml': hook('once', 'pre-install', 'true'),
      'web/templates/both.yaml': hook('both', '"pre-install,pre-upgrade"', 'true'),
      'web/templates/after.yaml': hook('after', 'post-upgrade', `echo now ${version}`),
      'web/templates/goodbye.yaml': hook('goodbye', 'pre-delete', 'true'),
      'web/templates/probe.yaml': hook('probe', 'test', 'echo it answers'),
    });
    const jobs = async (): Promise<Record<string, string>> => {
      const { items } = await node().get<{ items: { metadata: { name: string; uid: string } }[] }>(
        'jobs',
        '-n',
        'hooks',
      );
      return Object.fromEntries(items.map(({ metadata: { name, uid } }) => [name, uid]));
    };
    expect(await install('hooks', files('1'))).toMatchObject({ code: 0 });
    const first = await jobs();
    expect(Object.keys(first)).toEqual(['both', 'once']);
    await node().kubectl('delete', 'job', 'once', '-n', 'hooks');
    expect(await again('hooks')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing changed') });
    expect(Object.keys(await jobs())).toEqual(['both']);
    const tested = await again('hooks', '--test');
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('it answers') });

    const upgraded = await install('hooks', files('2'), '2.0.0');
    expect(upgraded).toMatchObject({ code: 0, stdout: expect.stringContaining('ran      Job hooks/after') });
    const second = await jobs();
    expect(Object.keys(second)).toEqual(['after', 'both', 'probe']);
    expect(second['both']).not.toBe(first['both']);

    writeFiles(cwd, { 'hooks.yaml': configurationOf('hooks', '[]') });
    const removed = await again('hooks');
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('ran      Job hooks/goodbye') });
    expect(await node().kubectl('get', 'namespaces', '-o', 'name')).not.toContain('namespace/hooks');
  });

  nodeTest('is not made where a hook before it fails, which is reported', async () => {
    const { code, stderr } = await install('stopped', {
      'web/templates/web.yaml': web,
      'web/templates/before.yaml': hook('before', 'pre-install', 'echo no room for it >&2; exit 3'),
    });
    expect([code, stderr]).toEqual([5, expect.stringContaining('[object-not-ready]')]);
    expect(stderr).toMatch(/^solpack: Job stopped\/before: .*no room for it/m);
    expect(await node().kubectl('get', 'deployments', '-n', 'stopped', '-o', 'name')).toBe('');
  });
});
