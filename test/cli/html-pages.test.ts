import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { type Outcome, scratch } from '../support/judges.ts';

const folder = scratch('html-pages');
const at = (name: string): string => join(folder, name);
const image = 'registry.example.com/own/tool:1';
const run = (...args: readonly string[]): Promise<Outcome> => solpackHere(args, { cwd: folder });
const page = (name: string): string => readFileSync(at(name), 'utf8');

const objects = (verbs: string): string => `apiVersion: v1
kind: Namespace
metadata: {name: own}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, namespace: own}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: robot}
rules: [{apiGroups: [""], resources: [secrets], verbs: [${verbs}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: robot}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: robot}
subjects: [{kind: ServiceAccount, name: robot, namespace: own}]
---
apiVersion: v1
kind: Pod
metadata: {name: tool, namespace: own}
spec: {containers: [{name: tool, image: "${image}"}]}
`;

const dpkg = (version: string): string =>
  `Package: zlib1g\nStatus: install ok installed\nArchitecture: amd64\nVersion: ${version}\nMaintainer: nobody\n`;

beforeAll(async () => {
  for (const [version, verbs, zlib] of [
    ['1.0.0', 'create', '1.2.13'],
    ['1.1.0', 'create, list', '1.3.1'],
  ] as const) {
    const files = { 'var/lib/dpkg/status': dpkg(zlib), 'etc/os-release': 'ID=debian\nVERSION_ID="12"\n' };
    await writeLayout(at(`image-${version}`), [{ name: image, image: buildImage({ files, seed: version }) }]);
    writeFiles(folder, {
      [`${version}.yaml`]: objects(verbs),
      [`${version}.toml`]: `name = "own"\nversion = "${version}"\nkubernetes = ">=1.30"\nmake-sboms = true\n
[[images]]\nreference = "${image}"\nsource = "oci:image-${version}:${image}"\n
[[components]]\nname = "all"\nkind = "manifests"\npath = "${version}.yaml"\n`,
    });
    await packHere(at(`${version}.toml`), at(`${version}.iso`));
  }
});

describe('inspect --html', () => {
  test('writes the page of an archive, the same each time, and says where', async () => {
    const { code, stdout } = await run('inspect', '1.1.0.iso', '--html', 'one.html');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^wrote \/.*one\.html {2}[\d.]+ KiB\n$/)]);
    await run('inspect', '1.1.0.iso', '--html', 'two.html');
    expect(page('two.html')).toBe(page('one.html'));
    expect(page('one.html')).toContain('reads the Secrets of all namespaces');
    expect(page('one.html')).toContain('<th scope="row">zlib1g</th>');
    expect(page('one.html')).toContain('<li>Pod own/tool</li>');
    expect(page('one.html')).not.toContain(folder);
  });

  test('prints the JSON beside it', async () => {
    const { stdout } = await run('inspect', '1.1.0.iso', '--json', '--html', 'one.html');
    expect(JSON.parse(stdout)).toMatchObject({ name: 'own', version: '1.1.0' });
  });

  test.each([
    [['--json', '--html', '-'], '--html'],
    [['--html', ''], '--html'],
    [['--html', 'x.html', '--rights'], '--html'],
    [['--html', 'x.html', '--sbom'], '--html'],
  ])('refuses %j, and writes nothing', async (options, named) => {
    const { code, stderr } = await run('inspect', '1.1.0.iso', ...options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`solpack: ${named}`)]);
    expect(existsSync(at('x.html'))).toBe(false);
  });
});

describe('diff --html', () => {
  test('writes the page of what is new, the same each time, and ends as diff does', async () => {
    const { code, stdout } = await run('diff', '1.0.0.iso', '1.1.0.iso', '--html', 'diff.html');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^wrote \/.*diff\.html/)]);
    await run('diff', '1.0.0.iso', '1.1.0.iso', '--html', 'again.html');
    expect(page('again.html')).toBe(page('diff.html'));
    expect(page('diff.html')).toMatch(/<strong>list<\/strong> secrets.*reads the Secrets of all namespaces/s);
    expect(page('diff.html')).toContain('<del>1.2.13</del> <ins>1.3.1</ins>');
    expect(page('diff.html')).toContain('Nobody has signed the new one.');
    expect(page('diff.html')).not.toContain(folder);
  });

  test('takes a definition, and prints the JSON beside it', async () => {
    const { code, stdout } = await run('diff', '1.1.0.iso', '1.1.0.toml', '--json', '--html', 'same.html');
    expect([code, JSON.parse(stdout).same]).toEqual([0, true]);
    expect(page('same.html')).toContain('Nothing is different');
  });
});
