import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { sha256 } from '../../formats/digest.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { nginx } from '../support/nginx.ts';
import { selfSigned } from '../support/registry.ts';

const folder = scratch('metalk8s-view');
const cwd = folder;
const file = (name: string): string => join(folder, name);
const inTree = (name: string): string => join(folder, 'tree', name);
const id = 'clock-1.0.0';
const platforms = ['linux/amd64', 'linux/arm64'];
const operator = buildImage({
  platforms,
  seed: 'operator',
  files: { 'etc/large': 'x'.repeat(3_000_000).replaceAll('x', (_, at) => String(at % 97)) },
});
const server = buildImage({ platforms: ['linux/amd64'], seed: 'server' });

const definition = `name = "clock"
version = "1.0.0"
operator = "registry.example.com/deep/down/clock-operator:1.0.0"

[[images]]
reference = "registry.example.com/deep/down/clock-operator:1.0.0"
source = "oci:images:operator"

[[images]]
reference = "registry.example.com/deep/server:2.0"
source = "oci:images:server"

[[components]]
name = "crds"
kind = "manifests"
path = "crds"

[[components]]
name = "operator"
kind = "manifests"
path = "operator"
namespace = "clock"
create-namespace = true
`;

const crd = (plural: string, kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.com}
spec:
  group: example.com
  names: {kind: ${kind}, plural: ${plural}}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;

const role = (kind: string, name: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nrules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n`;

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: clock-operator}
spec:
  selector: {matchLabels: {app: clock}}
  template:
    metadata: {labels: {app: clock}}
    spec:
      containers: [{name: operator, image: "registry.example.com/deep/down/clock-operator:1.0.0"}]
`;

beforeAll(async () => {
  await writeLayout(file('images'), [
    { name: 'operator', image: operator },
    { name: 'server', image: { ...server, index: server.manifests[0]! } },
  ]);
  writeFiles(folder, {
    'solution.toml': definition,
    'crds/clocks.yaml': crd('clocks', 'Clock'),
    'crds/others.yaml': `${crd('hands', 'Hand')}---\n${crd('faces', 'Face')}`,
    'operator/roles.yaml': `${role('Role', 'clock')}---\n${role('ClusterRole', 'clocks')}`,
    'operator/deployment.yaml': deployment,
  });
  await succeeds(['pack', '-o', 'clock.iso', '--metalk8s'], { cwd });
  await succeeds(['extract', 'clock.iso', '-C', 'tree'], { cwd });
});

/** What a registry of nginx is reported, as the importer fills it in. */
const registryConfig = (): string =>
  readFileSync(inTree('registry-config.inc.j2'), 'utf8')
    .replaceAll('{{ repository }}', id)
    .replaceAll('{{ registry_root }}', inTree('images'));

/** What MetalK8s tells its nginx once, whatever Solutions there are. */
const constants = `
location = /v2/ { return 200 'ok'; }
location @404_tag {
  internal;
  types { } default_type "application/json";
  return 404 '{"errors": [{"code": "TAG_INVALID", "message": "manifest tag did not match URI", "detail": ""}]}';
}
`;

const registry = nginx(folder, async () => {
  await selfSigned(file('server.key'), file('server.pem'), ['-subj', '/CN=files']);
  return { certificate: file('server.pem'), key: file('server.key'), locations: constants + registryConfig() };
});

interface Manifest {
  kind: string;
  apiVersion: string;
  metadata: { name: string };
  spec: { version: string; images: string[]; operator: { image: { name: string; tag: string } } };
}

describe('the view for MetalK8s', () => {
  judged('has a manifest.yaml that the importer finds, and takes', ['isoinfo'], async () => {
    const text = await ok('isoinfo', ['-x', '/MANIFEST.YAML;1', '-i', 'clock.iso'], { cwd });
    expect(text).toBe(readFileSync(inTree('manifest.yaml'), 'utf8'));
    const { kind, apiVersion, metadata, spec }: Manifest = parse(text, { version: '1.1' });
    expect([kind, apiVersion]).toEqual(['Solution', 'solutions.metalk8s.scality.com/v1alpha1']);
    expect(metadata.name).toMatch(/^(?!-)[0-9a-z-]{1,63}(?<!-)$/);
    expect(spec.version).toBe('1.0.0');
    expect(spec.operator.image).toEqual({ name: 'clock-operator', tag: '1.0.0' });
    // What it lists is what lies below images/, in folders of folders.
    const folders = readdirSync(inTree('images')).flatMap((name) =>
      readdirSync(inTree(`images/${name}`)).map((tag) => `${name}:${tag}`),
    );
    expect(spec.images).toEqual(folders);
  });

  test('has definitions one a file, and roles alone', () => {
    const names = readdirSync(inTree('operator/deploy/crds'));
    expect(names).toEqual(['clocks.example.com_crd.yaml', 'faces.example.com_crd.yaml', 'hands.example.com_crd.yaml']);
    for (const name of names) {
      const documents = parseAllDocuments(readFileSync(inTree(`operator/deploy/crds/${name}`), 'utf8'));
      expect(documents.map((one) => one.toJS().kind)).toEqual(['CustomResourceDefinition']);
    }
    expect(readFileSync(inTree('operator/deploy/role.yaml'))).toEqual(readFileSync(file('operator/roles.yaml')));
  });

  judged('holds images as skopeo copies them to a folder', ['skopeo'], async () => {
    for (const [image, digest] of [
      ['clock-operator/1.0.0', operator.index.digest],
      ['server/2.0', server.manifests[0]!.digest],
    ] as const) {
      expect(sha256(readFileSync(inTree(`images/${image}/manifest.json`)))).toBe(digest);
      await ok('skopeo', [
        '--insecure-policy',
        'copy',
        '-q',
        '--all',
        `dir:${inTree(`images/${image}`)}`,
        `dir:${file('copied')}`,
      ]);
      const copied = readdirSync(file('copied')).filter((name) => name !== 'version');
      expect(readdirSync(inTree(`images/${image}`)).filter((name) => name !== 'version')).toEqual(copied);
      expect(readFileSync(inTree(`images/${image}/version`))).toEqual(readFileSync(file('copied/version')));
      rmSync(file('copied'), { recursive: true });
    }
  });

  judged('makes nginx a registry of all images, by tag and by digest', ['nginx', 'skopeo', 'curl'], async () => {
    const { url } = await registry();
    const host = url.slice('http://'.length);
    for (const [image, digest] of [
      ['clock-operator:1.0.0', operator.index.digest],
      ['server:2.0', server.manifests[0]!.digest],
    ] as const) {
      const [name = '', tag] = image.split(':');
      const tags = await ok('curl', ['-sS', `${url}/v2/${id}/${name}/tags/list`]);
      expect(JSON.parse(tags)).toEqual({ name, tags: [tag] });
      for (const reference of [`${name}:${tag}`, `${name}@${digest}`]) {
        const from = `docker://${host}/${id}/${reference}`;
        const head = await ok('curl', ['-sSI', `${url}/v2/${id}/${name}/manifests/${tag}`]);
        expect(head).toContain(`Docker-Content-Digest: ${digest}`);
        await ok('skopeo', [
          '--insecure-policy',
          'copy',
          '-q',
          '--all',
          '--src-tls-verify=false',
          from,
          `dir:${file('pulled')}`,
        ]);
        expect(sha256(readFileSync(file('pulled/manifest.json')))).toBe(digest);
        rmSync(file('pulled'), { recursive: true });
      }
    }
    const absent = await ok('curl', ['-sS', `${url}/v2/${id}/server/manifests/9.9`]);
    expect(absent).toContain('404');
    const hidden = ['-sS', '-o', '/dev/null', '-w', '%{http_code}'];
    expect(await ok('curl', [...hidden, `${url}/v2/${id}/server/blobs/sha256:${'0'.repeat(64)}`])).toBe('404');
  });

  judged('costs nothing but names: all of its files share the extents of contents', ['isoinfo'], async () => {
    writeFileSync(file('plain.toml'), definition);
    await succeeds(['pack', 'plain.toml', '-o', 'plain.iso'], { cwd });
    const layers = statSync(file('plain.iso')).size;
    expect(statSync(file('clock.iso')).size - layers).toBeLessThan(96 * 1024);
    const listed = await ok('isoinfo', ['-R', '-l', '-i', 'clock.iso'], { cwd });
    const extents = new Map<string, Set<string>>();
    for (const [, extent = '', name = ''] of listed.matchAll(/\[ *(\d+) \d+\] +([0-9a-f]{64})\b/g)) {
      extents.set(name, new Set([...(extents.get(name) ?? []), extent]));
    }
    const names = readdirSync(inTree('images/server/2.0')).filter((name) => /^[0-9a-f]{64}$/.test(name));
    expect(names).toHaveLength(3);
    for (const name of names) expect(extents.get(name)?.size).toBe(1);
  });

  judged('is in the sums, and verified to the last byte', ['sha256sum'], async () => {
    expect(readFileSync(inTree('.solpack/SHA256SUMS'), 'utf8')).toContain('  images/server/2.0/manifest.json\n');
    await ok('sha256sum', ['-c', '--quiet', '.solpack/SHA256SUMS'], { cwd: file('tree') });
    await succeeds(['verify', 'clock.iso'], { cwd });
    await succeeds(['verify', 'tree'], { cwd });
    for (const text of ['default_type "application/json"', 'Directory Transport Version']) {
      const bytes = readFileSync(file('clock.iso'));
      bytes.write('D', bytes.indexOf(text) + 3);
      writeFileSync(file('changed.iso'), bytes);
      const { code, stdout } = await solpack(['verify', 'changed.iso', '--json'], { cwd });
      expect([code, JSON.parse(stdout).findings[0].code]).toEqual([1, 'structure-mismatch']);
    }
  });

  test('is asked for by the root, so that it is the same in each carrier and from the same lock', async () => {
    const { root } = JSON.parse(await succeeds(['inspect', 'clock.iso', '--json'], { cwd }));
    // Another test has packed without it, and locked that.
    await succeeds(['pack', '-o', 'first.iso', '--metalk8s'], { cwd });
    await succeeds(['pack', '-o', 'again.iso', '--metalk8s', '--locked'], { cwd });
    expect(readFileSync(file('again.iso'))).toEqual(readFileSync(file('clock.iso')));
    await succeeds(['pack', '-o', 'clock.tar', '--metalk8s', '--locked'], { cwd });
    expect(JSON.parse(await succeeds(['inspect', 'clock.tar', '--json'], { cwd })).root).toBe(root);
    await succeeds(['verify', 'clock.tar'], { cwd });
    const other = await solpack(['pack', '-o', 'other.iso', '--locked'], { cwd });
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('packed with --metalk8s, which was not given'),
    ]);
  });

  test('is a medium for MetalK8s to solpack too, where nothing else is left of the archive', async () => {
    const { images } = JSON.parse(await succeeds(['inspect', 'clock.iso', '--json'], { cwd }));
    await succeeds(['extract', 'clock.iso', '-C', 'bare'], { cwd });
    for (const name of ['.solpack', 'blobs', 'components', 'index.json', 'oci-layout']) {
      rmSync(file(`bare/${name}`), { recursive: true });
    }
    const bare = JSON.parse(await succeeds(['inspect', 'bare', '--json'], { cwd }));
    expect(bare.medium).toMatchObject({ era: 'manifest', faults: [], unused: [] });
    const digests = (list: { digest: string }[]): string[] => list.map(({ digest }) => digest).sort();
    expect(digests(bare.images)).toEqual(digests(images));
    const rendered = await succeeds(['render', 'bare'], { cwd });
    expect(rendered).toContain(
      `metalk8s-registry-from-config.invalid/${id}/clock-operator:1.0.0@${operator.index.digest}`,
    );
  });

  for (const [what, change, said] of [
    ['no operator', (text: string) => text.replace(/^operator = .*\n/m, ''), 'it names no operator'],
    [
      'an operator that it does not hold',
      (text: string) => text.replace('operator:1.0.0"\n\n', 'operator:3"\n\n'),
      'it does not include its operator',
    ],
    [
      'two images of one name',
      (text: string) => text.replace('deep/server:2.0', 'other/clock-operator:1.0.0'),
      'are both clock-operator:1.0.0 there',
    ],
    [
      'an image without a tag',
      (text: string) => text.replace('deep/server:2.0', `deep/server@${server.manifests[0]!.digest}`),
      'has no tag',
    ],
  ] as const) {
    test(`is refused for a Solution with ${what}`, async () => {
      writeFileSync(file('refused.toml'), change(definition));
      const { code, stderr } = await solpack(['pack', 'refused.toml', '-o', 'refused.iso', '--metalk8s'], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
      expect(stderr).toContain('[definition-invalid]');
      expect(existsSync(file('refused.iso'))).toBe(false);
    });
  }
});
