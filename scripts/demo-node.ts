// The main job on a Kubernetes node that nothing leads out of: install, look, upgrade while it is used, install again.
// node scripts/demo-node.ts [--may]: with it, says only whether this user could start a node.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { capture, hold, type Place, show } from './demo/cli.ts';
import { chapter, paint, tell } from './demo/page.ts';
import { visit } from './demo/visits.ts';
import { cache, root, words } from './home.ts';
import { insideEnvironment } from './node/environment.ts';
import { type ClusterNode, startNode } from './node/index.ts';
import { nodeLacks } from './node/needs.ts';

const out = join(cache, 'demo-node');
/** Temporary files of the commands, which go with them, also with those that are killed. */
const temporary = join(out, 'tmp');
const place = relative(process.cwd(), out) || '.';

/** What cannot be installed, as `nodeLacks` names it. */
const rights = ['Linux', 'root', 'the right to make namespaces'];

const stopped = new AbortController();
const { signal } = stopped;

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (!signal.aborted) console.error('\ninterrupted; what was started is being ended');
    stopped.abort();
  });
}
// The reader of the output may have left.
process.stdout.on('error', () => stopped.abort());
process.stderr.on('error', () => undefined);

process.exitCode = complain(rights) ?? (process.argv.includes('--may') ? 0 : (complain() ?? (await main())));

/** Prints what a node lacks here, or those of `some`. Returns the exit code where it lacks anything. */
function complain(some?: readonly string[]): number | undefined {
  const lacks = nodeLacks().filter((one) => some?.includes(one) ?? true);
  if (lacks.length === 0) return undefined;
  const names = lacks.join(', ');
  console.error(`demo: no Kubernetes node can be started here without ${names}; "npm run demo" needs no node`);
  return 1;
}

/** Runs the demo, and returns the exit code. */
async function main(): Promise<number> {
  const start = performance.now();
  let node: ClusterNode | undefined;
  try {
    prepare();
    console.log(`The main job on a Kubernetes node, in ${place}/`);
    await pack({ folder: out, env: { ...process.env, TMPDIR: temporary }, signal });
    const began = performance.now();
    node = await startNode();
    signal.throwIfAborted();
    await story(node, (performance.now() - began) / 1000);
  } catch (error) {
    if (!signal.aborted) console.error(`\nthe demo stopped: ${words(error)}`);
    return signal.aborted ? 130 : 1;
  } finally {
    await node?.stop();
    for (const name of ['admin.conf', 'certs.d', 'tmp']) rmSync(join(out, name), { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(paint('green', `\nDone in ${seconds} s: the node is gone, and ${place}/ holds the archives and keys.`));
  return 0;
}

function prepare(): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  for (const version of ['1.0.0', '1.1.0']) {
    cpSync(join(root, 'fixtures/guestbook', version), join(out, version), { recursive: true });
  }
  cpSync(join(root, 'fixtures/components.d'), join(out, 'components.d'), { recursive: true });
  const configuration = readFileSync(join(root, 'fixtures/guestbook/solutions.yaml'), 'utf8');
  const active = configuration.replace('- name: guestbook\n', '- name: guestbook\n    activeVersion: 1.0.0\n');
  writeFileSync(join(out, 'solutions.yaml'), active);
}

async function pack(here: Place): Promise<void> {
  chapter('1  A release engineer packs two versions of the Solution, and signs them');
  await show(here, 'solpack keygen -o release');
  await show(here, 'solpack pack 1.0.0 -o guestbook-1.0.0.iso --sign release.key');
  await show(here, 'solpack pack 1.1.0 -o guestbook-1.1.0.iso --sign release.key');
}

/** Tells and shows what happens on the node, which took `seconds` to start. */
async function story({ kubeconfig, hostsDir, enter }: ClusterNode, seconds: number): Promise<void> {
  symlinkSync(kubeconfig, join(out, 'admin.conf'));
  symlinkSync(hostsDir, join(out, 'certs.d'));
  const env = { ...insideEnvironment(), KUBECONFIG: kubeconfig, TMPDIR: temporary };
  const inside: Place = { folder: out, enter, env, signal };

  chapter('2  Elsewhere, there is a Kubernetes node without a way out');
  const version = await capture(inside, 'kubectl get node -o jsonpath={.items[0].status.nodeInfo.kubeletVersion}');
  tell(`Kubernetes ${version}, Ready after ${Math.round(seconds)} s. There is no default route:`);
  await show(inside, 'ip route');
  await show(inside, 'kubectl get nodes');

  chapter('3  There, images are served straight from the archives');
  const serve = await hold(inside, 'solpack serve guestbook-1.0.0.iso guestbook-1.1.0.iso');

  chapter('4  An operator installs version 1.0.0');
  await show(inside, 'cat solutions.yaml');
  tell("admin.conf is the node's kubeconfig; certs.d is where its containerd looks for mirrors of registries.");
  const where = `--kubeconfig admin.conf --served-at ${serve.url} --hosts-dir certs.d`;
  const install = `solpack install -f solutions.yaml --key release.pub ${where}`;
  await show(inside, install);
  await show(inside, 'kubectl get pods -A');
  await show(inside, 'kubectl get service web -n guestbook');
  const host = await capture(inside, 'kubectl get service web -n guestbook -o jsonpath={.spec.clusterIP}');
  tell('The page, by the address of its Service (the server of the example answers to the name localhost alone):');
  const page = `busybox wget -q -O - --header Host:localhost http://${host}/`;
  await show(inside, page);

  chapter('5  Version 1.1.0 takes its place, while somebody asks for that page all the time');
  await show(inside, 'sed -i s/1.0.0$/1.1.0/ solutions.yaml');
  const visitor = visit(inside, host, '80');
  await show(inside, install);
  tell(`Meanwhile, ${await visitor.leave()}.`);
  await show(inside, page);

  chapter('6  The same once more: there is nothing to do');
  await show(inside, install);

  chapter('7  A folder of kustomizations and plugins is brought up the same way');
  await show(inside, 'solpack load components.d --kubeconfig admin.conf --variable MICROSHIFT_NODENAME=edge-1');

  chapter('What runs now');
  await show(inside, 'kubectl get pods -A -o wide');
}
