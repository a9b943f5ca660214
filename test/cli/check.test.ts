import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { solpack, writeFiles } from '../support/cli.ts';
import { find, judged, type Outcome, scratch } from '../support/judges.ts';

const folder = scratch('check');
const charts = join(import.meta.dirname, '../../fixtures/charts');
const counted = join(folder, 'counted');
const runs = join(folder, 'runs.txt');

beforeAll(() => {
  mkdirSync(counted, { recursive: true });
  for (const name of ['helm', 'kubectl']) {
    const program = find(name);
    if (program === undefined) continue;
    writeFileSync(join(counted, name), `#!/bin/sh\necho "${name} $1 $2" >> '${runs}'\nexec '${program}' "$@"\n`);
    chmodSync(join(counted, name), 0o755);
  }
});

beforeEach(() => rmSync(runs, { force: true }));

/** Runs solpack with helm and kubectl that are counted. */
function counting(args: readonly string[]): Promise<Outcome> {
  return solpack(args, { env: { PATH: `${counted}${delimiter}${process.env['PATH']}` } });
}

/** What of helm and kubectl was run, each time. */
function ran(): string[] {
  return existsSync(runs) ? readFileSync(runs, 'utf8').trim().split('\n').sort() : [];
}

const map = (name: string, namespace = 'default'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\n`;
const pod = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: "${image}"}]}\n`;
const component = (name: string, kind: string, path: string, more = ''): string =>
  `[[components]]\nname = "${name}"\nkind = "${kind}"\npath = "${path}"\n${more}\n`;
const head = (more = ''): string => `name = "hello"\nversion = "1.0.0"\n${more}\n`;

/** Writes a definition with its files, into a folder of its own. */
function solution(name: string, definition: string, files: Readonly<Record<string, string>> = {}): string {
  const home = join(folder, name);
  writeFiles(home, { ...files, 'solution.toml': definition });
  return home;
}

async function findingsOf(home: string): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await solpack(['check', home, '--json']);
  expect([code, stderr.replace(/^(collect|resolve|render) .*\n/gm, '')]).toEqual([1, '']);
  return JSON.parse(stdout).findings;
}

describe('what keeps a Solution from being closed', () => {
  const external = head('external-images = ["registry.example.com/web:1"]');

  test('is found all at once, with component, file, object and place', async () => {
    const home = solution('all', head('kubernetes = ">=1.33 <1.35"') + component('web', 'manifests', 'web.yaml'), {
      'web.yaml': `${pod('registry.example.com/web:1')}---\n${map('a', 'shop')}---\n${map('twice')}---\n${map('twice')}---\n${map('b')}dat: {}\n`,
    });
    const found = await findingsOf(home);
    expect(found.map(({ code, source, object }) => [code, source, object])).toEqual(
      [
        ['image-unheld', 'web.yaml:1', 'Pod/default/p'],
        ['namespace-absent', 'web.yaml:6', 'ConfigMap/shop/a'],
        ['object-twice', 'web.yaml:14', 'ConfigMap/default/twice'],
        ['object-invalid', 'web.yaml:18', 'ConfigMap/default/b'],
      ].sort(([, a = ''], [, b = '']) => order(found, a) - order(found, b)),
    );
    expect(found.map(({ component }) => component)).toEqual(['web', 'web', 'web', 'web']);
    expect(found.find(({ code }) => code === 'image-unheld')).toMatchObject({ path: 'spec.containers.0.image' });
  });

  test('is an image whose name no registry can have, and what is wrong with it', async () => {
    const text = head() + component('web', 'manifests', 'web.yaml');
    const home = solution('names', text, { 'web.yaml': pod('oci://registry.example.com/web:1') });
    const reason = '"oci://registry.example.com/web:1" is not an image reference: it has a scheme; leave oci:// out';
    expect(await findingsOf(home)).toEqual([expect.objectContaining({ code: 'image-unheld', message: reason })]);
    const { stderr } = await solpack(['images', home, '--write']);
    expect(stderr).toContain(`cannot be added: ${reason}`);
    expect(readFileSync(join(home, 'solution.toml'), 'utf8')).toBe(text);
  });

  test('is a probe of a field that its kind never has, by the definition that comes along', async () => {
    const definition = (more = ''): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.example.com}
spec:
  group: example.com
  names: {kind: Database, plural: databases}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {status: {type: object, ${more}properties: {phase: {type: string}}}}}}
`;
    const probe = (asked: string, kind = 'Database'): string =>
      `[[components.ready]]\napiVersion = "example.com/v1"\nkind = "${kind}"\nname = "main"\n${asked}\n`;
    const crds = component('crds', 'manifests', 'crds.yaml');
    const web = (...probes: string[]): string =>
      head() + crds + component('web', 'manifests', 'web.yaml', probes.join(''));
    const typo = probe('cel = "self.status.phas == \'Running\' || self.status.members.all(m, m.ready)"');
    const files = { 'crds.yaml': definition(), 'web.yaml': map('a') };
    const sound = [
      probe("cel = \"self.status.phase == 'Running' && self.metadata.labels.a == 'b'\""),
      probe('cel = "has(self.status.phas) && self.status.phas"'),
      probe('cel = "self.status.phas"', 'Other'),
    ];
    const home = solution('probes', web(sound[0]!, typo, probe('condition = "Ready"')), files);
    const found = await findingsOf(home);
    const place = { code: 'probe-field-absent', component: 'web' };
    expect(found).toEqual([
      expect.objectContaining({
        ...place,
        source: 'solution.toml:22',
        path: 'ready.1.cel',
        message:
          'looks at status.phas, which the definition of Database (example.com/v1) does not have; did you mean "phase"?',
      }),
      expect.objectContaining({ ...place, message: expect.stringContaining('status.members, which') }),
      expect.objectContaining({ ...place, source: 'solution.toml:27', path: 'ready.2.condition' }),
    ]);
    // A probe that is new is compared with a definition that the lock has proved already.
    const locked = solution('probes-locked', web(...sound), files);
    const pack = async (): Promise<Outcome> => solpack(['pack', locked, '-o', join(locked, 'out.iso')]);
    expect(await pack()).toMatchObject({ code: 0 });
    writeFileSync(join(locked, 'solution.toml'), web(typo));
    expect(await pack()).toMatchObject({ code: 2, stderr: expect.stringContaining('[probe-field-absent]') });
    // What keeps unknown fields may have any.
    writeFileSync(join(locked, 'crds.yaml'), definition('x-kubernetes-preserve-unknown-fields: true, '));
    expect(await pack()).toMatchObject({ code: 0 });
  });

  test('is told of a container that fetches from an address, and is a finding with --strict, also if the lock proves it', async () => {
    const job = (name: string): string => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a.example/kubectl:1, command: [kubectl, apply, -f, "https://files.example.com/${name}.yaml"]}]}}}
`;
    const text = head('external-images = ["a.example/*"]') + component('web', 'manifests', 'web.yaml');
    const home = solution('fetches', text, { 'web.yaml': job('one') });
    const told =
      'https://files.example.com/one.yaml: seems to be fetched by component web (Job/default/one, spec.template.spec.containers.0.command.3), ';
    const pack = (): Promise<Outcome> => solpack(['pack', home, '-o', join(home, 'out.iso')]);
    for (let run = 0; run < 2; run += 1)
      expect(await pack()).toMatchObject({ code: 0, stderr: expect.stringContaining(told) });
    expect(await solpack(['pack', home, '-o', join(home, 'out.iso'), '--strict'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /web\.yaml:1, Job\/default\/one, spec\.template\.spec\.containers\.0\.command\.3: .*\[address-fetched\]/,
      ),
    });
  });

  test('is a kind that nobody brings, told once a component with both ways out', async () => {
    const issuer = (name: string): string => `apiVersion: certs.example/v1\nkind: Issuer\nmetadata: {name: ${name}}\n`;
    const text = (more = ''): string => head(more) + component('web', 'manifests', 'web.yaml');
    const home = solution('kinds', text(), { 'web.yaml': `${map('a')}---\n${issuer('a')}---\n${issuer('b')}` });
    expect(await findingsOf(home)).toEqual([
      {
        ...{ code: 'kind-absent', component: 'web', source: 'web.yaml:5', object: 'Issuer/default/a', kubernetes: [] },
        message:
          'nothing provides its kind, Issuer (certs.example/v1); add a component that defines it, or name it under [requires]: "certs.example/v1/Issuer" = "*"',
      },
    ]);
    const pack = (): Promise<Outcome> => solpack(['pack', home, '-o', join(home, 'out.iso')]);
    expect(await pack()).toMatchObject({ code: 2, stderr: expect.stringContaining('[kind-absent]') });
    const write = (name: string, content: string): void => writeFileSync(join(home, name), content);
    for (const name of ['certs.example', 'certs.example/v1', 'certs.example/v1/Issuer']) {
      write('solution.toml', text(`[requires]\n"${name}" = "*"`));
      expect((await solpack(['check', home])).code).toBe(0);
    }
    // A Solution that is required may bring it: nobody can see that here.
    write('solution.toml', text('[requires]\ncerts = "^1"'));
    expect(await solpack(['check', home])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'web: has objects of kinds that the Solution does not define: Issuer (certs.example/v1); certs has to provide them',
      ),
    });
    const definition = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: issuers.certs.example}
spec:
  group: certs.example
  names: {kind: Issuer, plural: issuers}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
    write('crds.yaml', definition);
    write('solution.toml', text() + component('crds', 'manifests', 'crds.yaml'));
    expect((await pack()).code).toBe(0);
    // What the lock proves is judged again once its definition is gone.
    write('solution.toml', text());
    expect(await pack()).toMatchObject({ code: 2, stderr: expect.stringMatching(/web\.yaml:5, .*\[kind-absent\]/) });
    // An API server of its own serves kinds that no definition has.
    const service =
      'apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.certs.example}\n' +
      'spec: {group: certs.example, version: v1, groupPriorityMinimum: 100, versionPriority: 100, service: {name: a, namespace: default}}\n';
    write('crds.yaml', service);
    write('solution.toml', text() + component('crds', 'manifests', 'crds.yaml'));
    expect((await solpack(['check', home])).stdout).toContain('closed hello 1.0.0');
  });

  test('ends pack with 2, a line for each, and nothing written', async () => {
    const home = solution('pack', head() + component('web', 'manifests', 'web.yaml'), {
      'web.yaml': `${pod('registry.example.com/web:1')}---\n${map('a', 'shop')}`,
    });
    const { code, stderr } = await solpack(['pack', home, '-o', join(home, 'out.iso'), '-q']);
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^solpack: component web: web\.yaml:1, Pod\/default\/p, .*registry\.example\.com\/web:1.*\[image-unheld\]$/,
      ),
      expect.stringMatching(
        /^solpack: component web: web\.yaml:6, ConfigMap\/shop\/a: .*namespace shop.*\[namespace-absent\]$/,
      ),
      expect.stringMatching(/^solpack: .*solution\.toml: the Solution is not closed: 2 findings; .*\[solution-open\]$/),
    ]);
    expect([existsSync(join(home, 'out.iso')), existsSync(join(home, 'solution.lock'))]).toEqual([false, false]);
  });

  test('is nothing where sites bring the images, and the Solution the namespace', async () => {
    const text = external + component('web', 'manifests', 'web.yaml', 'namespace = "shop"\ncreate-namespace = true');
    const home = solution('closed', text, { 'web.yaml': pod('registry.example.com/web:1') });
    const { code, stdout } = await solpack(['check', home]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('closed hello 1.0.0')]);
    expect(existsSync(join(home, 'solution.lock'))).toBe(false);
  });

  judged('is what helm refuses, beside what is found of other components', ['helm'], async () => {
    const text = head() + component('bad', 'helm', 'bad') + component('web', 'manifests', 'web.yaml');
    const home = solution('refused', text, {
      'bad/Chart.yaml': 'apiVersion: v2\nname: bad\nversion: 1.0.0\n',
      'bad/templates/a.yaml': '{{ required "say who" .Values.who }}\n',
      'web.yaml': map('a', 'shop'),
    });
    const found = await findingsOf(home);
    expect(found.map(({ code, component: name }) => [code, name])).toEqual([
      ['not-rendered', 'bad'],
      ['namespace-absent', 'web'],
    ]);
    expect(found[0]!['message']).toMatch(/templates\/a\.yaml.*say who/);
  });

  judged('is reported for the versions for which it is so, with the template', ['helm'], async () => {
    const text = head('kubernetes = ">=1.33 <1.36"') + component('web', 'helm', 'web');
    const home = solution('versions', text, {
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/templates/a.yaml': `{{ if semverCompare ">=1.35" .Capabilities.KubeVersion.Version }}\n${map('a', 'shop')}{{ end }}\n`,
    });
    expect(await findingsOf(home)).toMatchObject([
      { code: 'namespace-absent', source: 'web/templates/a.yaml', kubernetes: ['1.35.0'] },
    ]);
  });

  test('is not looked for in what only the node can render, which inspect shows', async () => {
    const text = head() + component('web', 'manifests', 'web.yaml', 'render = "install"');
    const home = solution('install', text, { 'web.yaml': pod('registry.example.com/web:1') });
    const { code, stdout } = await solpack(['check', home, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ ok: true, unproved: ['web'] })]);
    expect((await solpack(['pack', home, '-o', join(home, 'out.iso')])).code).toBe(0);
    const inspected = await solpack(['inspect', join(home, 'out.iso')]);
    expect(inspected.stdout).toContain('rendered on the node alone');
  });
});

function order(found: readonly Record<string, unknown>[], source: string): number {
  return found.findIndex((finding) => finding['source'] === source);
}

describe('what packing runs', () => {
  const images = 'external-images = ["registry.example.com/*"]';
  const shop = 'namespace = "shop"\ncreate-namespace = true';

  /** A Solution of a chart, a kustomization and another chart. */
  function three(name: string, range: string): string {
    const home = solution(
      name,
      head(`${range}${images}`) +
        component('front', 'helm', 'subcharts', shop) +
        component('kinds', 'helm', 'crds', shop) +
        component('kust', 'kustomize', 'kust'),
      { 'kust/kustomization.yaml': 'resources: [a.yaml]\n', 'kust/a.yaml': map('a') },
    );
    for (const chart of ['subcharts', 'part', 'crds'])
      cpSync(join(charts, chart), join(home, chart), { recursive: true });
    return home;
  }

  judged(
    'is one run of helm a chart and version, and none where the lock proves it unchanged',
    ['helm', 'kubectl'],
    async () => {
      const home = three('runs', 'kubernetes = ">=1.33 <1.36"\n');
      const pack = (): Promise<Outcome> => counting(['pack', home, '-o', join(home, 'out.iso'), '-q']);
      expect((await pack()).stderr).toBe('');
      expect(ran().filter((line) => line.startsWith('helm'))).toEqual([
        ...Array(3).fill('helm template front'),
        ...Array(3).fill('helm template kinds'),
      ]);
      expect(ran().filter((line) => line.startsWith('kubectl'))).toHaveLength(1);
      const lock = readFileSync(join(home, 'solution.lock'), 'utf8');
      rmSync(runs);
      expect((await pack()).code).toBe(0);
      expect((await counting(['pack', home, '--locked', '-o', join(home, 'again.iso'), '-q'])).code).toBe(0);
      expect([ran(), readFileSync(join(home, 'solution.lock'), 'utf8')]).toEqual([[], lock]);
      expect(readFileSync(join(home, 'again.iso')).equals(readFileSync(join(home, 'out.iso')))).toBe(true);
      writeFileSync(join(home, 'kust/a.yaml'), map('b'));
      expect((await pack()).code).toBe(0);
      expect(ran()).toEqual([expect.stringMatching(/^kubectl kustomize/)]);
    },
  );

  judged('is what lacks an image once that is taken away, so that its template is named', ['helm'], async () => {
    const home = three('taken', '');
    expect((await counting(['pack', home, '-o', join(home, 'out.iso'), '-q'])).stderr).toBe('');
    const definition = readFileSync(join(home, 'solution.toml'), 'utf8');
    writeFileSync(join(home, 'solution.toml'), definition.replace(images, ''));
    const { code, stderr } = await counting(['pack', home, '-o', join(home, 'out.iso'), '-q']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/component front: subcharts\/\S*templates\/\S+\.yaml, .*\[image-unheld\]/),
    ]);
  });
});
