import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { judged, scratch } from '../support/judges.ts';
import { PATIENCE } from './attack.ts';
import { codeOf, expectPlain } from './stage.ts';
import { rowOf } from './table.ts';

// Whoever may write a SolutionsConfiguration into a cluster, and wants what the agent or the loader sees.

const folder = scratch('attacks-tenants');
const at = (...names: string[]): string => join(folder, ...names);
/** What stands in each file and variable that an attack is after. */
const SECRET = 'cornucopia';

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const shop = `${head}archives: [shop.iso]\nactive: {shop: latest}\n`;

beforeAll(async () => {
  mkdirSync(at('archives'));
  writeFiles(folder, {
    'src/solution.toml':
      'name = "shop"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "helm"\npath = "web"\nrelease = "web"\nnamespace = "default"\n',
    'src/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'src/web/values.yaml': 'message: none\n',
    'src/web/templates/map.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {message: {{ .Values.message | quote }}}\n',
    secret: SECRET,
    'outside.yaml': `message: ${SECRET}\n`,
    'archives/site.yaml': 'message: good\n',
    'archives/auth.json': SECRET,
  });
  symlinkSync('../secret', at('archives/linked'));
  await packHere(at('src/solution.toml'), at('archives/shop.iso'));
}, PATIENCE);

/** Installs a configuration that comes from a cluster, and gives all that came of it. */
async function installed(text: string, ...flags: readonly string[]): Promise<Awaited<ReturnType<typeof solpackHere>>> {
  writeFileSync(at('archives/solutions.yaml'), text);
  const args = ['install', '-f', 'archives/solutions.yaml', '--insecure-skip-verify', '--render', 'rendered'];
  return solpackHere([...args, '--quiet', ...(flags.length > 0 ? flags : ['--allow-files', 'archives'])], {
    cwd: folder,
    env: { TENANT_SECRET: SECRET },
  });
}

/** An attack by what a configuration says. */
function attack(name: string, text: string | (() => string), ...flags: readonly string[]): void {
  const { codes, exit } = rowOf(name);
  test(`${name}: ${codes[0]}, exit status ${exit}`, async () => {
    const outcome = await installed(typeof text === 'string' ? text : text(), ...flags);
    expectPlain(outcome);
    expect([outcome.code, codeOf(outcome), outcome.stdout]).toEqual([exit, codes[0], '']);
    expect(outcome.stderr).not.toContain(SECRET);
  });
}

const secretOf = (from: string): string => `${shop}secrets: {shop: {web: [{path: message, ${from}}]}}\n`;
const archives = (entry: string): string => `${head}archives: [shop.iso, '${entry}']\nactive: {shop: latest}\n`;

judged('what is allowed is still installed', ['helm', 'kubectl'], async () => {
  const outcome = await installed(
    `${shop}values: {shop: {web: [site.yaml]}}\nsecrets: {shop: {web: [{path: message, env: TENANT_SECRET}]}}\n`,
    ...['--allow-files', 'archives', '--allow-variable', 'TENANT_*'],
  );
  expect([outcome.code, outcome.stderr]).toEqual([0, expect.not.stringContaining('configuration-bounds')]);
  const written = readdirSync(at('rendered'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yaml'),
  );
  expect(written.map((name) => readFileSync(at('rendered', name), 'utf8')).join('')).toContain(SECRET);
});

attack('a secret of a configuration that is a file of its reader', secretOf("file: '../secret'"));
attack(
  'a secret of a configuration that is the token of its reader',
  secretOf('file: /var/run/secrets/kubernetes.io/serviceaccount/token'),
  ...['--allow-files', '/'],
);
attack(
  'a secret of a configuration that is the environment of its reader',
  secretOf('file: /proc/self/environ'),
  ...['--allow-files', '/'],
);
attack(
  'a secret of a configuration that is the credentials of its reader',
  secretOf('file: auth.json'),
  ...['--allow-files', 'archives', '--authfile', 'archives/auth.json'],
);
attack('a secret of a configuration that is behind a link', secretOf('file: linked'));
attack('a secret of a configuration that is a variable of its reader', secretOf('env: TENANT_SECRET'));
attack('values of a configuration that lie elsewhere', `${shop}values: {shop: {web: ['../outside.yaml']}}\n`);
attack('a patch of a configuration that lies elsewhere', `${shop}patches: {shop: {web: [{path: /etc/passwd}]}}\n`);
attack('an archive of a configuration that reveals whether a file exists', archives('/etc/passwd'));
attack('an archive of a configuration that lists a folder', archives('/etc/*'));
attack('an archive of a configuration in a registry that nobody allowed', archives('oci://localhost:5000/a/b:1'));

const asked = 'an archive of a configuration at an address that nobody allowed';
test(`${asked}: ${rowOf(asked).codes[0]}, exit status ${rowOf(asked).exit}`, async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  try {
    for (const path of ['', 'allowed/../a.iso', 'allowed/..%2fa.iso']) {
      const flags = ['--allow-files', 'archives', '--allow-address', `http://127.0.0.1:${port}/allowed/`];
      const outcome = await installed(archives(`http://127.0.0.1:${port}/${path}`), ...flags);
      expectPlain(outcome);
      expect([outcome.code, codeOf(outcome)]).toEqual([rowOf(asked).exit, rowOf(asked).codes[0]]);
    }
    expect(requests).toBe(0);
  } finally {
    server.close();
  }
});
