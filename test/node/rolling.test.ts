import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import type { Visits } from '../../scripts/demo/visitor.ts';
import { type Running, succeeds, writeFiles } from '../support/cli.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('rolling');
const cwd = folder;
const node = sharedNode();
const fixtures = join(import.meta.dirname, '../../fixtures/guestbook');
const visitor = join(import.meta.dirname, '../../scripts/demo/visitor.ts');
const running: Running[] = [];

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';

/** Writes a configuration of that name, in which a version of the example Solution is active, or none. */
function configure(name: string, version?: string, stem = 'guestbook'): string {
  const solution = `{name: guestbook, archives: [${stem}-${version}.iso]}`;
  const file = `${name}-${version ?? 'none'}.yaml`;
  writeFileSync(
    join(folder, file),
    `${head}metadata: {name: ${name}}\nsolutions: [${version === undefined ? '' : solution}]\n`,
  );
  return file;
}

/** Starts a serve of archives inside the node, which runs until the tests end; returns its URL. */
async function serve(...archives: string[]): Promise<string> {
  const one = await node().serves(['serve', ...archives, '--listen', '127.0.0.1:0'], { cwd });
  running.push(one);
  return one.first;
}

const install = (configuration: string, ...more: string[]): Promise<Outcome> =>
  node().solpack(['install', '-f', configuration, '--insecure-skip-verify', ...more], { cwd });

beforeAll(async () => {
  for (const version of ['1.0.0', '1.1.0']) {
    cpSync(join(fixtures, version), join(folder, version), { recursive: true });
    await succeeds(['pack', version, '-o', `guestbook-${version}.iso`], { cwd });
  }
  return async () => {
    await Promise.all(running.map((one) => one.stop()));
  };
});

/**
 * Packs a version of the example Solution whose page has an image with the tag `latest`, as every other version has.
 */
async function packMoved(version: string): Promise<void> {
  const own = join(folder, `moved-${version}`);
  cpSync(join(fixtures, version), own, { recursive: true });
  rmSync(join(own, 'solution.lock'));
  const definition = readFileSync(join(own, 'solution.toml'), 'utf8');
  writeFiles(own, {
    'solution.toml': definition.replace(/(reference = ".*\/web:)[^"]*/, '$1latest'),
    'values/production.yaml': `${readFileSync(join(own, 'values/production.yaml'), 'utf8')}image: {tag: latest}\n`,
  });
  await succeeds(['pack', `moved-${version}`, '-o', `moved-${version}.iso`], { cwd });
}

const removeGuestbook = (): Promise<string> =>
  node().succeeds(['uninstall', 'guestbook', '--kubeconfig', node().kubeconfig], { cwd });

/** Installs one version over the other from the same serve, while somebody asks for the page all the time. */
async function upgraded(name: string, stem: string): Promise<void> {
  const places = ['--kubeconfig', node().kubeconfig, '--served-at'];
  const url = await serve(`${stem}-1.0.0.iso`, `${stem}-1.1.0.iso`);
  const first = await install(configure(name, '1.0.0', stem), ...places, url);
  expect([first.code, first.stderr]).toEqual([0, expect.anything()]);
  const { spec } = await node().get<{ spec: { clusterIP: string } }>('service', 'web', '-n', 'guestbook');
  const images = async (): Promise<string[]> => {
    const pods = ['get', 'pods', '-n', 'guestbook', '-o', 'jsonpath={.items[*].spec.containers[*].image}'];
    const all = (await node().kubectl(...pods)).split(' ').filter((image) => image.includes('/guestbook/web'));
    return [...new Set(all)];
  };
  const before = await images();
  expect(before).toEqual([expect.stringContaining('@sha256:')]);
  const asking = node().begins([visitor, spec.clusterIP, '80'], { program: process.execPath });
  const second = await install(configure(name, '1.1.0', stem), ...places, url);
  expect([second.code, second.stderr]).toEqual([0, expect.anything()]);
  // Pods of the old version serve on for a moment after they were told to end; then they are gone.
  await eventually(async () => (await images()).filter((image) => before.includes(image))).toEqual([]);
  asking.endInput();
  const { code, stdout, stderr } = await asking.ended;
  expect([code, stderr]).toEqual([0, '']);
  const { answered, failed } = JSON.parse(stdout) as Visits;
  expect(failed).toEqual({});
  expect(Object.keys(answered).sort()).toEqual(['Guestbook 1.0.0', 'Guestbook 1.1.0']);
}

describe('an upgrade of the example Solution', () => {
  nodeTest('loses no request of those who ask for its page all the time', () => upgraded('upgrade', 'guestbook'));

  nodeTest('nor where one serve has both, and the tag of the image has moved between them', async () => {
    await Promise.all(['1.0.0', '1.1.0'].map(packMoved));
    await removeGuestbook();
    await upgraded('moved', 'moved');
    await removeGuestbook();
  });
});

describe('--served-at', () => {
  nodeTest('names every content that the serve lacks, before anything in the cluster is touched', async () => {
    const url = await serve('guestbook-1.0.0.iso');
    const { code, stdout, stderr } = await install(
      configure('lacking', '1.1.0'),
      ...['--kubeconfig', node().kubeconfig, '--served-at', url],
    );
    const line = stderr.trimEnd().split('\n').at(-1)!;
    expect([code, stdout]).toEqual([4, '']);
    expect(line).toMatch(/^solpack: http:\/\/127\.0\.0\.1:\d+: .*\[registry-incomplete\]$/);
    expect(line).toContain('registry.example.com/guestbook/web:1.1.0');
    expect(line).toContain('registry.example.com/guestbook/operator:1.1.0');
    expect(line).toMatch(/sha256:[0-9a-f]{12}/);
    expect(await node().kubectl('get', 'configmaps', '-n', 'solpack-system', '-o', 'name')).not.toContain('lacking');
  });
});

describe('--hosts-dir', () => {
  const mirrored = (name: string, url: string, version?: string): Promise<Outcome> =>
    install(configure(name, version), '--served-at', url, '--hosts-dir', 'certs.d', '--images-only', '--json');
  const hosts = (): string[] => readdirSync(join(folder, 'certs.d')).sort();
  const text = (host: string): string => readFileSync(join(folder, 'certs.d', host, 'hosts.toml'), 'utf8');

  nodeTest('keeps a mirror until no configuration that shares the folder needs it', async () => {
    const url = await serve('guestbook-1.0.0.iso', 'guestbook-1.1.0.iso');
    const theirs = { 'quay.io/hosts.toml': 'server = "https://quay.io"\n', 'registry.example.com/ca.crt': 'theirs' };
    writeFiles(join(folder, 'certs.d'), theirs);
    expect((await mirrored('one', url, '1.0.0')).code).toBe(0);
    expect((await mirrored('two', url, '1.1.0')).code).toBe(0);
    expect(text('registry.example.com')).toContain('# For: one, two\n');
    expect((await mirrored('one', url)).code).toBe(0);
    expect(text('registry.example.com')).toContain('# For: two\n');
    const { code, stderr } = await mirrored('two', url);
    expect([code, stderr]).toEqual([0, expect.stringContaining('registry.example.com/hosts.toml: was removed')]);
    // What others put there stays where it is.
    expect(hosts()).toEqual(['quay.io', 'registry.example.com']);
    expect(readdirSync(join(folder, 'certs.d/registry.example.com'))).toEqual(['ca.crt']);
    expect(text('quay.io')).toBe(theirs['quay.io/hosts.toml']);
  });

  nodeTest("changes nothing where a hosts.toml is somebody else's, and says what to add to it", async () => {
    const url = await serve('guestbook-1.0.0.iso');
    writeFiles(join(folder, 'certs.d'), { 'registry.example.com/hosts.toml': 'server = "https://elsewhere"\n' });
    const { code, stderr } = await mirrored('one', url, '1.0.0');
    expect([code, stderr]).toEqual([2, expect.stringContaining('[mirror-foreign]')]);
    expect(stderr).toContain(`add [host."${url}"]`);
    expect(text('registry.example.com')).toBe('server = "https://elsewhere"\n');
  });
});
