import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('keep-drawn');
const plane = sharedControlPlane();

/** A database as public charts have it: a drawn password, a drawn certificate, a checksum, and Pods that read both. */
const chart = {
  'db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'db/values.yaml': 'size: 1\n',
  'db/templates/secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}}\ntype: Opaque\ndata:\n' +
    '  db-password: {{ randAlphaNum 16 | b64enc | quote }}\n',
  'db/templates/tls.yaml':
    '{{- $ca := genCA "db-ca" 365 }}{{- $cert := genSignedCert "db" nil (list "localhost") 365 $ca }}\n' +
    'apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}-crt}\ntype: kubernetes.io/tls\ndata:\n' +
    '  tls.crt: {{ $cert.Cert | b64enc }}\n  tls.key: {{ $cert.Key | b64enc }}\n  ca.crt: {{ $ca.Cert | b64enc }}\n',
  'db/templates/statefulset.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: {{ .Release.Name }}, labels: {size: {{ .Values.size | quote }}}}
spec:
  replicas: 0
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata:
      labels: {app: db}
      annotations:
        checksum/secret: {{ include (print $.Template.BasePath "/secret.yaml") . | sha256sum }}
    spec:
      containers:
        - name: db
          image: registry.example.com/db:1
          env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: {{ .Release.Name }}, key: db-password}}}]
          volumeMounts: [{name: crt, mountPath: /crt}]
      volumes: [{name: crt, secret: {secretName: {{ .Release.Name }}-crt}}]
`,
};

/** Packs a version of a Solution with that chart, and writes the configuration that names it. */
async function packed(name: string, version: string, size: number, more = '', site = ''): Promise<string> {
  const at = join(folder, `${name}-${version}`);
  const component = `[[components]]\nname = "${name}"\nkind = "helm"\npath = "db"\nnamespace = "default"\nset = { size = ${size} }\n`;
  const external = 'external-images = ["registry.example.com/db:1"]\n';
  writeFiles(at, {
    ...chart,
    'solution.toml': `name = "${name}"\nversion = "${version}"\n${external}${component}${more}`,
    'edge.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: ${name}}\nsolutions: [{name: ${name}, archives: [a.iso]${site}}]\n`,
  });
  await succeeds(['pack', at, '-o', join(at, 'a.iso'), '--quiet']);
  return join(at, 'edge.yaml');
}

/** No image is brought, and no Pod runs. */
const images = ['--image-folder', `k3s:${join(folder, 'images')}`];

async function installs(file: string, ...more: readonly string[]): Promise<string> {
  const args = [
    'install',
    '-f',
    file,
    '--kubeconfig',
    plane().kubeconfig,
    '--insecure-skip-verify',
    ...images,
    ...more,
  ];
  const { code, stdout, stderr } = await solpack(args);
  expect(code, stderr).toBe(0);
  return stdout + stderr;
}

/** What was drawn, as the cluster has it. */
async function drawnOf(name: string): Promise<string> {
  const at = ['-n', 'default', '-o', 'jsonpath={.data}'];
  const annotations = ['-n', 'default', '-o', 'jsonpath={.spec.template.metadata.annotations}'];
  return [
    await plane().kubectl('get', 'secret', name, ...at),
    await plane().kubectl('get', 'secret', `${name}-crt`, ...at),
    await plane().kubectl('get', 'statefulset', name, ...annotations),
  ].join('\n');
}

const sizeOf = (name: string): Promise<string> =>
  plane().kubectl('get', 'statefulset', name, '-n', 'default', '-o', 'jsonpath={.metadata.labels.size}');

describe('an upgrade of a chart that draws a password and a certificate', () => {
  controlPlaneTest('draws both anew, which --plan marks with the Pods that read them', async () => {
    await installs(await packed('plain', '1.0.0', 1));
    const before = await drawnOf('plain');
    const next = await packed('plain', '2.0.0', 2);
    const told =
      /plain: draws new random values: Secret\/plain \(data\.db-password\), which Pods of StatefulSet\/plain read; Secret\/plain-crt \(data\.tls\.crt, data\.tls\.key, data\.ca\.crt\), which Pods of StatefulSet\/plain read; .*keep-drawn = true/;
    expect(await installs(next, '--plan')).toMatch(told);
    expect(await drawnOf('plain')).toBe(before);
    const printed = await installs(next, '--plan', '--json', '--quiet');
    const readers = ['StatefulSet/plain'];
    const own = { solution: 'plain', component: 'plain', readers };
    expect(JSON.parse(printed.slice(0, printed.lastIndexOf('}') + 1)).drawn).toEqual([
      { ...own, object: 'Secret/plain', fields: ['data.db-password'] },
      { ...own, object: 'Secret/plain-crt', fields: ['data.tls.crt', 'data.tls.key', 'data.ca.crt'] },
      {
        ...own,
        object: 'StatefulSet/plain',
        fields: ['spec.template.metadata.annotations.checksum/secret'],
        readers: [],
      },
    ]);
    expect(await installs(next)).toMatch(told);
    const [after, size] = [await drawnOf('plain'), await sizeOf('plain')];
    expect(size).toBe('2');
    for (const [at, one] of after.split('\n').entries()) expect(one).not.toBe(before.split('\n')[at]);
  });

  controlPlaneTest('keeps both with keep-drawn = true, over several versions', async () => {
    const keep = 'keep-drawn = true\n';
    await installs(await packed('kept', '1.0.0', 1));
    const before = await drawnOf('kept');
    for (const [version, size] of [
      ['2.0.0', 2],
      ['3.0.0', 3],
    ] as const) {
      const file = await packed('kept', version, size, keep);
      const plan = await installs(file, '--plan');
      expect(plan).toContain(
        'kept: keeps drawn values: Secret/kept (data.db-password); Secret/kept-crt (data.tls.crt, ',
      );
      expect(plan).not.toContain('anew');
      await installs(file);
      expect([await sizeOf('kept'), await drawnOf('kept')]).toEqual([String(size), before]);
    }
  });

  controlPlaneTest('keeps both where the site says so, in the plan and in the cluster', async () => {
    await installs(await packed('site', '1.0.0', 1));
    const before = await drawnOf('site');
    const file = await packed('site', '2.0.0', 2, '', ', keepDrawn: {site: true}');
    const printed = await installs(file, '--plan', '--json', '--quiet');
    const { drawn, keptDraws } = JSON.parse(printed.slice(0, printed.lastIndexOf('}') + 1));
    const own = { solution: 'site', component: 'site' };
    expect([drawn, keptDraws]).toEqual([
      undefined,
      [
        { ...own, object: 'Secret/site', fields: ['data.db-password'] },
        { ...own, object: 'Secret/site-crt', fields: ['data.tls.crt', 'data.tls.key', 'data.ca.crt'] },
        { ...own, object: 'StatefulSet/site', fields: ['spec.template.metadata.annotations.checksum/secret'] },
      ],
    ]);
    expect(await installs(file)).toContain('keeps what its chart draws');
    expect([await sizeOf('site'), await drawnOf('site')]).toEqual(['2', before]);
  });
});
