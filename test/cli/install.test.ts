import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('install');
const cwd = folder;
const install = ['install', '-f', 'solutions.yaml', '--key', 'k.pub'];

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  await succeeds(['keygen', '-o', 'k'], { cwd });
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'k.key'], { cwd });
  writeFileSync(
    join(folder, 'solutions.yaml'),
    `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions: [{name: hello, archives: [hello.iso]}]
`,
  );
});

const name = 'registry.example.com/hello/web:1.0.0';
const podIn = (rendered: string): string => readFileSync(join(folder, rendered, 'hello/020-web.yaml'), 'utf8');
const refusal = async (...args: string[]): Promise<string> => {
  const { code, stderr, stdout } = await solpack([...install, ...args, '--quiet'], { cwd });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^solpack: .*; .* \[usage-invalid\]\n$/);
  return stderr;
};

describe('install', () => {
  test('prints JSON of the shape that its schema says, with what each image is pulled by', async () => {
    const result = JSON.parse(await succeeds([...install, '--render', 'json', '--json'], { cwd }));
    expect(jsonSchemas.install.strict().parse(result)).toEqual(result);
    expect(result).toMatchObject({ removed: [], mirrors: [], solutions: [{ objects: [] }] });
    const [image] = result.images;
    expect(image).toEqual({ reference: name, target: expect.stringMatching(`^${name}@sha256:`) });
    expect(podIn('json')).toContain(image.target);
  });

  test('names images as a serve has them, without mirrors', async () => {
    await using serving = await starts(['serve', 'hello.iso', '--listen', '127.0.0.1:0'], { cwd });
    await succeeds([...install, '--served-at', serving.first, '--render', 'served'], { cwd });
    const { host } = new URL(serving.first);
    expect(podIn('served')).toContain(`"${host}/${name}@sha256:`);
  });

  test('leaves the names of images and writes mirrors, once', async () => {
    await using serving = await starts(['serve', 'hello.iso', '--listen', '127.0.0.1:0'], { cwd });
    const args = [...install, '--served-at', serving.first, '--hosts-dir', 'certs.d', '--render', 'mirrored', '--json'];
    const file = join(folder, 'certs.d/registry.example.com/hosts.toml');
    expect(JSON.parse(await succeeds(args, { cwd })).mirrors).toEqual([file]);
    expect(readFileSync(file, 'utf8')).toContain(`[host."${serving.first}"]`);
    expect(podIn('mirrored')).toContain(`image: ${name}@sha256:`);
    utimesSync(file, 1, 1);
    expect(JSON.parse(await succeeds(args, { cwd })).mirrors).toEqual([]);
    expect(statSync(file).mtimeMs).toBe(1000);
  });

  test('says that nobody can pull once the embedded registry is gone', async () => {
    const { code, stderr } = await solpack([...install, '--render', 'short', '--hosts-dir', 'short.d'], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Pods that start later cannot pull')]);
  });

  test('of images alone says where they are and for how long, and asks no cluster', async () => {
    await using serving = await starts(['serve', 'hello.iso', '--listen', '127.0.0.1:0'], { cwd });
    const told = await succeeds([...install, '--images-only', '--served-at', serving.first], { cwd });
    expect(told).toMatch(/^images of hello 1\.0\.0$/m);
    expect(told).toContain(`2 images at ${serving.first}`);
    expect(told).toContain(`They stay as long as the "solpack serve" at ${serving.first} has their archives.\n`);
    expect(told).toContain('No cluster was asked or changed: --images-only.\n');
    expect(told).not.toContain('installed');
  });

  test('changes no mirror of somebody else, and renders nothing then', async () => {
    const file = join(folder, 'certs.d/registry.example.com/hosts.toml');
    writeFileSync(file, 'server = "https://registry.example.com"\n');
    const args = [...install, '--hosts-dir', 'certs.d', '--render', 'never'];
    const { code, stderr } = await solpack(args, { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('[mirror-foreign]')]);
    expect(readdirSync(folder)).not.toContain('never');
  });

  test('tells of an API server that does not answer, before anything is moved', async () => {
    writeFileSync(
      join(folder, 'nobody.conf'),
      `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`,
    );
    const args = [...install, '--kubeconfig', 'nobody.conf', '--hosts-dir', 'unmoved', '--progress', 'lines'];
    const { code, stderr } = await solpack(args, { cwd });
    expect([code, stderr]).toEqual([5, expect.stringContaining('[cluster-unreachable]')]);
    expect(stderr).not.toMatch(/^(?:verify|ask|load|render)\b/m);
    expect(readdirSync(folder)).not.toContain('unmoved');
  });

  test.each([
    ['two places for objects', ['--kubeconfig', 'k', '--render', 'r', '--hosts-dir', 'd'], '--render'],
    ['a cluster that has no place to pull from', ['--kubeconfig', 'k'], '--served-at'],
    ['one whose place has no lasting address', ['--kubeconfig', 'k', '--hold'], '--listen'],
    ['one whose place ends', ['--kubeconfig', 'k', '--listen', '127.0.0.1:5000'], '--hold'],
    ['neither a cluster nor a folder', ['--registry', 'http://127.0.0.1:1'], '--images-only'],
    ['neither of them for a plan', ['--plan'], '--kubeconfig'],
    ['images alone for a cluster', ['--images-only', '--kubeconfig', 'k', '--registry', 'http://r'], '--kubeconfig'],
    ['images alone beside rendered objects', ['--images-only', '--render', 'r'], '--render'],
    ['images alone that nobody could pull', ['--images-only', '--hosts-dir', 'd'], '--served-at'],
    ['the taking of fields without a cluster', ['--force-conflicts'], '--kubeconfig'],
    ['a time that is none', ['--timeout', '5', '--render', 'r'], 'duration'],
    ['a time without end', ['--timeout', '25h', '--render', 'r'], 'duration'],
    ['a variable without a value', ['--variable', 'MICROSHIFT_NODENAME', '--render', 'r'], 'NAME=VALUE'],
    ['a variable without a name', ['--variable', '=x', '--render', 'r'], 'NAME=VALUE'],
    [
      'a variable twice',
      ['--variable', 'MICROSHIFT_NODEIP=1', '--variable', 'MICROSHIFT_NODEIP=2', '--render', 'r'],
      'twice',
    ],
    ['a variable that plugins do not know', ['--variable', 'HOME=/', '--render', 'r'], 'MICROSHIFT_NODENAME'],
  ])('refuses %s', async (_, args, word) => {
    expect(await refusal(...args)).toContain(word);
  });
});
