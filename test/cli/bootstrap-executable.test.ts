import { existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadPublicKey } from '../../lib/parts/trust/index.ts';
import { bareRoot } from '../../scripts/home.ts';
import { type BareMachine, bareMachine, bareRootTest } from '../support/bare-root.ts';
import { archiveOnPage as archive, mountOnPage, typed } from '../support/bootstrap.ts';
import { succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { folderOf, here } from '../support/installer.ts';
import { find, ok, scratch } from '../support/judges.ts';

const folder = scratch('bootstrap-executable');
const cwd = folder;
const root = join(import.meta.dirname, '../..');
const own = folderOf(here);
const plane = sharedControlPlane();
const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

/**
 * Lets the executable of these sources pack a Solution that takes helm and kubectl to render. Returns the fingerprint.
 */
async function packed(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  await ok(process.execPath, [join(root, 'scripts/build-bin.ts'), '-o', 'built', '--platform', platform], { cwd });
  writeFiles(folder, {
    'src/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'src/web/templates/map.yaml': map('by-helm'),
    'src/base/kustomization.yaml': 'resources: [map.yaml]\nnamePrefix: built-\n',
    'src/base/map.yaml': map('by-kubectl'),
    'src/solution.toml': `name = "guestbook"
version = "1.1.0"
[[components]]
name = "web"
kind = "helm"
path = "web"
namespace = "default"
[[components]]
name = "base"
kind = "kustomize"
path = "base"
`,
  });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  writeFiles(folder, { 'keys/release.pub': readFileSync(join(folder, 'release.pub')) });
  // The folder has keys alone: so the executable takes itself along, and what this machine has on PATH.
  const asked = ['--with-installer', '--installer-from', 'keys', '--sign', 'release.key', '--no-sync'];
  await ok(join(folder, 'built', `solpack-${platform}`), ['pack', 'src', '-o', archive, ...asked], { cwd });
  const listed = await succeeds(['ls', archive, `bin/${own}`], { cwd });
  expect(
    listed
      .trim()
      .split('\n')
      .map((line) => line.split('/').at(-1)),
  ).toEqual(['helm', 'kubectl', 'solpack']);
  return (await loadPublicKey(join(folder, 'release.pub'))).keyId;
}

/** The machine, with the archive on its stick and mounted; made once. */
let made: Promise<{ readonly machine: BareMachine; readonly paper: string }> | undefined;

async function make(): Promise<{ readonly machine: BareMachine; readonly paper: string }> {
  const paper = await packed();
  const machine = bareMachine(join(folder, 'machine'), mountOnPage);
  linkSync(join(folder, archive), join(machine.stick, archive));
  await ok('xorriso', ['-osirrox', 'on', '-indev', archive, '-extract', '/', machine.medium], { cwd });
  return { machine, paper };
}

const needed = ['helm', 'kubectl', 'xorriso'];
const lacks = (): boolean => needed.some((name) => find(name) === undefined);

bareRootTest(
  'a machine with nothing but a shell, openssl and sha256sum verifies the rest of a medium, and renders, by what is on it',
  async (context) => {
    if (lacks()) context.skip(`needs ${needed.join(', ')}`);
    made ??= make();
    const { machine, paper } = await made;
    const render = `"bin/$platform/solpack" render "$archive" --quiet\n`;
    const { code, stdout, stderr } = await machine.run(typed(paper, render));
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^verify +\/media\/usb\/guestbook-1\.1\.0\.iso\n(?:verify .* MiB .*\n)*$/),
    ]);
    expect(stdout).toMatch(/^Verified OK\n(bin\/\S+: OK\n){3}verified guestbook 1\.1\.0 [\s\S]*by key [0-9a-f]{16}\n/);
    expect(stdout).toMatch(/name: by-helm[\s\S]*name: built-by-kubectl/);
  },
);

/** Hands connections to a socket over to the API server, which is in another network than the machine. */
async function bridged<T>(url: URL, work: (socket: string) => Promise<T>): Promise<T> {
  const socket = join(folder, 'api.sock');
  const server = createServer((one) => {
    const other = connect(Number(url.port), url.hostname);
    for (const each of [one, other]) {
      each.on('error', () => {
        one.destroy();
        other.destroy();
      });
    }
    one.pipe(other).pipe(one);
  });
  await new Promise<void>((settle) => server.listen(socket, settle));
  return work(socket).finally(() => server.close());
}

controlPlaneTest(
  'from there it installs into a cluster, which is all that its network reaches, and changes nothing the second time',
  async (context) => {
    if (process.geteuid?.() !== 0 || !existsSync(bareRoot))
      context.skip('needs root, and the bare root of npm run judges');
    if (lacks()) context.skip(`needs ${needed.join(', ')}`);
    made ??= make();
    const { machine, paper } = await made;
    const { kubeconfig, kubectl } = plane();
    const config = readFileSync(kubeconfig, 'utf8');
    const url = new URL(JSON.parse(config).clusters[0].cluster.server);
    writeFileSync(join(machine.stick, 'admin.conf'), config);
    writeFileSync(
      join(machine.stick, 'solutions.yaml'),
      `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions: [{name: guestbook, archives: [${archive}]}]
`,
    );
    const flags = '-f /media/usb/solutions.yaml --key "$key" --kubeconfig /media/usb/admin.conf';
    const install = `"bin/$platform/solpack" install ${flags} --listen 0.0.0.0:5000 --hosts-dir /root/certs.d --json\n`;
    const routes = 'while IFS= read -r line; do echo "route $line"; done < /proc/net/route\n';
    const script = typed(paper, `${install}${install}${routes}`);
    const { code, stdout, stderr } = await bridged(url, (socket) =>
      machine.run(script, { socket, port: Number(url.port) }),
    );
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const [first = '', second = ''] = stdout.split('\n').filter((line) => line.startsWith('{'));
    const actions = (line: string): string[] =>
      JSON.parse(line).solutions.flatMap(({ objects }: { objects: { action: string }[] }) =>
        objects.map(({ action }) => action),
      );
    expect([actions(first), actions(second)]).toEqual([
      ['created', 'created'],
      ['unchanged', 'unchanged'],
    ]);
    expect(await kubectl('get', 'configmaps', '-n', 'default', '-o', 'name')).toMatch(
      /built-by-kubectl\n[\s\S]*by-helm\n/,
    );
    // The head of the table alone: nothing outside is known to the machine.
    expect(stdout.split('\n').filter((line) => line.startsWith('route '))).toEqual([expect.stringContaining('Iface')]);
  },
);
