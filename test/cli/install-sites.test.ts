import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { judged, type Outcome, scratch } from '../support/judges.ts';

const folder = scratch('install-sites');
const cwd = folder;
const plane = sharedControlPlane();
const password = 'correct horse/battery+staple';
const env = { DB_PASSWORD: password };

const templates = `apiVersion: v1
kind: Secret
metadata: {name: db, annotations: {drawn: {{ randAlphaNum 8 | quote }}}}
stringData: {password: {{ .Values.db.password | quote }}}
data: {login: {{ printf "%s:%s" .Values.db.user .Values.db.password | b64enc }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: {{ .Values.image | quote }}, env: [{name: HOST, value: {{ .Values.host | quote }}}]}]
{{- if eq (int .Values.replicas) 99 }}{{ fail (printf "never %s %s" .Values.db.password (b64enc .Values.db.password)) }}{{ end }}
`;

beforeAll(async () => {
  const image = buildImage({ platforms: ['linux/amd64'], seed: 'sites', files: {} });
  await writeLayout(join(folder, 'shop/images'), [{ name: 'registry.example.com/shop/web:1', image }]);
  writeFiles(join(folder, 'shop'), {
    'solution.toml': `name = "shop"
version = "1.0.0"
[[images]]
reference = "registry.example.com/shop/web:1"
source = "oci:images:registry.example.com/shop/web:1"
[[components]]
name = "base"
kind = "manifests"
path = "base.yaml"
[[components]]
name = "web"
kind = "helm"
path = "web"
namespace = "shop"
[[components]]
name = "strict"
kind = "helm"
path = "strict"
namespace = "shop"
site-schema = "strict.schema.json"
`,
    'base.yaml':
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: shop}\ndata: {a: "1"}\n',
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml':
      'replicas: 0\nhost: a.example.com\nimage: registry.example.com/shop/web:1\ndb: {user: app, password: ""}\n',
    'web/templates/all.yaml': templates,
    'strict/Chart.yaml': 'apiVersion: v2\nname: strict\nversion: 1.0.0\n',
    'strict/values.yaml': 'size: 1\nother: 1\n',
    'strict/templates/all.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: strict}\ndata: {size: "{{ .Values.size }}"}\n',
    'strict.schema.json': '{"properties": {"size": {"type": "integer", "maximum": 9}}, "additionalProperties": false}',
  });
  await succeeds(['keygen', '-o', 'k'], { cwd });
  await succeeds(['pack', 'shop', '-o', 'shop.iso', '--sign', 'k.key'], { cwd });
  writeFiles(folder, {
    'site.yaml': 'host: shop.example.com\n',
    'patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {minReadySeconds: 5}\n',
  });
});

/** Writes a configuration whose Solution has these sections, and installs it. */
function install(sections: string, ...args: string[]): Promise<Outcome> {
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  const solution = `solutions:\n- name: shop\n  archives: [shop.iso]\n${sections.replace(/^(?=.)/gm, '  ')}`;
  writeFileSync(join(folder, 'solutions.yaml'), `${head}metadata: {name: edge}\n${solution}`);
  return solpack(['install', '-f', 'solutions.yaml', '--key', 'k.pub', ...args], { cwd, env });
}

const site = `values: {web: [site.yaml, {replicas: 3}]}
secrets: {web: [{path: db.password, env: DB_PASSWORD}]}
patches:
  web: [{path: patch.yaml}]
  base: [{target: {kind: ConfigMap, name: base}, patch: '[{"op": "replace", "path": "/data/a", "value": "2"}]'}]
`;

/** All that a secret must not be seen as. */
const seen = [
  password,
  'battery',
  encodeURIComponent(password),
  Buffer.from(password).toString('base64'),
  Buffer.from(`app:${password}`).toString('base64'),
];
const tellsNothing = ({ stdout, stderr }: Outcome): void => {
  for (const form of seen) expect(`${stdout}${stderr}`).not.toContain(form);
};

describe('a site', () => {
  judged(
    'sets values and patches without a new archive, and is reported what they change',
    ['helm', 'kubectl'],
    async () => {
      const outcome = await install(site, '--render', 'rendered', '--json');
      expect([outcome.code, outcome.stderr.includes('check-site')]).toEqual([0, true]);
      const result = JSON.parse(outcome.stdout);
      expect(jsonSchemas.install.strict().parse(result)).toEqual(result);
      expect(result.solutions[0].site).toEqual({
        digest: expect.stringMatching(/^sha256:/),
        components: [
          {
            component: 'base',
            values: [],
            secrets: [],
            patches: 1,
            objects: [{ object: 'ConfigMap shop/base', change: 'changed', fields: ['data.a'] }],
          },
          {
            component: 'web',
            values: ['host', 'replicas', 'db.password'],
            secrets: ['db.password'],
            patches: 1,
            objects: [
              { object: 'Secret shop/db', change: 'changed', fields: ['stringData.password', 'data.login'] },
              {
                object: 'Deployment shop/web',
                change: 'changed',
                fields: expect.arrayContaining(['spec.replicas', 'spec.minReadySeconds']),
              },
            ],
          },
        ],
      });
      const rendered = readdirSync(join(folder, 'rendered/shop')).map((file) =>
        readFileSync(join(folder, 'rendered/shop', file), 'utf8'),
      );
      expect(rendered.join()).toMatch(/shop\.example\.com[\s\S]*|replicas: 3/);
      // Only what is written to be applied has the secret.
      expect(rendered.join()).toContain(password);
      tellsNothing(outcome);
    },
  );

  judged('is told to a person too, in the flat form, with files that are handed in', ['helm', 'kubectl'], async () => {
    const text =
      'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\narchives: [shop.iso]\nactive: {shop: latest}\n';
    writeFiles(folder, {
      'flat.yaml': `${text}values: {shop: {web: [{replicas: 3}]}}\n`,
      'more.yaml': 'replicas: 4\n',
    });
    const args = ['install', '-f', 'flat.yaml', '--key', 'k.pub', '--render', 'flat', '--values', 'shop/web=more.yaml'];
    expect(await succeeds(args, { cwd })).toMatch(
      /site +web; sets replicas\n +changed Deployment shop\/web: spec\.replicas\n/,
    );
    expect(readFileSync(join(folder, 'flat/shop/020-web.yaml'), 'utf8')).toContain('replicas: 4');
  });

  judged('keeps a secret out of what helm and solpack say when they fail', ['helm', 'kubectl'], async () => {
    const failing = await install(site.replace('replicas: 3', 'replicas: 99'), '--render', 'failing');
    expect([failing.code, failing.stderr]).toEqual([
      2,
      expect.stringMatching(/never \*\*\* \*\*\*; .*\[tool-failed\]/),
    ]);
    tellsNothing(failing);
    const debugged = await solpack(['install', '-f', 'solutions.yaml', '--key', 'k.pub', '--render', 'failing'], {
      cwd,
      env: { ...env, SOLPACK_DEBUG: '1' },
    });
    expect(debugged.stderr).toContain('at ');
    tellsNothing(debugged);
    const wrong = await install(site.replace('db.password', 'replicas'), '--render', 'failing');
    expect(wrong.stderr).toMatch(/web\.replicas: has to be a number, as by default, but is a text/);
    tellsNothing(wrong);
  });

  const refusals: readonly (readonly [string, string, RegExp, number?])[] = [
    [
      'an unknown field',
      'values: {web: [{replica: 1}]}',
      /solutions\.yaml:7:19: web\.replica: unknown field; did you mean "replicas"\?.*\[site-invalid\]/,
    ],
    [
      'a wrong type in a file',
      'values: {web: [wrong.yaml]}',
      /wrong\.yaml:2:6: web\.db\.user: has to be a text, as by default, but is a list/,
    ],
    [
      'what the schema of the author refuses',
      'values: {strict: [{size: 10, other: 1}]}',
      /7:22: strict\.size: has to be at most 9; also 7:32: strict\.other: unknown field/,
    ],
    [
      'an unknown component',
      'values: {wub: [{a: 1}]}',
      /7:12: shop 1\.0\.0 has no component "wub"; did you mean "web"/,
    ],
    [
      'a patch without a target',
      'patches: {base: [{patch: "[]", target: {kind: Job}}]}',
      /7:21: matches nothing in component base/,
    ],
    [
      'a patch that cannot be applied',
      `patches: {base: [{target: {name: base, kind: ConfigMap}, patch: '[{"op": "remove", "path": "/data/b"}]'}]}`,
      /7:60: cannot be applied: .*b/,
    ],
    [
      'an image that the archive lacks',
      'values: {web: [{image: "registry.example.com/other:1"}]}',
      /registry\.example\.com\/other:1 \(component web\).*\[image-missing\]/,
      5,
    ],
  ];
  for (const [name, sections, message, code = 2] of refusals) {
    controlPlaneTest(`is refused with ${name} before an image moves`, async () => {
      writeFiles(folder, { 'wrong.yaml': 'host: b\ndb: {user: [a]}\n' });
      // Nobody listens there: whoever moved an image would say so.
      const outcome = await install(
        `${sections}\n`,
        '--kubeconfig',
        plane().kubeconfig,
        '--registry',
        'http://127.0.0.1:9',
        '--quiet',
      );
      expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(message)]);
    });
  }

  controlPlaneTest('has the digest of what it sets in the inventory, and the same again changes nothing', async () => {
    const inCluster = ['--kubeconfig', plane().kubeconfig, '--hosts-dir', 'certs.d', '--quiet', '--json'];
    const scaledDown = site.replace('replicas: 3', 'replicas: 0');
    const first = await install(scaledDown, ...inCluster);
    expect([first.code, first.stderr]).toEqual([0, expect.anything()]);
    tellsNothing(first);
    const inventory = async (): Promise<{ data: Record<string, string>; metadata: object }> =>
      JSON.parse(await plane().kubectl('get', 'configmap', 'solution-shop', '-n', 'solpack-system', '-o', 'json'));
    const before = await inventory();
    expect(before.data['site']).toBe(JSON.parse(first.stdout).solutions[0].site.digest);
    expect(
      await plane().kubectl('get', 'deployment', 'web', '-n', 'shop', '-o', 'jsonpath={.spec.minReadySeconds}'),
    ).toBe('5');
    expect(JSON.stringify(before)).not.toContain(Buffer.from(password).toString('base64'));
    await install('', ...inCluster);
    expect((await inventory()).data['site']).toBeUndefined();
  });
});
