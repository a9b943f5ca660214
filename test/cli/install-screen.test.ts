import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { faulty } from '../support/faults.ts';
import { solpackHere } from '../support/here.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { find, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';
import { emulated, type ShellTerminal } from '../support/shell-terminal.ts';
import { solpackQuoted } from '../support/under-test.ts';

const folder = scratch('install-screen');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const reference = 'registry.example.com/shop/web:1';

const base = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: NodePort, selector: {app: web}, ports: [{port: 80, nodePort: 30080}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec: {rules: [{host: shop.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}
`;

/** A Deployment that is ready at once without replicas, and never with one: there is no node. */
const web = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "${reference}"}]}
`;

const settings =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {colour: green}\n';

beforeAll(async () => {
  await writeLayout(at('image'), [{ name: reference, image: buildImage({ seed: 'shop' }) }]);
  for (const [version, replicas] of [
    ['1.0.0', 0],
    ['2.0.0', 1],
  ] as const) {
    const component = (name: string, after = ''): string =>
      `\n[[components]]\nname = "${name}"\nkind = "manifests"\npath = "${version}/${name}.yaml"\n${after}`;
    writeFiles(folder, {
      [`${version}/base.yaml`]: base,
      [`${version}/web.yaml`]: web(replicas),
      [`${version}/settings.yaml`]: settings,
      [`${version}.toml`]: `name = "shop"\nversion = "${version}"\n${component('base')}${component('web', 'after = ["base"]\n')}${component('settings', 'after = ["web"]\n')}
[[images]]\nreference = "${reference}"\nsource = "oci:image:${reference}"\n`,
      [`edge-${version}.yaml`]: `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: shop, archives: [${version}.iso]}]
`,
    });
    await succeeds(['pack', `${version}.toml`, '-o', `${version}.iso`, '-q'], { cwd: folder });
  }
});

const registry = dockerRegistry(folder);

function words(version: string, way: readonly string[] = ['--image-folder', `k3s:${at('images')}`]): string[] {
  const cluster = ['--kubeconfig', plane().kubeconfig, ...way];
  return ['install', '-f', `edge-${version}.yaml`, '--insecure-skip-verify', ...cluster];
}

/** How many Pods the Deployment in the cluster asks for, which says of which version it is. */
function replicas(): Promise<string> {
  return plane().kubectl('get', 'deployment', 'web', '-n', 'shop', '-o', 'jsonpath={.spec.replicas}');
}

/** Installs a version on a terminal of 80 x 24. */
function installing(name: string, version: string, way?: readonly string[]): Promise<ShellTerminal> {
  const own = at(name);
  writeFiles(own, { empty: '' });
  const line = words(version, way)
    .map((word) => `'${word}'`)
    .join(' ');
  // Ctrl-C is for the command, and not for the shell around it.
  const script = `trap : INT; ${solpackQuoted} ${line}; echo ended with $?; exec cat`;
  return emulated(own, folder, { columns: 80, lines: 24 }, ['sh', '-c', script]);
}

/** What is rewritten in place: from the last row about all components on. */
function lastRows(screen: string): string {
  return screen.slice(screen.lastIndexOf('apply    '));
}

/** A screen below what is told of trust, without what differs from run to run. */
function steady(screen: string): string[] {
  const rows = screen
    .replaceAll(/web-[0-9a-f]+-\w+/g, 'web-POD')
    // Where a reason is broken depends on the name of a Pod.
    .replaceAll(/^( {2}waiting .*)\n {12}(.*)\n {12}(?=\S)/gm, '$1 $2 ')
    .split('\n')
    .map((row) => row.replace(/ +(?:\d+ min )?\d+ s$/, ' TIME').replace(/^( {2}\w+) +\d+ s {2}/, '$1 TIME  '));
  return rows.slice(rows.findIndex((row) => row.includes('--insecure-skip-verify')) + 1);
}

/** Runs a command line while the Pods of the Deployment become what a kubelet would make of them. */
async function succeedsOnNode(args: readonly string[]): Promise<string> {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  let isDone = false;
  const outcome = solpack(args, { cwd: folder }).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const pods = await plane().kubectl('get', 'pods', '-n', 'shop', '-o', 'name');
    for (const pod of pods.split('\n').filter((one) => one !== '')) {
      await plane().tried(['patch', pod, '-n', 'shop', '--subresource=status', '-p', JSON.stringify({ status })]);
    }
  }
  const { code, stdout, stderr } = await outcome;
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

const isCaused = (screen: string): boolean => screen.includes('waits for scheduler');
const hasEnded = (screen: string): boolean => screen.includes('ended with');

/** A test of a screen, for which tmux is needed as well. */
function screenTest(name: string, work: () => Promise<void>): void {
  controlPlaneTest(name, async (context) => {
    if (find('tmux') === undefined && process.env['SOLPACK_REQUIRE_TOOLS'] !== '1') context.skip('needs tmux');
    await work();
  });
}

const waiting = [
  expect.stringMatching(/^so far {3}verify [\d.]+ KiB/),
  '  ready TIME  base',
  '  waiting TIME  web Deployment shop/web: Pod web-POD waits for scheduler default-scheduler, which has not looked at it',
  '  pending                settings  after web',
];

describe('an install on a terminal of 80 x 24', () => {
  screenTest(
    'shows components in their order, and why one waits long before its time is over; Ctrl-C says what is there',
    async () => {
      await using terminal = await installing('first', '2.0.0');
      expect(steady(await terminal.shows(isCaused))).toEqual(['apply    1 of 3 components are ready TIME', ...waiting]);
      await terminal.resize(40, 16);
      const isNarrow = (screen: string): boolean => screen.includes('apply    1') && !/.{40}/.test(lastRows(screen));
      const narrow = lastRows(await terminal.shows(isNarrow)).split('\n');
      expect(narrow[0]).toMatch(/^apply {4}1 of 3 components are/);
      expect(narrow.map((row) => row.trim().split(/ +/)[0])).toEqual(
        expect.arrayContaining(['ready', 'waiting', 'pending']),
      );
      await terminal.resize(80, 24);
      await terminal.shows((screen) => screen.includes('apply    1 of 3 components are ready    '));
      await terminal.press('C-c');
      expect(steady(lastRows(await terminal.shows(hasEnded)))).toEqual([
        'apply    1 of 3 components are ready TIME',
        ...waiting,
        'solpack: interrupted; generation 1 (shop 2.0.0) is installed in part; the same',
        '    command does the rest, and "solpack uninstall edge" removes it',
        'ended with 130',
      ]);
    },
  );

  screenTest('ends with where what has come answers, and the command that tells how it is', async () => {
    await using terminal = await installing('well', '1.0.0');
    const rows = steady(await terminal.shows(hasEnded));
    const last = rows.slice(rows.indexOf('generation 2'));
    expect(last.slice(0, 3)).toEqual([
      'generation 2',
      'answers at  NODE:30080                Service shop/web',
      '            http://shop.example.com/  Ingress shop/web',
    ]);
    const status = `next solpack status --kubeconfig ${plane().kubeconfig}`;
    expect(last.slice(3).join(' ').replaceAll(/ +/g, ' ')).toBe(`${status} ended with 0`);
  });

  screenTest('asks at Ctrl-C what becomes of what is installed in part, and rolls it back', async () => {
    await using terminal = await installing('back', '2.0.0');
    await terminal.shows(isCaused);
    await terminal.press('C-c');
    const asked = await terminal.shows((screen) => screen.includes('[leave/roll back]'));
    expect(steady(asked)).toEqual([
      'generation 3 (shop 2.0.0) is installed in part. Its images stay where they are.',
      'Leave it as it is, or roll back to generation 2 (shop 1.0.0)? [leave/roll back]',
    ]);
    await terminal.type('roll back\r');
    const rows = steady(await terminal.shows(hasEnded));
    expect(rows.slice(-4)).toEqual([
      'solpack: shop 2.0.0: was interrupted, so that generation 2 (shop 1.0.0) is back;',
      '    the same command installs it again, as long as its configuration names it',
      '    [rolled-back]',
      'ended with 5',
    ]);
    expect(await replicas()).toBe('0');
  });

  screenTest('leaves it at once at a second Ctrl-C, and where a person says so', async () => {
    for (const [name, answer] of [
      ['second', 'C-c'],
      ['left', 'Enter'],
    ] as const) {
      await using terminal = await installing(name, '2.0.0');
      await terminal.shows(isCaused);
      await terminal.press('C-c');
      await terminal.shows((screen) => screen.includes('[leave/roll back]'));
      await terminal.press(answer);
      const rows = steady(await terminal.shows(hasEnded));
      expect(rows.slice(-3).join('\n')).toMatch(
        /^solpack: interrupted; generation \d+ \(shop 2\.0\.0\) is installed in part; the same\n {4}command does the rest, and "solpack rollback \d+" goes back to shop 1\.0\.0\nended with 130$/,
      );
      expect(await replicas()).toBe('1');
    }
    expect(await succeedsOnNode(words('2.0.0'))).toMatch(/^generation \d+$/m);
  });

  screenTest(
    'says after an end while images come that the cluster is as it was; the same command goes on',
    async () => {
      const list = ['get', 'deployment,service,ingress,configmap', '-n', 'shop', '-o', 'yaml'];
      const kept = await plane().kubectl(...list);
      const { host } = await registry();
      let isHeld = true;
      const busy = { status: 429, headers: { 'retry-after': '15' } };
      const behind = await faulty(host, ({ method }) => (isHeld && method === 'PUT' ? busy : undefined));
      const way = ['--registry', `http://${behind.host}`];
      await using terminal = await installing('pushing', '2.0.0', way);
      await terminal.shows((screen) => screen.includes('load ') && behind.seen.some(({ status }) => status === 429));
      await terminal.press('C-c');
      const rows = steady(await terminal.shows(hasEnded));
      expect(rows.slice(-3)).toEqual([
        'solpack: interrupted; no cluster was changed; what else was done, such as',
        '    images, stays, and the same command does the rest',
        'ended with 130',
      ]);
      expect(await plane().kubectl(...list)).toBe(kept);
      isHeld = false;
      expect(await succeedsOnNode(words('2.0.0', way))).toMatch(/^1 image at http/m);
    },
  );
});

describe('the same where there is no terminal', () => {
  controlPlaneTest(
    'tells in lines what each component waits for, when it was ready, and how long all took',
    async () => {
      const { code, stderr } = await solpack([...words('1.0.0'), '--progress', 'lines'], { cwd: folder });
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^ready {4}shop 1\.0\.0, web after [\d.]+ s$/m)]);
      expect(stderr).toMatch(/^apply {4}shop 1\.0\.0, base$/m);
    },
  );

  controlPlaneTest('an end asks nobody, and says in one sentence what is there', async () => {
    const stop = new AbortController();
    const onText = (text: string): void => {
      if (text.startsWith('note: Deployment')) stop.abort();
    };
    const { code, stderr } = await solpackHere(words('2.0.0'), { cwd: folder, signal: stop.signal, onText });
    expect([code, stderr.split('\n').slice(-2)]).toEqual([
      130,
      [
        expect.stringMatching(
          /^solpack: interrupted; generation \d+ \(shop 2\.0\.0\) is installed in part; the same command does the rest, and "solpack rollback \d+" goes back to shop 1\.0\.0$/,
        ),
        '',
      ],
    ]);
    expect(stderr).not.toContain('there in part:');
  });

  controlPlaneTest('an end before anything was changed says so', async () => {
    const stop = new AbortController();
    const onText = (text: string): void => {
      if (text.startsWith('verify')) stop.abort();
    };
    const { code, stderr } = await solpackHere(words('2.0.0'), { cwd: folder, signal: stop.signal, onText });
    expect([code, stderr]).toEqual([130, expect.stringMatching(/\nsolpack: interrupted; nothing was changed\n$/)]);
  });
});
