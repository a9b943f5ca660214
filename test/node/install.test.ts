import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { type Running, solpack, succeeds, writeFiles } from '../support/cli.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('node-install');
const cwd = folder;
const node = sharedNode();
let serving: Running | undefined;

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const archives = '[guestbook-1.0.0.iso, guestbook-1.1.0.iso]';

/** Writes a configuration of the example Solution with that version active. */
function configure(version: string): string {
  const text = `${head}solutions: [{name: guestbook, activeVersion: "${version}", archives: ${archives}}]\n`;
  writeFileSync(join(folder, `${version}.yaml`), text);
  return `${version}.yaml`;
}

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook'), folder, { recursive: true });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  for (const version of ['1.0.0', '1.1.0']) {
    await succeeds(['pack', version, '-o', `guestbook-${version}.iso`, '--sign', 'release.key'], { cwd });
    configure(version);
  }
  writeFileSync(join(folder, 'all.yaml'), `${head}archives: ${archives}\nactive: {}\n`);
  return async () => {
    await serving?.stop();
  };
});

/** The URL of a serve inside the node, which runs until the tests end. */
async function served(): Promise<string> {
  serving ??= await node().serves(['serve', '-f', 'all.yaml', '--listen', '127.0.0.1:5000'], { cwd });
  return serving.first;
}

/** An install inside the node, with mirrors. */
async function install(configuration: string, ...more: string[]): Promise<Outcome> {
  const { kubeconfig, hostsDir } = node();
  const places = ['--kubeconfig', kubeconfig, '--hosts-dir', hostsDir, '--served-at', await served()];
  return node().solpack(['install', '-f', configuration, '--key', 'release.pub', ...places, ...more], { cwd });
}

interface Installed {
  solutions: { version: string; objects: { object: string; action: string }[] }[];
  removed: { name: string; objects: { object: string; action: string }[] }[];
  mirrors: string[];
  moved: number;
}

async function installed(configuration: string, ...more: string[]): Promise<Installed> {
  const { code, stdout, stderr } = await install(configuration, '--json', ...more);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return JSON.parse(stdout);
}

interface Pods {
  items: {
    metadata: { labels: Record<string, string> };
    spec: { containers: { image: string }[] };
    status: { phase: string; containerStatuses: { ready: boolean; imageID: string }[] };
  }[];
}

/** `kind name resourceVersion` of everything that the Solution has in its namespace, and of the inventory. */
async function versions(): Promise<string[]> {
  const kinds = 'deployments,services,configmaps,serviceaccounts,roles,rolebindings';
  const path = '{range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
  const all = ['guestbook', 'solpack-system'].map((namespace) =>
    node().kubectl('get', kinds, '-n', namespace, '-o', `jsonpath=${path}`),
  );
  return (await Promise.all(all)).join('').trim().split('\n').sort();
}

/** What the example Solution's Service answers at its cluster IP. */
async function page(): Promise<string> {
  const { spec } = await node().get<{ spec: { clusterIP: string; ports: { port: number }[] } }>(
    'service',
    'web',
    '-n',
    'guestbook',
  );
  const options = { host: spec.clusterIP, port: spec.ports[0]!.port, headers: { host: 'localhost' } };
  const script = `require('node:http').get(${JSON.stringify(options)}, (answer) => answer.pipe(process.stdout))`;
  return node().ok(process.execPath, ['-e', script]);
}

describe('install into a cluster that nothing leads out of', () => {
  nodeTest('brings the example Solution up, pulled by digest through mirrors, until its Service answers', async () => {
    const { solutions, mirrors, moved } = await installed('1.0.0.yaml');
    expect(new Set(solutions[0]!.objects.map(({ action }) => action))).toEqual(new Set(['created']));
    expect([moved, mirrors]).toEqual([0, [join(node().hostsDir, 'registry.example.com/hosts.toml')]]);
    const pods = await node().get<Pods>('pods', '-n', 'guestbook');
    expect(pods.items.length).toBeGreaterThan(1);
    for (const { spec, status } of pods.items) {
      expect(status.containerStatuses.every(({ ready }) => ready)).toBe(true);
      const [image] = spec.containers;
      expect(image!.image).toMatch(/^registry\.example\.com\/guestbook\/\w+:1\.0\.0@sha256:[0-9a-f]{64}$/);
      expect(status.containerStatuses[0]!.imageID).toContain(image!.image.split('@')[1]!);
    }
    await eventually(page).toContain('<h1>Guestbook 1.0.0</h1>');
  });

  nodeTest('changes nothing the second time, and says so', async () => {
    const before = await versions();
    const { code, stdout } = await install('1.0.0.yaml');
    expect([code, stdout]).toEqual([0, expect.stringContaining('nothing changed')]);
    expect((await installed('1.0.0.yaml')).mirrors).toEqual([]);
    expect(await versions()).toEqual(before);
  });

  nodeTest('replaces a version by the next, and removes what that does not have', async () => {
    const [{ version, objects }] = (await installed('1.1.0.yaml')).solutions as [Installed['solutions'][number]];
    expect(version).toBe('1.1.0');
    expect(objects).toContainEqual(expect.objectContaining({ object: 'Deployment guestbook/web', action: 'changed' }));
    expect(objects.filter(({ action }) => action === 'removed').map(({ object }) => object)).toEqual([
      'ConfigMap guestbook/motd-settings',
    ]);
    await eventually(page).toContain('<h1>Guestbook 1.1.0</h1>');
  });

  nodeTest('is undone by rollback, after which the version before answers', async () => {
    await node().succeeds(['rollback', '--kubeconfig', node().kubeconfig], { cwd });
    await eventually(page).toContain('<h1>Guestbook 1.0.0</h1>');
    expect(await node().kubectl('get', 'configmaps', '-n', 'guestbook', '-o', 'name')).toContain('motd-settings');
  });

  nodeTest('refuses an image that the archive does not hold, before the first object', async () => {
    writeFiles(folder, {
      'lacking/solution.toml':
        'name = "lacking"\nversion = "1.0.0"\n[[components]]\nname = "all"\nkind = "manifests"\npath = "all.yaml"\nrender = "install"\n',
      'lacking/all.yaml': `apiVersion: v1
kind: Namespace
metadata: {name: lacking}
---
apiVersion: v1
kind: Pod
metadata: {name: absent, namespace: lacking}
spec: {containers: [{name: a, image: "registry.example.com/guestbook/absent:1"}]}
`,
      'lacking.yaml': `${head}metadata: {name: lacking}\nsolutions: [{name: lacking, archives: [lacking.iso]}]\n`,
    });
    await succeeds(['pack', 'lacking', '-o', 'lacking.iso', '--sign', 'release.key'], { cwd });
    const places = ['--kubeconfig', node().kubeconfig, '--served-at', await served()];
    const args = ['install', '-f', 'lacking.yaml', '--key', 'release.pub', ...places, '--timeout', '10s'];
    const { code, stderr } = await node().solpack(args, { cwd });
    expect([code, stderr]).toEqual([5, expect.stringContaining('[image-missing]')]);
    expect(stderr).toContain('registry.example.com/guestbook/absent:1 (component all)');
    expect(await node().kubectl('get', 'namespaces', '-o', 'name')).not.toContain('lacking');
    // Where it is let through, the mirror alone is asked, and its answer is the end.
    const allowed = await node().solpack([...args, '--allow-missing-images'], { cwd });
    expect([allowed.code, allowed.stderr]).toEqual([5, expect.stringContaining('[object-not-ready]')]);
    expect(allowed.stderr).toMatch(/Pod lacking\/absent: .*not found/);
    expect(node().logs('containerd')).not.toContain('lookup registry.example.com');
  });

  nodeTest('lets nobody out: the registry that the names speak of cannot be reached', async () => {
    const script = "fetch('http://192.0.2.1/').then(() => process.exit(0), () => process.exit(7))";
    expect((await node().run(process.execPath, ['-e', script])).code).toBe(7);
  });

  nodeTest('needs no mirrors where names are those of the serve', async () => {
    const places = ['--kubeconfig', node().kubeconfig, '--served-at', await served()];
    await node().succeeds(['install', '-f', '1.1.0.yaml', '--key', 'release.pub', ...places], { cwd });
    const { spec } = await node().get<{ spec: { template: Pods['items'][number] } }>(
      'deployment',
      'web',
      '-n',
      'guestbook',
    );
    expect(spec.template.spec.containers[0]!.image).toMatch(
      /^127\.0\.0\.1:5000\/registry\.example\.com\/guestbook\/web:/,
    );
    await eventually(page).toContain('<h1>Guestbook 1.1.0</h1>');
  });

  nodeTest('removes what the configuration no longer activates, but no definition, and its mirrors', async () => {
    writeFileSync(join(folder, 'none.yaml'), `${head}solutions: []\n`);
    const { solutions, removed } = await installed('none.yaml');
    expect([solutions, removed.map(({ name }) => name)]).toEqual([[], ['guestbook']]);
    expect(removed[0]!.objects.filter(({ action }) => action === 'kept')).toEqual([
      expect.objectContaining({ object: expect.stringMatching(/^CustomResourceDefinition /) }),
    ]);
    expect(await node().kubectl('get', 'namespaces', '-o', 'name')).not.toContain('guestbook');
    expect(readdirSync(node().hostsDir)).not.toContain('registry.example.com');
  });

  nodeTest('says that nobody can be reached from outside of the node, and moves nothing', async () => {
    const { code, stderr } = await solpack(
      [
        'install',
        '-f',
        '1.1.0.yaml',
        '--key',
        'release.pub',
        '--kubeconfig',
        node().kubeconfig,
        '--hosts-dir',
        'outside',
      ],
      { cwd },
    );
    expect([code, stderr]).toEqual([5, expect.stringContaining('[cluster-unreachable]')]);
    expect(readdirSync(folder)).not.toContain('outside');
  });
});
