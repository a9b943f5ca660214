import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type KubernetesObject, parseDocuments } from '../../formats/manifest/documents.ts';
import { configMap } from '../lib/parts/components/support.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { buildImage, tarOf, writeLayout } from '../support/image.ts';
import { judged, type Outcome, ok, scratch } from '../support/judges.ts';
import { type BundleChanges, bundleDefinition, bundleDeployment, operatorBundle } from '../support/operator-bundles.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('operator-bundles');
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);

/** The images of the sample, each by its name. */
const images = ['registry.example.com/cache/operator:1.4.0', 'registry.example.com/cache/server:7.2.4'];

const held = images.map((name) => `[[images]]\nreference = "${name}"\nsource = "oci:../images:${name}"\n`).join('');

beforeAll(async () => {
  const one = buildImage({ platforms: ['linux/amd64'], seed: 'operator', files: {} });
  await writeLayout(
    join(folder, 'images'),
    images.map((name) => ({ name, image: one })),
  );
  const bundle = buildImage({ platforms: ['linux/amd64'], seed: 'bundle', files: operatorBundle() });
  await writeLayout(join(folder, 'bundle-image'), [{ name: 'bundle:1', image: bundle }]);
});

/** Writes a definition with one component, and what lies beside it. */
function define(name: string, component: string, files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  const text = `name = "${name}"\nversion = "1.0.0"\n${held}[[components]]\nname = "cache"\n${component}\n`;
  writeFiles(home, { 'solution.toml': text, ...files });
  return home;
}

const inFolder = (changes: BundleChanges = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(operatorBundle(changes)).map(([path, text]) => [`bundle/${path}`, text]));

const pack = (home: string, ...more: string[]): Promise<Outcome> =>
  solpack(['pack', home, '-o', join(home, 'out.iso'), ...more]);

const kind = 'kind = "registry+v1"\n';

describe('a registry+v1 bundle', () => {
  judged('is the same archive from a folder, a tar archive and an image', ['skopeo', 'docker-registry'], async () => {
    const { host } = await registry();
    const image = `oci:${join(folder, 'bundle-image')}:bundle:1`;
    const to = join(folder, 'saved.tar');
    const layout = join(folder, 'copied.tar');
    await ok('skopeo', ['copy', image, `docker-archive:${to}:bundle:1`]);
    await ok('skopeo', ['copy', image, `oci-archive:${layout}:bundle:1`]);
    await ok('skopeo', ['copy', '--dest-tls-verify=false', image, `docker://${host}/team/bundle:1`]);
    const top = Object.fromEntries(Object.entries(operatorBundle()).map(([path, text]) => [`top/${path}`, text]));
    writeFileSync(join(folder, 'plain.tar'), tarOf(operatorBundle()));
    writeFileSync(join(folder, 'packed.tar.gz'), gzipSync(tarOf(top)));
    const paths = [
      '../saved.tar',
      '../copied.tar',
      '../plain.tar',
      '../packed.tar.gz',
      `docker://${host}/team/bundle:1`,
    ];
    const listed = [];
    for (const [at, path] of ['bundle', ...paths].entries()) {
      const home = define(`form-${at}`, `${kind}path = "${path}"`, at === 0 ? inFolder() : {});
      expect(await pack(home)).toMatchObject({ code: 0 });
      listed.push((await succeeds(['ls', join(home, 'out.iso'), 'components', '--digests'])).replaceAll(home, ''));
    }
    expect(new Set(listed).size).toBe(1);
    expect(listed[0]).toContain('components/cache/manifests/cache.example.com_caches.yaml');
  });

  test('goes where it suggests, and that namespace comes along, unless the definition says another', async () => {
    const template = { metadata: { name: 'ignored', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } };
    const annotations = {
      'operatorframework.io/suggested-namespace': 'cache-home',
      'operatorframework.io/suggested-namespace-template': JSON.stringify(template),
    };
    const home = define('suggested', `${kind}path = "bundle"`, inFolder({ annotations }));
    expect(await pack(home)).toMatchObject({ code: 0 });
    const inspected = JSON.parse(await succeeds(['inspect', join(home, 'out.iso'), '--json']));
    expect(inspected.components).toMatchObject([{ name: 'cache', kind: 'registry+v1', version: '1.4.0' }]);
    const rendered = await objectsOf('suggested', home);
    expect(rendered[0]).toMatchObject({ kind: 'Namespace', metadata: { ...template.metadata, name: 'cache-home' } });
    expect(rendered.find(({ kind: one }) => one === 'Deployment')).toMatchObject({
      metadata: { namespace: 'cache-home' },
    });
    const other = define('own', `${kind}path = "bundle"\nnamespace = "other"\ncreate-namespace = true`, inFolder());
    expect(await pack(other)).toMatchObject({ code: 0 });
    expect((await objectsOf('own', other))[0]).toMatchObject({ kind: 'Namespace', metadata: { name: 'other' } });
  });

  test('is closed only with the images that its operator starts', async () => {
    const deployment = bundleDeployment('cache-operator', {
      containers: [
        {
          name: 'manager',
          image: images[0],
          env: [{ name: 'RELATED_IMAGE_PROXY', value: `registry.example.com/cache/proxy@sha256:${'a'.repeat(64)}` }],
        },
      ],
    });
    const spec = { relatedImages: [{ name: 'x', image: 'registry.example.com/cache/x:1' }] };
    const home = define('open', `${kind}path = "bundle"`, inFolder({ spec, strategy: { deployments: [deployment] } }));
    const { code, stderr } = await pack(home);
    expect(code).toBe(2);
    expect(stderr).toMatch(/relatedImages\.0\.image: registry\.example\.com\/cache\/x:1 is not among the images/);
    expect(stderr).toMatch(
      /cache-operator\.env\.RELATED_IMAGE_PROXY: registry\.example\.com\/cache\/proxy@sha256:a+ is not/,
    );
  });

  test('with webhooks is refused by their names where nobody makes certificates', async () => {
    const webhook = {
      type: 'ValidatingAdmissionWebhook',
      generateName: 'v.example.com',
      deploymentName: 'cache-operator',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const files = inFolder({ spec: { webhookdefinitions: [webhook] } });
    const home = define('hooks', `${kind}path = "bundle"`, files);
    const { code, stderr } = await pack(home);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /set certificates = "cert-manager" if .* \(webhooks: ValidatingAdmissionWebhook v\.example\.com\)/,
      ),
    ]);
    const trusting = define('hooks-set', `${kind}path = "bundle"\nset = { certificates = "cert-manager" }`, files);
    expect(await pack(trusting)).toMatchObject({ code: 0 });
    const definition = (one: string): string => stringify(bundleDefinition(one, 'cert-manager.io'));
    const bringing = define(
      'hooks-brought',
      `${kind}path = "bundle"\n[[components]]\nname = "cert-manager"\nkind = "plain+v0"\npath = "manager"`,
      { ...files, 'manager/manifests/a': definition('Issuer'), 'manager/manifests/b': definition('Certificate') },
    );
    expect(await pack(bringing)).toMatchObject({ code: 0 });
  });

  test.each([
    ['values nobody knows', 'set = { installmode = "AllNamespaces" }', /the value installmode: /],
    ['a mode that there is not', 'set = { installMode = "Some" }', /the value installMode: /],
    ['a mode without its namespaces', 'set = { installMode = "MultiNamespace" }', /needs watchNamespaces/],
    ['a release', 'release = "web"', /only a component of kind helm has release/],
  ])('is refused with %s', async (name, more, words) => {
    const home = define(`bad-${name.replaceAll(' ', '-')}`, `${kind}path = "bundle"\n${more}`, inFolder());
    const { code, stderr } = await pack(home);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});

const head =
  'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\n';

/** Installs an archive as a site does that sets these values. */
function install(home: string, name: string, values: unknown, ...more: string[]): Promise<Outcome> {
  const set = values === undefined ? '' : `  values: {cache: [${JSON.stringify(values)}]}\n`;
  writeFileSync(join(home, 'solutions.yaml'), `${head}solutions:\n- name: ${name}\n  archives: [out.iso]\n${set}`);
  return solpack(['install', '-f', 'solutions.yaml', '--insecure-skip-verify', ...more], { cwd: home });
}

/** Returns the objects that an install would apply. */
async function objectsOf(name: string, home: string, values?: unknown): Promise<KubernetesObject[]> {
  rmSync(join(home, 'rendered'), { recursive: true, force: true });
  expect(await install(home, name, values, '--render', 'rendered')).toMatchObject({ code: 0 });
  const files = readdirSync(join(home, 'rendered'), { recursive: true, withFileTypes: true });
  return files
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort()
    .flatMap((path) => parseDocuments(readFileSync(path, 'utf8'), path));
}

test('what a bundle needs and offers stands in the archive, but for what the Solution brings itself', async () => {
  const dependencies = [
    { type: 'olm.package', value: { packageName: 'etcd', version: '>=0.9.0 <1.0.0' } },
    { type: 'olm.gvk', value: { group: 'own.example.com', version: 'v1', kind: 'Own' } },
  ];
  const files = inFolder({ files: { 'metadata/dependencies.yaml': stringify({ dependencies }) } });
  const home = define('relating', `${kind}path = "bundle"\n[provides]\n"own.example.com/v1/Own" = "1.0.0"`, files);
  expect(await pack(home)).toMatchObject({ code: 0 });
  const without = await install(home, 'relating', undefined, '--render', 'rendered');
  expect([without.code, without.stderr]).toEqual([2, expect.stringMatching(/etcd/)]);
  expect(without.stderr).not.toContain('Own');
});

describe('an archive of a bundle', () => {
  judged('is refused where it holds no image, or several, or what is not a bundle', ['skopeo'], async () => {
    const other = buildImage({ platforms: ['linux/amd64'], seed: 'other', files: { 'a.txt': 'a' } });
    const two = ['a:1', 'b:1'].map((name) => ({ name, image: other }));
    await writeLayout(join(folder, 'two'), two);
    await ok('tar', ['-cf', join(folder, 'two.tar'), '-C', join(folder, 'two'), '.']);
    await ok('skopeo', ['copy', `oci:${join(folder, 'two')}:a:1`, `docker-archive:${join(folder, 'other.tar')}:a:1`]);
    writeFileSync(join(folder, 'text.tar'), 'no archive at all');
    writeFileSync(join(folder, 'out.tar'), tarOf({ '../../evil': 'x' }));
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        'two.tar',
        /two\.tar: component cache: holds 2 images, but a bundle is one image|holds 2 images, but a bundle is one image/,
      ],
      ['other.tar', /has no metadata\/annotations\.yaml/],
      ['text.tar', /text\.tar/],
      ['out.tar', /is not a path within its folder/],
      ['none.tar', /\[file-missing\]/],
    ];
    for (const [name, words] of cases) {
      const { code, stderr } = await pack(define(`of-${name}`.replace('.', '-'), `${kind}path = "../${name}"`));
      expect([name, code, stderr]).toEqual([name, 2, expect.stringMatching(words)]);
      expect(stderr).not.toMatch(/solpack-[^/ ]*\/\d+|\n {4}at /);
    }
  });
});

describe('a site', () => {
  let home: string;
  beforeAll(async () => {
    home = define('sited', `${kind}path = "bundle"`, inFolder({ modes: ['OwnNamespace', 'SingleNamespace'] }));
    expect(await pack(home)).toMatchObject({ code: 0 });
  });

  test('says which namespaces an operator watches, and where its Pods run', async () => {
    const own = await objectsOf('sited', home);
    const roles = (objects: readonly KubernetesObject[]): unknown[] =>
      objects.filter((one) => one.kind === 'Role').map(({ metadata }) => metadata.namespace);
    expect(roles(own)).toEqual(['cache-operator-system']);
    const values = { watchNamespaces: ['shop'], deploymentConfig: { nodeSelector: { disk: 'fast' } } };
    const other = await objectsOf('sited', home, values);
    expect(roles(other)).toEqual(['shop']);
    expect(other.find((one) => one.kind === 'Deployment')).toMatchObject({
      spec: {
        template: {
          metadata: { annotations: { 'olm.targetNamespaces': 'shop' } },
          spec: { nodeSelector: { disk: 'fast' } },
        },
      },
    });
  });

  test.each([
    ['a value that there is not', { watchnamespaces: ['shop'] }, /cache\.watchnamespaces/],
    ['a name that is none', { watchNamespaces: ['A b'] }, /cache\.watchNamespaces\.0/],
    [
      'a mode that the operator does not support',
      { installMode: 'AllNamespaces' },
      /does not support the install mode/,
    ],
    ['too many namespaces', { watchNamespaces: ['a', 'b'] }, /MultiNamespace, which a, b would be/],
  ])('is told of %s', async (_, values, words) => {
    const { code, stderr } = await install(home, 'sited', values, '--render', 'refused');
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  controlPlaneTest('installs an operator that may do what its bundle asks, where it watches', async () => {
    const { kubeconfig, kubectl, tried } = plane();
    const idle = bundleDeployment('cache-operator') as { readonly spec: object };
    const deployments = [{ ...idle, spec: { ...idle.spec, replicas: 0 } }];
    const running = define('running', `${kind}path = "bundle"`, inFolder({ strategy: { deployments } }));
    expect(await pack(running)).toMatchObject({ code: 0 });
    await kubectl('create', 'namespace', 'shop');
    const inCluster = ['--kubeconfig', kubeconfig, '--hosts-dir', 'certs.d'];
    const may = async (namespace: string): Promise<string> => {
      const user = 'system:serviceaccount:cache-operator-system:cache-operator';
      const asked = ['auth', 'can-i', 'list', 'configmaps', '--as', user, '-n', namespace];
      return (await tried(asked)).stdout.trim();
    };
    const everywhere = await install(running, 'running', undefined, ...inCluster);
    expect([everywhere.code, everywhere.stderr]).toEqual([0, expect.any(String)]);
    expect([await may('cache-operator-system'), await may('shop'), await may('default')]).toEqual([
      'yes',
      'yes',
      'yes',
    ]);
    const one = await install(running, 'running', { watchNamespaces: ['shop'] }, ...inCluster);
    expect([one.code, one.stderr]).toEqual([0, expect.any(String)]);
    expect([await may('cache-operator-system'), await may('shop'), await may('default')]).toEqual(['no', 'yes', 'no']);
    const object = 'apiVersion: cache.example.com/v1\nkind: Cache\nmetadata: {name: one, namespace: shop}\n';
    expect(await tried(['apply', '-f', '-'], { input: object })).toMatchObject({ code: 0 });
  });
});

describe('a plain+v0 bundle', () => {
  const plain = 'kind = "plain+v0"\npath = "bundle"';

  test('has the objects of all files in manifests, whatever their names', async () => {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: parseDocuments(configMap('c'), 'c') });
    const home = define('plain', plain, {
      'bundle/manifests/a': `${configMap('a')}---\n${configMap('b')}`,
      'bundle/manifests/c.txt': list,
      'bundle/README.md': '# not: [part of it\n',
      'bundle/other/d.yaml': configMap('d'),
    });
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect((await objectsOf('plain', home)).map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    expect(await succeeds(['ls', join(home, 'out.iso'), 'components'])).not.toMatch(/README|other/);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['no folder manifests', { 'bundle/a.yaml': configMap('a') }, /has no folder manifests with files in it/],
    ['no objects', { 'bundle/manifests/a.yaml': '# nothing\n' }, /has no objects, but a plain\+v0 bundle has at/],
    [
      'a folder',
      { 'bundle/manifests/a/b': configMap('b') },
      /manifests\/a is a folder in manifests|is a folder in manif/,
    ],
    [
      'a stray file',
      { 'bundle/manifests/.gitignore': '*.bak\n', 'bundle/manifests/a': configMap('a') },
      /\.gitignore:1:1/,
    ],
    ['a file in its place', { bundle: 'text' }, /./],
  ])('is refused with %s', async (name, files, words) => {
    const home = define(`plain-${name.replaceAll(' ', '-')}`, plain, files);
    const { code, stderr } = await pack(home);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  test('may hold a definition together with objects of its kind', async () => {
    const definition = stringify(bundleDefinition('Cache'));
    const object = 'apiVersion: cache.example.com/v1\nkind: Cache\nmetadata: {name: one}\n';
    const home = define('plain-both', plain, { 'bundle/manifests/a': `${object}---\n${definition}` });
    expect(await pack(home)).toMatchObject({ code: 0 });
  });
});
