import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { loadPrivateKey } from '../../lib/parts/trust/index.ts';
import { smallSolution, writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { writePrograms } from '../support/installer.ts';
import { judged } from '../support/judges.ts';
import { writePolicy } from '../support/policies.ts';
import { dockerRegistry } from '../support/registry.ts';
import { PATIENCE } from './attack.ts';
import { codeOf, expectPlain, expectRefused, installArgs, installs, setStage } from './stage.ts';
import { rowOf } from './table.ts';

// Archives that a key has signed which is trusted for them, and no further.

const stage = setStage('bounds');
const { release } = stage.keys;
const at = (...names: string[]): string => join(stage.folder, ...names);

// What earlier tests have installed says nothing of what may be.
beforeEach(() => rmSync(at('state'), { recursive: true, force: true }));

/** A policy by which `release` may sign `hello`, within bounds. */
function within(allow: object): string[] {
  writePolicy(at('trust.json'), [release], { policies: [{ match: 'hello', keys: [release.id], allow }] });
  return ['--policy', 'trust.json'];
}

/** Packs a Solution `hello` of one component, signed by `release`, and returns the name of the archive. */
async function packed(component: string, files: Readonly<Record<string, string>>): Promise<string> {
  const name = `input-${readdirSync(stage.folder).length}`;
  mkdirSync(at(name));
  const definition = `name = "hello"\nversion = "1.0.0"\n[[components]]\nname = "web"\n${component}\n`;
  writeFiles(at(name), { ...files, 'solution.toml': definition });
  if ('plugin' in files) chmodSync(at(name, 'plugin'), 0o755);
  const sign = await loadPrivateKey(at('release.key'));
  await packHere(at(name, 'solution.toml'), at(`${name}.iso`), { sign });
  return `${name}.iso`;
}

/** The same with a plugin that leaves a trace wherever it is run, and prints `objects`: nobody sees them before. */
function plugged(objects: string, more = ''): Promise<string> {
  const answer = `[ "$1" = run ] || { echo v1; exit; }\ncat <<'END'\n${objects}\nEND\n`;
  const script = `#!/bin/sh\necho "$1" >> '${at('ran')}'\n${answer}`;
  return packed(`kind = "plugin"\npath = "plugin"\n${more}`, { plugin: script });
}

const object = (apiVersion: string, kind: string, metadata: string, more = ''): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: ${metadata}\n${more}`;
const documents = (...objects: string[]): string => objects.join('---\n');

/**
 * That `verify` finds an archive right, and `install` refuses what it is rendered to, for those reasons, all in one
 * line.
 */
async function expectNotApplied(
  name: string,
  archive: string,
  trust: readonly string[],
  reasons: readonly (string | RegExp)[],
): Promise<void> {
  const { codes, exit } = rowOf(name);
  expect(await stage.run('verify', archive, ...trust)).toMatchObject({ code: 0 });
  const installed = await installs(stage, archive, ...trust, '--hosts-dir', 'hosts');
  expectPlain(installed);
  expect([installed.code, installed.stdout]).toEqual([exit, '']);
  const inWords = exit === 3 ? ['not-trusted', `(${codes[0]})`] : [codes[0]!, ''];
  expect([codeOf(installed), installed.stderr]).toEqual([inWords[0], expect.stringContaining(inWords[1]!)]);
  for (const reason of reasons) expect(installed.stderr).toMatch(reason);
  expect([existsSync(at('rendered')), existsSync(at('hosts'))]).toEqual([false, false]);
}

/** An attack by objects that a plugin prints: refused by `allow`, or by nothing but solpack itself. */
function byObjects(
  name: string,
  objects: string,
  { allow, component }: { readonly allow?: object; readonly component?: string },
  ...reasons: (string | RegExp)[]
): void {
  const { codes, exit } = rowOf(name);
  test(
    `${name}: ${codes.join(', ')}, exit status ${exit}`,
    async () => {
      const trust = allow === undefined ? ['--key', 'release.pub'] : within(allow);
      await expectNotApplied(name, await plugged(objects, component), trust, reasons);
    },
    PATIENCE,
  );
}

test(
  'a plugin where the policy allows none',
  async () => {
    const archive = await plugged(object('v1', 'ConfigMap', '{name: a}'));
    const trust = within({ components: ['manifests', 'kustomize', 'helm'], images: [] });
    await expectRefused(stage, 'a plugin where the policy allows none', archive, trust);
    expect(existsSync(at('ran'))).toBe(false);
  },
  PATIENCE,
);

test(
  'a program of an archive where the policy allows no plugins',
  async () => {
    writePrograms(at('programs'));
    writeFiles(at('carrying'), {
      'solution.toml':
        'name = "hello"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "kustomize"\npath = "web"\n',
      'web/kustomization.yaml': 'resources: [map.yaml]\n',
      'web/map.yaml': object('v1', 'ConfigMap', '{name: a}'),
    });
    const sign = await loadPrivateKey(at('release.key'));
    const installer = { platforms: undefined, folder: at('programs'), executable: undefined };
    await packHere(at('carrying/solution.toml'), at('carrying.iso'), { sign, installer });
    const trust = within({ components: ['kustomize'] });
    expect(await stage.run('verify', 'carrying.iso', ...trust)).toMatchObject({ code: 0 });
    // A machine that has no kubectl: the one of the archive would print nothing, and all would go well.
    const env = { PATH: at('nowhere') };
    const args = [...installArgs(stage, 'carrying.iso', ...trust), '--quiet'];
    const installed = await solpackHere(args, { cwd: stage.folder, env });
    expectPlain(installed);
    const { codes, exit } = rowOf('a program of an archive where the policy allows no plugins');
    expect([installed.code, installed.stdout, codeOf(installed)]).toEqual([exit, '', codes[0]]);
    expect([installed.stderr, existsSync(at('rendered'))]).toEqual([
      expect.stringContaining('allows it no plugins'),
      false,
    ]);
  },
  PATIENCE,
);

test('what the root and the objects of a Solution go beyond is reported in full by verify and by install', async () => {
  const allow = { components: ['helm'], images: ['registry.example.com/hello/web'] };
  const { code, stdout } = await stage.run('verify', 'good.iso', '--json', ...within(allow));
  const subjects = JSON.parse(stdout).findings.map((finding: { subject: string }) => finding.subject);
  const breaches = ['component base', 'component web', 'image registry.example.com/hello/job:1.0.0'];
  expect([code, subjects.sort()]).toEqual([3, breaches]);
  const installed = await installs(stage, 'good.iso', ...within(allow), '--hosts-dir', 'hosts');
  expect([installed.code, existsSync(at('hosts'))]).toEqual([3, false]);
  for (const breach of breaches) expect(installed.stderr).toContain(breach);
});

test('a Solution that stays within all bounds is installed', async () => {
  const allow = {
    components: ['manifests'],
    namespaces: ['hello'],
    clusterScoped: [],
    images: ['registry.example.com/hello/*'],
    moveTags: false,
  };
  const trust = within(allow);
  expect(await stage.run('verify', 'good.iso', ...trust)).toMatchObject({ code: 0 });
  const outcome = await stage.run(...installArgs(stage, 'good.iso', ...trust), '--render', 'within');
  expect(outcome).toMatchObject({ code: 0 });
  expect(existsSync(at('within/hello'))).toBe(true);
});

byObjects(
  'an object in a namespace that the policy does not allow',
  documents(
    object('v1', 'ConfigMap', '{name: a, namespace: kube-system}'),
    object('v1', 'ConfigMap', '{name: b}'),
    object('v1', 'ConfigMap', '{name: fine, namespace: shop-eu}'),
    object('v1', 'List', '{}', `items:\n- {apiVersion: v1, kind: Secret, metadata: {name: c, namespace: other}}\n`),
    object('rbac.authorization.k8s.io/v1', 'RoleBinding', '{name: d, namespace: kube-public}'),
  ),
  { allow: { namespaces: ['shop', 'shop-*'] } },
  /component web, ConfigMap kube-system\/a: is in the namespace kube-system that the policy does not allow/,
  /ConfigMap default\/b: is in the namespace default/,
  /Secret other\/c: /,
  /RoleBinding kube-public\/d: /,
  /^(?!.*fine)/s,
);
byObjects(
  'a component for a namespace that the policy does not allow',
  object('v1', 'ConfigMap', '{name: a}'),
  { allow: { namespaces: ['shop'] }, component: 'namespace = "kube-system"' },
  /ConfigMap kube-system\/a: /,
);
byObjects(
  'a namespace that the policy does not allow',
  documents(object('v1', 'Namespace', '{name: shop}'), object('v1', 'Namespace', '{name: kube-system}')),
  { allow: { namespaces: ['shop'], clusterScoped: ['*'] } },
  /Namespace kube-system: is a namespace that/,
  /^(?!.*Namespace shop)/s,
);
byObjects(
  'a kind outside of namespaces that the policy does not allow',
  documents(
    object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', '{name: a, namespace: shop}'),
    object('scheduling.k8s.io/v1', 'PriorityClass', '{name: b}'),
    object('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', '{name: c}'),
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', '{name: d.example.com}'),
  ),
  { allow: { namespaces: ['shop'], clusterScoped: ['CustomResourceDefinition.apiextensions.k8s.io'] } },
  /ClusterRoleBinding a: is of the kind ClusterRoleBinding\.rbac\.authorization\.k8s\.io that/,
  /PriorityClass b: /,
  /MutatingWebhookConfiguration c: /,
  /^(?!.*d\.example\.com)/s,
);

const lie = (group: string, kind: string): string =>
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    `{name: ${kind.toLowerCase()}s.${group}}`,
    `spec: {group: ${group}, scope: Namespaced, names: {kind: ${kind}}, versions: []}\n`,
  );
byObjects(
  'a kind outside of namespaces that is defined as one within',
  documents(
    object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', '{name: a, namespace: shop}'),
    lie('rbac.authorization.k8s.io', 'ClusterRoleBinding'),
  ),
  { allow: { namespaces: ['shop'], clusterScoped: ['CustomResourceDefinition.apiextensions.k8s.io'] } },
  /ClusterRoleBinding a: is of the kind/,
);

byObjects(
  'an image of the node that the policy does not allow',
  object(
    'v1',
    'Pod',
    '{name: p}',
    'spec: {containers: [{name: a, image: "other/team:1", imagePullPolicy: Never}, {name: b, image: "other/absent:1"}]}\n',
  ),
  { allow: { images: ['registry.example.com/hello/*'] } },
  /component web, image other\/team:1: is of a repository that the policy does not allow \(policy-bounds\)/,
  /component web, image other\/absent:1: /,
);

byObjects(
  'the inventory of another Solution',
  documents(
    object('v1', 'ConfigMap', '{name: solution-shop, namespace: solpack-system}', 'data: {configuration: mine}\n'),
    object('v1', 'Namespace', '{name: solpack-system}'),
    object('v1', 'ConfigMap', '{name: fine}'),
  ),
  {},
  /ConfigMap solpack-system\/solution-shop \(namespace solpack-system\), Namespace solpack-system \(namespace solpack-system\);/,
);
byObjects(
  'an object that passes for the parent of a set, or for a part of one',
  documents(
    object('v1', 'Secret', '{name: a, labels: {applyset.kubernetes.io/id: applyset-x-v1}}'),
    object('v1', 'Secret', '{name: b, labels: {applyset.kubernetes.io/part-of: applyset-x-v1}}'),
    object('v1', 'Secret', '{name: c, annotations: {applyset.kubernetes.io/tooling: solpack/v1}}'),
  ),
  {},
  /Secret a \(label .*\/id\), Secret b \(label .*\/part-of\), Secret c \(annotation .*\/tooling\);/,
);

judged(
  'a component for the namespace of solpack',
  ['kubectl'],
  async () => {
    // `pack` refuses a kustomization that says so, and so this one is made by a plugin.
    const folder =
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: solpack-system\nresources: [a.yaml]\n';
    const script = `#!/bin/sh\n[ "$1" = run ] || { echo v1; exit; }\ncat <<'END'\n${folder}END\n`;
    const archive = await packed('kind = "plugin"\npath = "."', {
      plugin: script,
      'a.yaml': object('v1', 'ConfigMap', '{name: a}'),
    });
    await expectNotApplied(
      'a component for the namespace of solpack',
      archive,
      ['--key', 'release.pub'],
      [/component web: has objects that are reserved for solpack: ConfigMap solpack-system\/a /],
    );
  },
  PATIENCE,
);

judged('load refuses what is reserved for solpack, though it is asked to go on', ['kubectl'], async () => {
  const inventory = object('v1', 'ConfigMap', '{name: solution-shop, namespace: solpack-system}');
  writeFiles(at('tree'), {
    '010-evil/kustomization.yaml': 'resources: [a.yaml]\n',
    '010-evil/a.yaml': inventory,
    '020-fine/kustomization.yaml': 'resources: [a.yaml]\n',
    '020-fine/a.yaml': object('v1', 'ConfigMap', '{name: fine}'),
  });
  const outcome = await stage.run('load', 'tree', '--render', 'rendered', '--keep-going');
  expect([outcome.code, codeOf(outcome), existsSync(at('rendered'))]).toEqual([2, 'object-reserved', false]);
});

judged(
  'a hook in a namespace that the policy does not allow',
  ['helm'],
  async () => {
    const name = 'a hook in a namespace that the policy does not allow';
    const hook = object('v1', 'ConfigMap', '{name: h, namespace: other, annotations: {helm.sh/hook: pre-install}}');
    const archive = await packed('kind = "helm"\npath = "chart"\nnamespace = "shop"\nrender = "install"', {
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/templates/all.yaml': documents(object('v1', 'ConfigMap', '{name: a}'), hook),
    });
    await expectNotApplied(name, archive, within({ namespaces: ['shop'] }), [/ConfigMap other\/h: /, /^(?!.*\/a: )/s]);
  },
  PATIENCE,
);

const registry = dockerRegistry(stage.folder);

judged(
  'a tag of a registry that the policy keeps where it is',
  ['docker-registry'],
  async () => {
    const row = rowOf('a tag of a registry that the policy keeps where it is');
    const { url, host } = await registry();
    const push = async (archive: string, ...trust: string[]) =>
      stage.run(
        ...installArgs(stage, archive, ...trust, '--images-only', '--registry', url, '--json').filter(
          (one) => one !== '--render' && one !== 'rendered',
        ),
      );
    const digest = async (): Promise<string | null> => {
      const accept = 'application/vnd.oci.image.index.v1+json';
      const answer = await fetch(`${url}/v2/hello/web/manifests/1.0.0`, { method: 'HEAD', headers: { accept } });
      return answer.headers.get('docker-content-digest');
    };
    const keeping = within({ moveTags: false });
    const first = await push('good.iso', ...keeping);
    expect([first.code, JSON.parse(first.stdout).movedTags]).toEqual([0, []]);
    const before = await digest();
    await smallSolution(at('src'), { seed: 'another' });
    await stage.pack('another.iso', 'sequence = 2');
    const refused = await push('another.iso', ...keeping);
    expect([refused.code, codeOf(refused), JSON.parse(refused.stdout).error.code]).toEqual([
      row.exit,
      'not-trusted',
      'not-trusted',
    ]);
    expect(refused.stderr).toContain(`tag ${host}/hello/web:1.0.0: would be moved from ${before} to sha256:`);
    expect(refused.stderr).toContain(`(${row.codes[0]})`);
    expect(await digest()).toBe(before);
    // The same is there already: nothing moves.
    expect(await push('good.iso', ...keeping)).toMatchObject({ code: 0 });
    const told = await push('another.iso', '--key', 'release.pub');
    const to = await digest();
    expect([told.code, JSON.parse(told.stdout).movedTags]).toEqual([
      0,
      [{ tag: `${host}/hello/web:1.0.0`, from: before, to }],
    ]);
    expect(told.stderr).toContain(`${host}/hello/web:1.0.0: pointed to ${before}, and is moved to ${to}\n`);
    expect(to).not.toBe(before);
  },
  PATIENCE,
);
