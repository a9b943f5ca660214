import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { type Running, succeeds, writeFiles } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import { packSolpack, solpackImage } from '../support/node/solpack-image.ts';
import { claimOf, packWeb } from '../support/node/web-solution.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('node-loader');
const cwd = folder;
/** What the Pods see of this machine. */
const archives = join(folder, 'archives');
const node = sharedNode();
const [address, store] = ['127.0.0.1:5000', '127.0.0.1:5001'];
const serving: Running[] = [];

const head =
  'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\n';

/** What a loader installs, and by what values. */
function configuration(archive: string, site = 'greeting: ahoy\n'): Record<string, string> {
  return {
    'solutions.yaml': `${head}solutions:
  - name: edge
    archives: [${archive}]
    values: {web: [site.yaml]}
    secrets: {web: [{path: password, env: SITE_WEB_PASSWORD}]}
`,
    'site.yaml': site,
  };
}

const namespace = 'solpack-loader';

/** Prints the manifests of a part, for the Solution `edge` alone. */
async function manifests(part: string, ...flags: string[]): Promise<string> {
  const { address: host } = node();
  writeFiles(folder, configuration(join(archives, 'edge-1.0.0.iso')));
  const printed = await succeeds(
    [
      ...['agent', '--manifests', '--part', part, '-f', 'solutions.yaml', '--server', `${host}:6443`],
      ...['--image', `${address}/${solpackImage}`, ...flags],
    ],
    { cwd, env: { SITE_WEB_PASSWORD: 'sesame-street' } },
  );
  const path = join(folder, `${part}.yaml`);
  writeFileSync(path, printed);
  return path;
}

/** Puts what a loader is reported into the cluster, and lets it run anew, with archives in a folder of the node. */
function load(parameters: Readonly<Record<string, string>>, ...flags: string[]): Promise<void> {
  return loadFrom(['--archives-from', archives, ...flags], parameters);
}

/** The same by flags that say where archives are; `memory` is what it may take. */
async function loadFrom(
  flags: readonly string[],
  parameters: Readonly<Record<string, string>>,
  memory?: string,
): Promise<void> {
  const path = await manifests('loader', '--served-at', `http://${address}`, ...flags);
  if (memory !== undefined) {
    writeFileSync(path, readFileSync(path, 'utf8').replace(/memory: "(?:128|512)Mi"/g, `memory: "${memory}"`));
  }
  const { kubectl, run } = node();
  await run('kubectl', ['create', 'namespace', namespace]);
  await kubectl('delete', 'job,configmap,secret', '--all', '-n', namespace, '--wait');
  const files = Object.entries(parameters).map(([name, text]) => `--from-literal=${name}=${text}`);
  await kubectl(
    'create',
    'configmap',
    'solpack-settings',
    '-n',
    namespace,
    ...files,
    `--from-file=${join(folder, 'release.pub')}`,
    `--from-file=${join(folder, 'other.pub')}`,
  );
  const secret = [
    'secret',
    'generic',
    'solpack-variables',
    '-n',
    namespace,
    '--from-literal=WEB_PASSWORD=sesame-street',
  ];
  await kubectl('create', ...secret);
  await kubectl('apply', '-f', path);
}

interface Told {
  readonly data: Readonly<Record<string, string>>;
  readonly attempt: number;
  readonly runner: string;
  readonly components: readonly { readonly component: string; readonly state: string; readonly reason?: string }[];
}

/** What the loader has told. */
async function told(): Promise<Told> {
  const { data = {} } = await node().get<{ data?: Record<string, string> }>('configmap', namespace, '-n', namespace);
  return { attempt: 0, runner: '', components: [], ...JSON.parse(data['progress.json'] ?? '{}'), data };
}

/** Waits until it tells that it is in a state. */
async function untilTold(state: string): Promise<Told> {
  await eventually(async () => (await told()).data['state']).toBe(state);
  return told();
}

/** The conditions of its Job, as `TYPE REASON`, once it has ended. */
async function jobEnd(): Promise<string[]> {
  interface Jobs {
    readonly items: readonly {
      readonly status: { readonly conditions?: readonly { type: string; reason: string }[] };
    }[];
  }
  const conditions = async (): Promise<string[]> => {
    const { items } = await node().get<Jobs>('jobs', '-n', namespace);
    return items.flatMap(({ status }) => (status.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`));
  };
  await eventually(async () => (await conditions()).length).toBeGreaterThan(1);
  return conditions();
}

const trusted = ['--key', '/etc/solpack/release.pub'];
const archive = '/archives/edge-1.0.0.iso';

beforeAll(async () => {
  mkdirSync(archives, { mode: 0o755 });
  for (const name of ['release', 'other']) await succeeds(['keygen', '-o', name], { cwd });
  await Promise.all([packSolpack(folder), packWeb(folder, { name: 'edge', version: '1.0.0', delay: 1 })]);
  return async () => {
    for (const one of serving) await one.stop();
  };
});

describe('the loader', () => {
  nodeTest('installs by the rights that are printed alone, and begins before Pods have a network', async () => {
    const served = ['solpack-1.0.0.iso', 'archives/edge-1.0.0.iso'];
    serving.push(await node().serves(['serve', ...served, '--listen', address], { cwd }));
    const network = join(await networkFolder(), '10-pods.conflist');
    const settings = readFileSync(network);
    rmSync(network);
    await node().kubectl('wait', '--for=condition=Ready=false', 'nodes', '--all', '--timeout=60s');
    await load(configuration(archive), ...trusted);
    const waiting = async (): Promise<string | undefined> =>
      (await told()).components.find(({ component }) => component === 'web')?.state;
    await eventually(waiting).toBe('waiting');
    expect(await told()).toMatchObject({
      data: { state: 'running' },
      components: [{ component: 'base', state: 'ready' }, {}],
    });
    // containerd does not look again where a file is only moved there.
    writeFileSync(network, settings);
    expect(await untilTold('ready')).toMatchObject({
      attempt: 1,
      components: [{ state: 'ready' }, { state: 'ready' }],
    });
    expect(await jobEnd()).toContain('Complete CompletionsReached');
    const { data } = await node().get<{ data: object }>('configmap', 'web', '-n', 'edge');
    expect(data).toEqual({ greeting: 'ahoy', length: '13' });
  });

  nodeTest(
    'that is killed is told of by what runs beside it, and the next Pod of its Job gets to the end',
    async () => {
      await load(slow(archive, 8), ...trusted);
      await untilWaiting();
      const pids = (await node().ok('pgrep', ['-f', 'solpack install -f /etc/solpack/solutions.yaml']))
        .trim()
        .split('\n');
      await node().ok('kill', ['-9', ...pids]);
      expect((await untilTold('interrupted')).data['reason']).toBe(
        'its container was killed by signal 9, and ended with 137',
      );
      const { attempt, components } = await untilTold('ready');
      expect([attempt, components.map((one) => one.state)]).toEqual([2, ['ready', 'ready']]);
      expect(await jobEnd()).toContain('Complete CompletionsReached');
    },
  );
});

/** Waits until a loader waits for the Pod of `web`, and returns the name of its own. */
async function untilWaiting(): Promise<string> {
  const state = async (): Promise<string | undefined> => (await told()).components[1]?.state;
  await eventually(state).toBe('waiting');
  return (await told()).runner;
}

/** What a loader waits for: each `delay`, in seconds, makes other Pods. */
const slow = (place: string, delay: number): Record<string, string> =>
  configuration(place, `greeting: ahoy\ndelay: ${delay}\n`);

describe('a boot', () => {
  nodeTest('has the loader install, follows it, and has drift repaired from then on', async () => {
    const { address: host, kubectl, run } = node();
    await kubectl('delete', 'job,configmap', '--all', '-n', namespace, '--wait');
    writeFiles(folder, configuration(archive));
    await run('kubectl', [
      ...['create', 'secret', 'generic', 'solpack-variables', '-n', namespace],
      '--from-literal=WEB_PASSWORD=sesame-street',
    ]);
    const flags = [
      ...['boot', '-f', 'solutions.yaml', '--parameter', 'site.yaml', '--key', 'release.pub', '--json'],
      ...['--image', `${address}/${solpackImage}`, '--served-at', `http://${address}`, '--archives-from', archives],
      ...['--server', `${host}:6443`, '--schedule', '*/30 * * * *', '--kubeconfig', node().kubeconfig],
    ];
    const stdout = await node().succeeds(flags, { cwd });
    const components = [
      { component: 'base', state: 'ready' },
      { component: 'web', state: 'ready' },
    ];
    expect(JSON.parse(stdout)).toMatchObject({ namespace, attempt: 1, components });
    expect(await jobEnd()).toContain('Complete CompletionsReached');
    await kubectl('get', 'cronjob', 'solpack-repair', '-n', 'solpack-repair');
    await kubectl('delete', 'namespace', 'solpack-repair');
  });
});

describe('the loader that ends before it is done', () => {
  nodeTest('is ended with its Pod, gives up what it holds, and goes on in the next Pod, from a volume', async () => {
    await node().run('kubectl', ['apply', '-f', '-'], { input: claimOf('archives', namespace, archives) });
    await loadFrom(['--archives-from', 'claim:archives', ...trusted], slow(archive, 9));
    const pod = await untilWaiting();
    await node().kubectl('delete', 'pod', pod, '-n', namespace, '--wait=false');
    expect((await untilTold('interrupted')).runner).toBe(pod);
    const { attempt, components } = await untilTold('ready');
    expect([attempt, components.map((one) => one.state)]).toEqual([2, ['ready', 'ready']]);
    expect(await jobEnd()).toContain('Complete CompletionsReached');
    expect(await node().kubectl('get', 'leases', '-n', 'solpack-system', '-o', 'name')).toBe('');
  });

  nodeTest('vanishes with all that runs beside it, which the next Pod tells, from a registry', async () => {
    serving.push(
      await node().serves(['serve', '--store', join(folder, 'store'), '--open-push', '--listen', store], { cwd }),
    );
    const reference = `${store}/edge/solution`;
    await node().succeeds(['push', 'archives/edge-1.0.0.iso', reference, '--quiet'], { cwd });
    await loadFrom([...trusted, '--allow-registry', reference], slow(`oci://${reference}:1.0.0`, 10));
    const pod = await untilWaiting();
    const pids = await node().ok('pgrep', ['-f', 'solpack (install -f /etc/solpack|settle)']);
    await node().ok('kill', ['-9', ...pids.trim().split('\n')]);
    await node().kubectl('delete', 'pod', pod, '-n', namespace, '--grace-period=0', '--force');
    const reason = async (): Promise<string> => {
      const { data, attempt } = await told();
      return `${attempt} ${data['state']} ${data['reason']}`;
    };
    await eventually(reason).toContain(`2 running ${pod} ended without a report during: wait Deployment edge/web`);
    await untilTold('ready');
    expect(await jobEnd()).toContain('Complete CompletionsReached');
  });

  nodeTest('has too little memory, and is told of as killed for that', async () => {
    await loadFrom(['--archives-from', archives, ...trusted], slow(archive, 11), '48Mi');
    expect((await untilTold('interrupted')).data['reason']).toBe(
      'its container was killed (OOMKilled), and ended with 137',
    );
  });
});

describe('the loader that cannot install', () => {
  const refusals: readonly (readonly [string, string, string, readonly string[], Readonly<Record<string, string>>])[] =
    [
      [
        'the archive of what is installed is missing',
        'archive-gone',
        '/archives/none.iso',
        trusted,
        configuration('/archives/none.iso'),
      ],
      [
        'nobody who counts has signed it',
        'not-trusted',
        'edge-1.0.0.iso',
        ['--key', '/etc/solpack/other.pub'],
        configuration(archive),
      ],
      [
        'its policy is none',
        'policy-invalid',
        'trust.toml',
        [],
        { ...configuration(archive), 'trust.toml': 'no policy' },
      ],
    ];
  for (const [what, code, subject, flags, parameters] of refusals) {
    nodeTest(`tells so, and is not tried again, where ${what}`, async () => {
      await load(parameters, ...flags);
      const { data, attempt } = await untilTold('failed');
      expect([data['code'], attempt]).toEqual([code, 1]);
      expect(data['reason']).toContain(subject);
      expect(await jobEnd()).toContain('Failed PodFailurePolicy');
    });
  }
});

describe('the repair', () => {
  nodeTest('puts back what drifted by the rights that are printed alone', async () => {
    await node().kubectl('apply', '-f', await manifests('repair', '--key', '/etc/solpack/release.pub'));
    await node().kubectl(
      ...['create', 'configmap', 'solpack-settings', '-n', 'solpack-repair'],
      `--from-file=release.pub=${join(folder, 'release.pub')}`,
    );
    await node().kubectl(
      'patch',
      'configmap',
      'web',
      '-n',
      'edge',
      '--type=merge',
      '-p',
      '{"data":{"greeting":"by hand"}}',
    );
    await node().kubectl('delete', 'deployment', 'web', '-n', 'edge');
    // As its schedule does.
    const space = ['-n', 'solpack-repair'];
    await node().kubectl('create', 'job', 'now', '--from=cronjob/solpack-repair', ...space);
    const ended = await node().run('kubectl', [
      'wait',
      '--for=condition=Complete',
      'job/now',
      '--timeout=90s',
      ...space,
    ]);
    const log = await node().kubectl('logs', 'job/now', ...space);
    expect([ended.code, log]).toEqual([0, expect.stringContaining('2 repaired')]);
    const { data } = await node().get<{ data: object }>('configmap', 'web', '-n', 'edge');
    expect(data).toEqual({ greeting: 'ahoy', length: '13' });
    await node().kubectl('get', 'deployment', 'web', '-n', 'edge');
  });
});

/** The folder of what containerd knows of networks of Pods. */
async function networkFolder(): Promise<string> {
  const line = await node().ok('grep', ['-rhoE', '^conf_dir = ".*"', node().state, '--include=*.toml']);
  return JSON.parse(line.trim().split(' = ')[1]!);
}
