import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { parseDocuments } from '../../formats/manifest/documents.ts';
import { smallSolution, solpack, succeeds, writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('cli-render');
const cwd = folder;
const map = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${value}"}\n`;
const definition = (version: string, ...components: string[]): string =>
  `name = "hello"\nversion = "${version}"\n${components
    .map((name) => `[[components]]\nname = "${name}"\nkind = "manifests"\npath = "${name}.yaml"\n`)
    .join('')}`;

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  await packHere(join(folder, 'hello/solution.toml'), join(folder, 'hello.iso'));
  writeFiles(folder, {
    'old/solution.toml': definition('1.0.0', 'web', 'kind'),
    'old/web.yaml': map('web', '1'),
    'old/kind.yaml': readFileSync(join(import.meta.dirname, '../../fixtures/kubernetes/sound.yaml'), 'utf8'),
    'new/solution.toml': definition('1.1.0', 'web'),
    'new/web.yaml': [
      map('web', '2'),
      map('more', '1'),
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: hidden}\n',
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules: [{apiGroups: [""], resources: [secrets], verbs: [get, list]}]\n',
    ].join('---\n'),
    'secret/solution.toml': definition('1.1.0', 'web'),
    'twice/solution.toml': definition('1.0.0', 'a', 'b'),
    'twice/a.yaml': map('a', '1'),
    'twice/b.yaml': map('a', '2'),
  });
  writeFiles(folder, {
    'secret/web.yaml': readFileSync(join(folder, 'new/web.yaml'), 'utf8').replace('hidden', 'concealed'),
  });
});

describe('render', () => {
  test('prints the objects of a definition and of its archive, which are the same', async () => {
    const printed = await succeeds(['render', 'hello', '-q'], { cwd });
    expect(parseDocuments(printed, 'printed').map(({ kind }) => kind)).toContain('Namespace');
    expect(await succeeds(['render', 'hello.iso', '-q'], { cwd })).toBe(printed);
    expect(await succeeds(['render', 'hello/solution.toml', '-q'], { cwd })).toBe(printed);
  });

  test('writes files in order, and prints their names', async () => {
    const printed = await succeeds(['render', 'hello.iso', '-o', 'out', '-q'], { cwd });
    const files = printed.trim().split('\n');
    expect(files[0]).toMatch(/\/out\/hello\/010-\w+\.yaml$/);
    expect(files.map((file) => readFileSync(file, 'utf8')).join('')).toBe(
      await succeeds(['render', 'hello.iso', '-q'], { cwd }),
    );
  });

  test('prints as JSON what its schema says', async () => {
    const result: unknown = JSON.parse(
      await succeeds(['render', 'hello.iso', '--kube-version', '1.33', '--json', '-q'], { cwd }),
    );
    expect(jsonSchemas.render.strict().parse(result)).toMatchObject({
      name: 'hello',
      kubernetes: '1.33.0',
      unproved: [],
      files: [],
    });
  });

  test('refuses two different objects of one name, and what is not a version', async () => {
    const twice = await solpack(['render', 'twice', '-q'], { cwd });
    expect([twice.code, twice.stderr]).toEqual([5, expect.stringContaining('[object-conflict]')]);
    const version = await solpack(['render', 'hello', '--kube-version', 'new', '-q'], { cwd });
    expect([version.code, version.stderr]).toEqual([2, expect.stringContaining('[usage-invalid]')]);
    const missing = await solpack(['render', 'absent.iso', '-q'], { cwd });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('[file-missing]')]);
  });
});

describe('diff', () => {
  test('ends with 0 where nothing is different, of a definition and its archive', async () => {
    const outcome = await solpack(['diff', 'hello', 'hello.iso', '-q'], { cwd });
    expect(outcome).toMatchObject({ code: 0, stdout: 'the same hello 1.0.0\n' });
  });

  test('ends with 1 and tells of objects, rights and definitions', async () => {
    const { code, stdout } = await solpack(['diff', 'old', 'new', '-q'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^hello 1\.0\.0 -> hello 1\.1\.0$/m);
    expect(stdout).toMatch(/^ {4}\+ ConfigMap default\/more \(web\)$/m);
    expect(stdout).toMatch(/^ {4}- Namespace space \(kind\)$/m);
    expect(stdout).toMatch(/^ {4}~ ConfigMap default\/web \(web\)\n {8}data\.value: "1" -> "2"$/m);
    expect(stdout).toContain('gadgets.sound.example.com: it is removed, and all objects of its kind with it\n');
    expect(stdout).toMatch(/^ {4}\+ ClusterRole r: get, list secrets everywhere$/m);
  });

  test('shows no value of a Secret, not even as JSON, which its schema describes', async () => {
    const { code, stdout } = await solpack(['diff', 'new', 'secret', '--json', '-q'], { cwd });
    expect([code, stdout]).toEqual([1, expect.not.stringMatching(/hidden|concealed/)]);
    expect(jsonSchemas.diff.strict().parse(JSON.parse(stdout))).toMatchObject({
      same: false,
      objects: {
        added: [],
        removed: [],
        changed: [{ object: 'Secret default/s', fields: [{ path: 'stringData.a' }] }],
      },
      rights: [],
    });
  });
});
