import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { judged, type Outcome, scratch } from '../support/judges.ts';

const folder = scratch('environment-patches');
const cwd = folder;
const head =
  'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\n';
const rbac = 'apiVersion: rbac.authorization.k8s.io/v1';

beforeAll(async () => {
  for (const version of ['1.0.0', '2.0.0']) {
    const home = join(folder, version);
    writeFiles(home, {
      'solution.toml': `name = "shop"\nversion = "${version}"\n[[components]]\nname = "web"\nkind = "manifests"\npath = "all.yaml"\nnamespace = "shop"\ncreate-namespace = true\n`,
      'all.yaml': `${rbac}
kind: ClusterRole
metadata: {name: shop, labels: {app: shop}}
rules: []
---
${rbac}
kind: ClusterRoleBinding
metadata: {name: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, name: shop, namespace: shop}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: shop, labels: {app: shop}}
`,
    });
    await succeeds(['pack', home, '-o', `shop-${version}.iso`], { cwd });
  }
});

/** Installs the Solution with these fields of it into a folder. */
function install(sections: string): Promise<Outcome> {
  const solution = `solutions:\n- name: shop\n  archives: [shop-1.0.0.iso, shop-2.0.0.iso]\n`;
  writeFileSync(join(folder, 'solutions.yaml'), `${head}${solution}${sections}`);
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  return solpack(['install', '-f', 'solutions.yaml', '--render', 'out', '--insecure-skip-verify', '-q'], { cwd });
}

const patch = (target: string): string =>
  `{web: [{target: {${target}}, patch: '[{"op": "add", "path": "/metadata/labels/own", "value": "yes"}]'}]}`;
const role = patch('kind: ClusterRole');
const environments = (teamA: string, teamB: string): string =>
  `  environments:\n    team-a: {version: "2.0.0"${teamA}}\n    team-b: {version: "1.0.0"${teamB}}\n`;

describe('a patch that is for one environment', () => {
  judged(
    'is refused where it is for nothing but what comes from another one, with its place',
    ['kubectl'],
    async () => {
      const { code, stderr } = await install(environments('', `, patches: ${role}`));
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(
          /solutions\.yaml:9:\d+: changes nothing of ClusterRole shop: environments share that, but it does not come from team-b.*\[site-invalid\]/,
        ),
      ]);
      // The same is true where a higher version brings it for all.
      const ahead = await install(
        `  activeVersion: "2.0.0"\n  environments:\n    team-b: {version: "1.0.0", patches: ${role}}\n`,
      );
      expect([ahead.code, ahead.stderr]).toEqual([2, expect.stringContaining('[site-invalid]')]);
    },
  );

  judged('is told of where it is for such objects too', ['kubectl'], async () => {
    const { code, stderr } = await install(environments('', `, patches: ${patch('labelSelector: app=shop')}`));
    expect([code, stderr]).toEqual([0, expect.stringContaining('a patch of web changes nothing of ClusterRole shop')]);
    expect(stderr).not.toContain('ConfigMap');
  });

  judged(
    'counts where what is shared comes from it, or where each counts, or where it is for all',
    ['kubectl'],
    async () => {
      const subject = `{web: [{target: {kind: ClusterRoleBinding}, patch: '[{"op": "add", "path": "/subjects/-", "value": {"kind": "User", "name": "guest"}}]'}]}`;
      for (const sections of [
        environments(`, patches: ${role}`, ''),
        environments('', `, patches: ${subject}`),
        `  patches: ${role}\n${environments('', '')}`,
      ]) {
        const { code, stderr } = await install(sections);
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('changes nothing')]);
      }
      expect((await install(environments('', `, patches: ${subject}`))).code).toBe(0);
      expect(rendered()).toContain('guest');
    },
  );
});

/** All that was written. */
function rendered(): string {
  const files = readdirSync(join(folder, 'out'), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return files.map((one) => readFileSync(join(one.parentPath, one.name), 'utf8')).join('');
}
