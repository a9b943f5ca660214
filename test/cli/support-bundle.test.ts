import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { filesBelow, textsIn } from '../support/hidden-texts.ts';
import { ok, scratch } from '../support/judges.ts';

const folder = scratch('support-bundle');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();

const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64');

/** What nobody may find, by where it was planted. */
const planted = {
  live: 'l1ve-Hunter&<22>',
  old: 'former/Sword+fish7',
  file: 'kept in a file: Ratat0uille',
  values: 'v4lues-of-the-site',
  environment: 'fr0m-the-environment',
  variable: 'handed by variable, 3',
  annotation: 'annotated-S3sam',
  url: 'pw-in-url-99',
  token: `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"sub":"s3cret-subject"}').toString('base64url')}.c2ln`,
  key: 'MHcCAQEEIPrivateBytesOfAKeyOfSomebody',
} as const;
const pem = `-----BEGIN EC PRIVATE KEY-----\n${planted.key}\n-----END EC PRIVATE KEY-----\n`;

const object = (kind: string, name: string, rest: object, annotations = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind, metadata: { name, namespace: 'shop', annotations }, ...rest });

const solution = (version: string, password: string): Record<string, string> => ({
  [`${version}/solution.toml`]: `name = "shop"
version = "${version}"

[[components]]
name = "all"
kind = "manifests"
path = "all.yaml"

[[components]]
name = "site"
kind = "helm"
path = "chart"
`,
  [`${version}/all.yaml`]: [
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }),
    object('Secret', 'login', { stringData: { password, file: planted.file } }),
    object('ConfigMap', 'plain', { data: { a: `x ${password} y`, pem, token: `see ${planted.token}` } }),
    object('ConfigMap', 'encoded', {
      data: {
        once: base64(`user:${password}`),
        twice: base64(base64(password)),
        gzip: base64(gzipSync(`{"p":"${password}"}`)),
        lines: base64(`some words before it: ${password}`).replace(/.{24}/g, '$&\n'),
        url: `postgres://ada:${planted.url}@db/x`,
      },
      binaryData: { raw: base64(gzipSync(password)) },
    }),
  ].join('\n---\n'),
  [`${version}/chart/Chart.yaml`]: 'apiVersion: v2\nname: site\nversion: 1.0.0\n',
  [`${version}/chart/values.yaml`]: 'db: {password: none}\nadminToken: none\n',
  [`${version}/chart/templates/site.yaml`]: `apiVersion: v1
kind: Secret
metadata: {name: site, namespace: shop}
stringData: {password: {{ .Values.db.password | quote }}, token: {{ .Values.adminToken | quote }}}
`,
});

beforeAll(async () => {
  writeFiles(folder, {
    ...solution('1.0.0', planted.old),
    ...solution('2.0.0', planted.live),
    'site.yaml': `db:\n  # ${planted.values}\n  password: ${planted.values}\n`,
    ...Object.fromEntries(
      ['1.0.0', '2.0.0'].map((version) => [
        `${version}.yaml`,
        `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions:
  - name: shop
    archives: [shop-${version}.iso]
    values: {site: [site.yaml]}
    secrets: {site: [{path: adminToken, env: SHOP_TOKEN}]}
`,
      ]),
    ),
    'certs.d/registry.example.com/hosts.toml': `server = "https://ada:${planted.url}@r.example.com"\n`,
  });
  for (const version of ['1.0.0', '2.0.0']) {
    await succeeds(['pack', at(`${version}/solution.toml`), '-o', at(`shop-${version}.iso`), '--quiet']);
  }
});

const env = { SHOP_TOKEN: planted.environment };

async function bundles(name: string, ...more: readonly string[]): Promise<ReturnType<typeof parsed>> {
  const made = await succeeds(
    ['support-bundle', '-o', at(`${name}.tar.gz`), '--json', '--quiet', '--trust-state', at('trust'), ...more],
    { env },
  );
  mkdirSync(at(name));
  await ok('tar', ['-xzf', at(`${name}.tar.gz`), '-C', at(name)]);
  return parsed(made);
}

const parsed = (text: string) => jsonSchemas['support-bundle'].parse(JSON.parse(text));

/** The content of a file of a bundle. */
const told = (name: string, file: string): string => readFileSync(at(`${name}/solpack-support-bundle/${file}`), 'utf8');

/** Where something that nobody may find is found after all. */
function found(name: string, texts: readonly string[]): string[] {
  return [...filesBelow(at(name))].flatMap(([path, bytes]) => {
    for (const text of textsIn(bytes)) {
      const one = texts.find((secret) => text.includes(secret));
      if (one !== undefined) return [`${path}: ${one}`];
    }
    return [];
  });
}

describe('a support bundle', () => {
  controlPlaneTest('has everything that helps, and no secret in any form', async () => {
    const { kubectl, kubeconfig, tried } = plane();
    const run = ['--insecure-skip-verify', '--kubeconfig', kubeconfig, '--hosts-dir', at('own-certs.d'), '--quiet'];
    const log = ['--log-file', at('log.jsonl')];
    const refused = ['--variable', `ADMIN_PASSWORD=${planted.variable}`];
    expect((await solpack(['install', '-f', at('1.0.0.yaml'), ...run, ...log, ...refused])).code).toBe(2);
    for (const version of ['1.0.0', '2.0.0']) {
      await succeeds(['install', '-f', at(`${version}.yaml`), ...run, ...log], { env });
    }
    const applies = async (text: string): Promise<void> => {
      expect((await tried(['apply', '-f', '-'], { input: text })).code).toBe(0);
    };
    // kubectl keeps all of what it applies in an annotation, of Secrets as well.
    await applies(object('Secret', 'applied', { stringData: { password: planted.annotation } }));
    await kubectl(
      '-n',
      'shop',
      'annotate',
      'configmap',
      'plain',
      `note=${JSON.stringify({ data: { x: planted.annotation } })}`,
    );
    await kubectl('-n', 'shop', 'label', 'configmap', 'plain', `copy=${Buffer.from(planted.live).toString('hex')}`);
    await applies(
      object('Event', 'told', {
        reason: 'Failed',
        type: 'Warning',
        message: `no access with ${planted.old}, ${base64(planted.live)} and ${base64(gzipSync(planted.file))}`,
        involvedObject: { kind: 'ConfigMap', namespace: 'shop', name: 'plain' },
      }),
    );
    const { files, missing, path } = await bundles(
      'whole',
      'edge',
      ...['--kubeconfig', kubeconfig, '-f', at('2.0.0.yaml'), '--hosts-dir', at('certs.d'), '--logs', at('log.jsonl')],
    );
    expect(found('whole', Object.values(planted))).toEqual([]);
    const names = files.map((file) => file.path);
    for (const name of [
      ...[
        'versions.json',
        'machine.json',
        'configuration/configuration.json',
        'configuration/values/1-shop-site-1.json',
      ],
      ...['archives.json', 'trust.json', 'mirrors/registry.example.com/hosts.toml', 'runs/1-log.jsonl', 'plan.json'],
      ...[
        'cluster/inventory.json',
        'cluster/history/edge.json',
        'cluster/status/edge.json',
        'cluster/server.json',
        'cluster/nodes.json',
      ],
      ...['cluster/solutions/shop/objects.json', 'cluster/namespaces/shop/events.json', 'index.json', 'README.md'],
    ]) {
      expect(names).toContain(name);
    }
    expect(missing.filter(({ what }) => !what.startsWith('version of'))).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const objects = JSON.parse(told('whole', 'cluster/solutions/shop/objects.json'));
    const login = objects.find(
      ({ kind, metadata }: { kind: string; metadata: { name: string } }) =>
        kind === 'Secret' && metadata.name === 'login',
    );
    expect(login.data).toEqual({ file: '***', password: '***' });
    expect(JSON.parse(told('whole', 'cluster/history/edge.json'))).toMatchObject([{ number: 2 }, { number: 1 }]);
    expect(JSON.parse(told('whole', 'cluster/status/edge.json'))).toMatchObject({ generation: { number: 2 } });
    expect(JSON.parse(told('whole', 'archives.json'))).toMatchObject([{ name: 'shop', version: '2.0.0' }]);
    expect(told('whole', 'runs/1-log.jsonl')).toMatch(/"exit":0/);
    expect(told('whole', 'cluster/namespaces/shop/events.json')).toContain('no access with ***');
    // What the search would find in a bundle that is not blanked, it finds.
    writeFiles(at('planted'), { x: `a ${base64(base64(gzipSync(planted.live)))} b` });
    expect(found('planted', [planted.live])).toHaveLength(1);
  });

  controlPlaneTest(
    'tells what rights are missing for, and leaves out what may repeat Secrets that it cannot read',
    async () => {
      const { kubectl, userKubeconfig } = plane();
      const viewer = await userKubeconfig('viewer');
      await kubectl('create', 'clusterrolebinding', 'viewer', '--clusterrole=view', '--user=viewer');
      const { missing, files } = await bundles('viewer', '--kubeconfig', viewer);
      expect(found('viewer', Object.values(planted))).toEqual([]);
      expect(missing.map(({ what }) => what)).toEqual(
        expect.arrayContaining([
          'cluster/nodes',
          'cluster/namespaces/shop/secrets',
          'cluster/solutions/shop/Secret.shop',
        ]),
      );
      expect(missing.find(({ what }) => what === 'cluster/nodes')?.reason).toMatch(/nodes is forbidden: User "viewer"/);
      expect(files.map(({ path }) => path)).toContain('cluster/namespaces/shop/events.json');
      expect(told('viewer', 'README.md')).toContain('nodes is forbidden');
    },
  );

  test('is made of what the machine tells where no cluster answers, where none is named, and of nothing', async () => {
    writeFiles(folder, {
      'gone.conf': `apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: a, user: {token: ${planted.live}}}]
contexts: [{name: a, context: {cluster: a, user: a}}]
current-context: a
`,
    });
    const gone = await bundles('gone', '--kubeconfig', at('gone.conf'), '-f', at('2.0.0.yaml'));
    expect(gone.missing.find(({ what }) => what === 'cluster')?.reason).toMatch(/127\.0\.0\.1:1/);
    expect(gone.files.map(({ path }) => path)).toContain('plan.json');
    expect(found('gone', Object.values(planted))).toEqual([]);
    const none = await bundles(
      'none',
      '-f',
      at('nothing.yaml'),
      '--logs',
      at('nothing.log'),
      '--hosts-dir',
      at('nothing.d'),
    );
    const lacks = none.missing.map(({ what }) => what);
    expect(lacks).toEqual(expect.arrayContaining(['cluster', 'the configuration', 'the archives', at('nothing.log')]));
    expect(none.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['versions.json', 'README.md']));
  });

  test('has the plan of an install by each way that images get to nodes', async () => {
    const asked = {
      '--image-folder': `k3s:${at('images')}`,
      '--image-store': at('store'),
      '--containerd': at('c.sock'),
    };
    for (const [flag, value] of Object.entries(asked)) {
      const name = flag.slice(2);
      const { files, missing } = await bundles(name, '-f', at('2.0.0.yaml'), flag, value, '--hosts-dir', at('certs.d'));
      const paths = files.map(({ path }) => path);
      expect(paths).toContain('mirrors/registry.example.com/hosts.toml');
      if (flag === '--containerd') {
        // Nobody listens there, which would refuse the install.
        expect(missing.find(({ what }) => what === 'plan of an install')?.reason).toMatch(/c\.sock|ctr/);
        continue;
      }
      const { steps } = JSON.parse(told(name, 'plan.json'));
      const placed = steps.filter(({ kind }: { kind: string }) => kind === 'place-images');
      expect(placed).toEqual([expect.objectContaining({ subject: expect.stringContaining(value) })]);
      expect(steps.map(({ kind }: { kind: string }) => kind)).not.toContain('mirror');
    }
    const both = ['support-bundle', '-o', at('both.tar.gz'), '--containerd', '/c.sock', '--served-at', 'http://h:1'];
    const { code, stderr } = await solpack([...both, '-f', at('2.0.0.yaml')]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^solpack: --served-at: contradicts --containerd/)]);
  });

  test('is refused where it cannot be written, and leaves nothing behind', async () => {
    const { code, stderr } = await solpack(['support-bundle', '-o', at('no/such/folder/b.tar.gz'), '--quiet']);
    expect([code, stderr]).toEqual([6, expect.stringMatching(/^solpack: .*\[output-unwritable\]\n$/)]);
  });
});
