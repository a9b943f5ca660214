import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect } from 'vitest';
import type { JsonResults } from '../../cli/view/json.ts';
import { type Planted, plant } from '../lib/parts/components/support.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';
import { pageRoles, userWith } from '../support/rights.ts';

const folder = scratch('plugin-upgrade');
const cwd = folder;
const plane = sharedControlPlane();

// Without a webhook nothing converts: both versions have to know the fields of both, or the server drops them.
const schema =
  '{openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}, replicas: {type: integer}}}}}}';

/**
 * A definition of gadgets, which say `size` in v1alpha1 and `replicas` in v1; `versions` are served, the last one is
 * stored.
 */
const definition = (versions: readonly string[]): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets, singular: gadget}
  versions:
${versions
  .map(
    (version, at) => `  - {name: ${version}, served: true, storage: ${at === versions.length - 1}, schema: ${schema}}`,
  )
  .join('\n')}
`;

/**
 * The plugin of a version: what it runs, and how it upgrades; without that it follows the first version of the
 * convention.
 */
const program = (versions: readonly string[], upgrade?: string): Planted => ({
  program: `#!/bin/sh
set -eu
case $1 in
  api-version) echo ${upgrade === undefined ? 'v1' : 'v2'} ;;
  run) echo "told $MICROSHIFT_CLUSTER_URL at $MICROSHIFT_LOGVLEVEL" >&2
    cat <<'END'
${definition(versions)}END
  ;;
  upgrade) echo "from $2 to $SOLUTION_VERSION" >&2
${upgrade ?? 'exit 1'}
  ;;
  *) exit 2 ;;
esac
`,
});

/** Prints what is on standard input of gadgets in v1, with what was their size. */
const migrating = `    if [ "$SOLUTION_VERSION" = 1.0.0 ]; then
      replicas=$(sed -n 's/^ *replicas: *\\([0-9][0-9]*\\)$/\\1/p')
      echo "was $replicas" >&2
      cat <<END
apiVersion: example.com/v1alpha1
kind: Gadget
metadata: {name: mine, namespace: default}
spec: {size: $replicas}
END
      exit 0
    fi
    size=$(sed -n 's/^ *size: *\\([0-9][0-9]*\\)$/\\1/p')
    cat <<END
apiVersion: example.com/v1
kind: Gadget
metadata: {name: mine, namespace: default, labels: {migrated: "yes"}}
spec: {replicas: $size}
END`;

beforeAll(() => {
  plant(folder, {
    '1.0.0/plugin': program(['v1alpha1']),
    // Its other component cannot become ready: no node is there.
    '3.0.0/plugin': program(['v1alpha1', 'v1'], migrating),
    'late.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: late}\nspec: {containers: [{name: a, image: registry.example.com/a:1}]}\n',
    '2.0.0/plugin': program(['v1alpha1', 'v1'], migrating),
    'one.d/010-gadgets/plugin': program(['v1alpha1']),
    'two.d/010-gadgets/plugin': program(['v1alpha1', 'v1'], migrating),
  });
});

const late = '[[components]]\nname = "late"\nkind = "manifests"\npath = "late.yaml"\nafter = ["operator"]\n';

const install = async (version: string, ...more: readonly string[]) => {
  writeFiles(folder, {
    [`${version}.toml`]: `name = "gadgets"\nversion = "${version}"\nexternal-images = ["registry.example.com/a"]\n[[components]]\nname = "operator"\nkind = "plugin"\npath = "${version}"\n${version === '3.0.0' ? late : ''}`,
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
archives: [gadgets-${version}.iso]
active: {gadgets: "${version}"}
`,
  });
  const archive = `gadgets-${version}.iso`;
  if (!existsSync(join(folder, archive))) {
    await succeeds(['pack', `${version}.toml`, '-o', archive, '--quiet'], { cwd });
  }
  const where = ['--kubeconfig', plane().kubeconfig, '--image-store', join(folder, 'store')];
  return solpack(['install', '-f', 'solutions.yaml', '--insecure-skip-verify', ...where, ...more], { cwd });
};

const told = (...words: readonly string[]) => solpack([...words, '--kubeconfig', plane().kubeconfig], { cwd });

const gadget = async (): Promise<unknown> =>
  JSON.parse(await plane().kubectl('get', 'gadgets.v1.example.com', 'mine', '-o', 'json'));

const makesGadget = async (): Promise<void> => {
  const text =
    'apiVersion: example.com/v1alpha1\nkind: Gadget\nmetadata: {name: mine, namespace: default}\nspec: {size: 3}\n';
  const made = await plane().tried(['create', '-f', '-'], { input: text });
  expect(made.code, made.stderr).toBe(0);
};

afterEach(async () => {
  await plane().kubectl('delete', 'gadgets', '--all', '-n', 'default');
  await solpack(['uninstall', 'edge', '--kubeconfig', plane().kubeconfig, '--quiet'], { cwd });
  await plane().kubectl('delete', 'crd', 'gadgets.example.com', '--ignore-not-found');
});

describe('an upgrade of a plugin of the second version', () => {
  controlPlaneTest('migrates the custom resources that others have made, once the new version is ready', async () => {
    const first = await install('1.0.0', '--quiet');
    expect(first.code, first.stderr).toBe(0);
    await makesGadget();
    const planned = await install('2.0.0', '--plan', '--json', '--quiet', '--variable', 'MICROSHIFT_LOGVLEVEL=Debug');
    const { steps, variables } = JSON.parse(planned.stdout) as JsonResults['install-plan'];
    const url = /server"?: "?([^\s",}]+)/.exec(readFileSync(plane().kubeconfig, 'utf8'))?.[1];
    expect(variables).toEqual(
      expect.arrayContaining([
        { name: 'MICROSHIFT_CLUSTER_URL', value: url, from: 'kubeconfig' },
        { name: 'MICROSHIFT_LOGVLEVEL', value: 'Debug', from: 'given' },
        { name: 'MICROSHIFT_NODENAME', value: hostname().toLowerCase(), from: 'hostname' },
      ]),
    );
    expect(steps).toContainEqual(
      expect.objectContaining({ subject: 'Gadget/default/mine', action: 'change', reason: 'its plugin migrates it' }),
    );
    const second = await install('2.0.0');
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('[operator] from 1.0.0 to 2.0.0')]);
    expect(second.stderr).toContain(`[operator] told ${url} at Normal`);
    expect(second.stdout).toMatch(/MICROSHIFT_CLUSTER_URL +\S+ +\(kubeconfig\)/);
    expect(await gadget()).toMatchObject({ metadata: { labels: { migrated: 'yes' } }, spec: { replicas: 3 } });
    const again = await install('2.0.0');
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('from 1.0.0')]);
    const history = JSON.parse((await told('history', 'edge', '--json')).stdout) as JsonResults['history'];
    expect(history.generations[0]!.solutions[0]!.migrated).toEqual(['Gadget default/mine']);
    // No plugin is asked by a rollback, so that nothing is touched until somebody says that they may stay so.
    const unsafe = await told('rollback');
    expect([unsafe.code, unsafe.stderr]).toEqual([2, expect.stringContaining('[rollback-unsafe]')]);
    expect(unsafe.stderr).toContain('would leave Gadget default/mine as the plugin of gadgets 2.0.0 has migrated them');
    expect(await gadget()).toMatchObject({ spec: { replicas: 3 } });
    const back = await told('rollback', '--leave-migrated');
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining('stays as gadgets 2.0.0 has migrated it')]);
    expect((await told('rollback', '2')).code).toBe(0);
  });

  controlPlaneTest('needs the right to update them, which preflight asks for', async () => {
    expect((await install('1.0.0', '--quiet')).code).toBe(0);
    await makesGadget();
    const { rules } = pageRoles().roles.get('install')! as unknown as { readonly rules: readonly unknown[] };
    const [role, rights] = ['install-without-update', rules.slice(0, -1)];
    const refused = await install('2.0.0', '--kubeconfig', await userWith(plane(), { user: role, rules: rights }));
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining('may not update gadgets.example.com in'),
    ]);
    const { code, stderr } = await install('2.0.0', '--kubeconfig', await userWith(plane(), { user: 'whole', rules }));
    expect([code, stderr]).toEqual([0, expect.stringContaining('from 1.0.0')]);
    expect(await gadget()).toMatchObject({ spec: { replicas: 3 } });
  });

  controlPlaneTest('goes the other way where an install fails, and the version before comes back', async () => {
    expect((await install('1.0.0', '--quiet')).code).toBe(0);
    await makesGadget();
    const { code, stderr } = await install('3.0.0', '--timeout', '4s', '--rollback-on-failure');
    expect([code, stderr]).toEqual([5, expect.stringContaining('[rolled-back]')]);
    expect(stderr).toContain('[operator] from 1.0.0 to 3.0.0');
    expect(stderr).toContain('[operator] from 3.0.0 to 1.0.0');
    expect(stderr).toContain('[operator] was 3\n');
    expect(
      JSON.parse(await plane().kubectl('get', 'gadgets.v1alpha1.example.com', 'mine', '-o', 'json')),
    ).toMatchObject({
      spec: { size: 3 },
    });
  });

  controlPlaneTest('is called by load too, and the custom resources belong to whom they belonged to', async () => {
    const load = (tree: string) =>
      solpack(['load', tree, '--name', 'edge', '--kubeconfig', plane().kubeconfig], { cwd });
    expect((await load('one.d')).code).toBe(0);
    await makesGadget();
    const { code, stderr } = await load('two.d');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/\[010-gadgets\] from 0\.0\.0-sha256-[0-9a-f]{12} to 0\.0\.0/),
    ]);
    const live = await gadget();
    expect(live).toMatchObject({ spec: { replicas: 3 } });
    expect(JSON.stringify(live)).not.toContain('applyset.kubernetes.io/part-of');
    expect((await load('two.d')).stdout).toMatch(/^already there /);
  });
});
