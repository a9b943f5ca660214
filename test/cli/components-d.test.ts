import { createHash, createPublicKey } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { plant } from '../lib/parts/components/support.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { judged, scratch } from '../support/judges.ts';

const folder = scratch('components-d');
const cwd = folder;

const component = (path: string, name = 'edge'): string =>
  `[[components]]\nname = "${name}"\nkind = "components.d"\npath = "${path}"\nnamespace = "edge"\n`;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/components.d'), join(folder, 'components.d'), { recursive: true });
  writeFiles(folder, {
    'solution.toml': `name = "edge"\nversion = "1.0.0"\n${component('components.d')}`,
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
archives: [edge.iso]
active: {edge: latest}
`,
  });
  await succeeds(['keygen', '-o', 'k'], { cwd });
  await succeeds(['pack', '-o', 'edge.iso', '--sign', 'k.key', '--quiet'], { cwd });
});

const listed = async (archive: string): Promise<string[]> =>
  (await succeeds(['ls', archive, '--json'], { cwd }))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { path: string }).path);

const install = (...more: readonly string[]) =>
  solpack(['install', '-f', 'solutions.yaml', '--quiet', ...more], { cwd, env: { XDG_STATE_HOME: folder } });

describe('a components.d folder in an archive', () => {
  test('lies there as it is, where people look for one', async () => {
    expect((await listed('edge.iso')).filter((path) => path.startsWith('components'))).toEqual([
      'components.d',
      'components.d/010-base',
      'components.d/010-base/kustomization.yaml',
      'components.d/010-base/namespace.yaml',
      'components.d/010-base/service-account.yaml',
      'components.d/020-settings',
      'components.d/020-settings/kustomization.yaml',
      'components.d/020-settings/settings.ini',
      'components.d/030-motd',
      'components.d/030-motd/motd.txt',
      'components.d/030-motd/plugin',
    ]);
    await succeeds(['verify', 'edge.iso', '--key', 'k.pub'], { cwd });
    const { components } = JSON.parse(await succeeds(['inspect', 'edge.iso', '--json'], { cwd })) as {
      components: unknown;
    };
    expect(components).toMatchObject([{ name: 'edge', kind: 'components.d' }]);
  });

  judged(
    'is loaded from where the archive is mounted, as from where it came from',
    ['fuseiso', 'kubectl'],
    async () => {
      mkdirSync(join(folder, 'mounted'));
      await succeeds(['mount', 'edge.iso', 'mounted', '--quiet'], { cwd });
      try {
        const versions: string[] = [];
        for (const from of ['mounted/components.d', 'components.d']) {
          const args = ['load', from, '--render', `from-${versions.length}`, '--json', '--quiet'];
          const result = jsonSchemas.load.strict().parse(JSON.parse(await succeeds(args, { cwd })));
          expect(result.components.map(({ name, state }) => [name, state])).toEqual([
            ['base', 'loaded'],
            ['settings', 'loaded'],
            ['motd', 'loaded'],
          ]);
          versions.push(result.version);
        }
        expect(versions[0]).toBe(versions[1]);
      } finally {
        await succeeds(['unmount', 'mounted', '--quiet'], { cwd });
      }
    },
  );

  judged('is installed as one component, its plugins included', ['kubectl'], async () => {
    const { code, stderr } = await install(
      '--key',
      'k.pub',
      '--render',
      'installed',
      '--variable',
      'MICROSHIFT_NODENAME=n',
    );
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('solpack:')]);
    const text = readFileSync(join(folder, 'installed/edge/010-edge.yaml'), 'utf8');
    for (const kind of ['Namespace', 'ServiceAccount', 'ConfigMap']) expect(text).toContain(`kind: ${kind}\n`);
    expect(text).toContain('Welcome to the edge.');
  });

  test('is refused where a policy allows no plugins, whatever the archive says of them', async () => {
    const der = createPublicKey(readFileSync(join(folder, 'k.pub'))).export({ type: 'spki', format: 'der' });
    const id = createHash('sha256').update(der).digest('hex');
    writeFiles(folder, {
      'trust.toml': `version = 1\n[[keys]]\nid = "${id}"\nfile = "k.pub"\n[[policies]]\nmatch = "*"\nkeys = ["${id}"]
[policies.allow]\ncomponents = ["components.d"]\n`,
    });
    const { code, stderr } = await install('--policy', 'trust.toml', '--render', 'refused');
    expect([code, stderr]).toEqual([3, expect.stringContaining('is of the kind components.d')]);
  });

  test.each([
    ['holds no component', { 'empty/README': '' }, component('empty')],
    ['its plugin is not executable', { 'plain/010-a/plugin': 'x' }, component('plain')],
    ['is a file', {}, component('solutions.yaml')],
    ['an archive has room for one components.d', {}, component('components.d') + component('components.d', 'other')],
    [
      'which is remote',
      { 'far/010-a/kustomization.yaml': 'resources: ["https://example.com/a.yaml"]\n' },
      component('far'),
    ],
  ])('is refused where it %s', async (words, files, text) => {
    plant(folder, { ...files, 'refused.toml': `name = "edge"\nversion = "1.0.0"\n${text}` });
    const { code, stderr } = await solpack(['pack', 'refused.toml', '-o', 'refused.iso', '--quiet'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  judged('is proved closed where it holds no plugin', ['kubectl'], async () => {
    plant(folder, {
      'plain.d/010-web/kustomization.yaml': 'resources: [pod.yaml]\n',
      'plain.d/010-web/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: registry.example.com/web:1}]}\n',
      'plain.toml': `name = "plain"\nversion = "1.0.0"\n${component('plain.d')}`,
    });
    const { code, stderr } = await solpack(['pack', 'plain.toml', '-o', 'plain.iso', '--quiet'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('registry.example.com/web:1')]);
  });
});
