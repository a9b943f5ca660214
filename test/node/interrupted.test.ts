import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { HOME, PART_OF, setOf } from '../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { map, stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { scratch } from '../support/judges.ts';
import { apiServerOf } from '../support/node/apiserver.ts';
import type { Begun } from '../support/node/processes.ts';
import { definition, space } from '../support/node/requests.ts';
import { openShop, workload } from '../support/node/shops.ts';
import { lineOf, type Recipe, workshop } from '../support/node/solutions.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

const folder = scratch('interrupted');
const node = sharedNode();
const shops = workshop(folder, node);
const temporary = join(folder, 'tmp');
mkdirSync(temporary);
/** For commands that are killed: the folder in which they make theirs. */
const env = { TMPDIR: temporary };

/**
 * A Solution that replaces, adds and removes objects from version to version, in components that wait for each other.
 */
function recipe(name: string, version: '1.0.0' | '2.0.0'): Recipe {
  const page = { container: { env: [{ name: 'VERSION', value: version }] } };
  const kind = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const own = (place: string, value: string = version): KubernetesObject => map(`${name}/${place}`, value);
  return {
    name,
    version,
    parts: [
      { name: 'base', objects: [space(name), definition(`${name}s`, kind), own('settings'), own(`only-${version}`)] },
      {
        name: 'web',
        after: ['base'],
        objects: [
          stated('example.com/v1', kind, `${name}/custom`, { spec: {} }),
          workload(`${name}/web`, page),
          own('same', 'always'),
        ],
      },
      { name: 'late', after: ['web'], objects: [own('late'), own(`late-${version}`)] },
    ],
  };
}

interface Listed {
  readonly items: readonly {
    readonly kind: string;
    readonly spec?: unknown;
    readonly data?: unknown;
    readonly metadata: { name: string; namespace?: string; labels?: object; resourceVersion: string };
  }[];
}

/** All that a Solution has in the cluster, and its inventory; `tell` says what counts of an object. */
async function seen(
  name: string,
  tell: (object: Listed['items'][number]) => unknown,
): Promise<Record<string, unknown>> {
  const kinds = ['namespaces', 'configmaps', 'deployments', 'crd'];
  const lists = await Promise.all([
    node().get<Listed>(kinds.join(), '-A', '-l', `${PART_OF}=${setOf(name)}`),
    node().get<Listed>(`${name}s.example.com`, '-A'),
    node().get<Listed>('configmaps', '-n', HOME, `--field-selector=metadata.name=solution-${name}`),
  ]);
  const all = lists.flatMap(({ items }) => items);
  return Object.fromEntries(
    all.map((one) => [`${one.kind} ${one.metadata.namespace ?? ''}/${one.metadata.name}`, tell(one)]),
  );
}

const content = (name: string): Promise<Record<string, unknown>> =>
  seen(name, ({ spec, data, metadata: { labels } }) => ({ spec, data, labels }));
const versions = (name: string): Promise<Record<string, unknown>> =>
  seen(name, ({ metadata }) => metadata.resourceVersion);

const leases = (): Promise<string> => node().kubectl('get', 'leases', '-n', HOME, '-o', 'name');

/** Controllers find an API server that was away only after a while, up to a minute on a busy machine. */
const patient = ['--timeout', '5m'];

/** Begins an install and does something once, when it prints a line on stderr that `when` accepts. */
async function disturbed(
  one: Recipe,
  when: (line: string, count: number) => boolean,
  disturb: (begun: Begun) => unknown,
  ...more: readonly string[]
) {
  let count = 0;
  let done: Promise<unknown> | undefined;
  const onLine = (line: string, begun: Begun): void => {
    count += 1;
    if (done === undefined && when(line, count)) done = Promise.resolve(disturb(begun));
  };
  const outcome = await node().begins(await shops.args([one], ...more), { env, onLine }).ended;
  await done;
  return outcome;
}

const kill = (begun: Begun): void => begun.send('SIGKILL');
const has = (text: string) => (line: string) => line.includes(text);

/** A Solution whose only Pod is placed nowhere before the node has a label, and so is waited for until then. */
function waiting(name: string): Recipe {
  const pod = { nodeSelector: { [name]: 'may-run' } };
  return { name, version: '1.0.0', parts: [{ name: 'all', objects: [space(name), workload(`${name}/web`, { pod })] }] };
}
const release = (name: string): Promise<string> => node().kubectl('label', 'node', 'node', `${name}=may-run`);

describe('an install that was killed', () => {
  nodeTest(
    'is completed by the same command, whenever it was, and leaves nothing behind',
    async () => {
      const bystander = await openShop('bystander', shops, node());
      const before = await bystander.versions();
      const [one, two] = [recipe('killed', '1.0.0'), recipe('killed', '2.0.0')];
      await shops.installs(one);
      const older = await content('killed');
      const { stderr } = await node().begins(await shops.args([two]), { env }).ended;
      const newer = await content('killed');
      expect(Object.keys(older)).not.toEqual(Object.keys(newer));

      // Each line that tells of something else than the one before is a moment; until the check all are alike.
      const told = stderr.trimEnd().split('\n');
      const isNews = (line: string, index: number): boolean =>
        line.startsWith('apply ') || line.split(' ')[0] !== told[index - 1]?.split(' ')[0];
      const first = told.findIndex(has('check '));
      const moments = told.flatMap((line, index) => (index >= first && isNews(line, index) ? [index + 1] : []));
      expect(moments.length).toBeGreaterThanOrEqual(6);
      let target = one;
      let killed = 0;
      for (const at of moments) {
        const { code } = await disturbed(target, (_, count) => count === at, kill);
        if (code !== 0) killed += 1;
        const again = await node().begins(await shops.args([target]), { env }).ended;
        expect([at, again.code, again.stderr]).toEqual([at, 0, expect.not.stringContaining('was killed')]);
        expect([at, await content('killed')]).toEqual([at, target === one ? older : newer]);
        expect([at, readdirSync(temporary), await leases()]).toEqual([at, [], '']);
        target = target === one ? two : one;
      }
      // What comes last may be over before it is killed.
      expect(killed).toBeGreaterThanOrEqual(4);
      const last = target === one ? two : one;
      const settled = await versions('killed');
      expect(await shops.installs(last)).toContain('nothing changed');
      expect(await versions('killed')).toEqual(settled);
      expect(await bystander.versions()).toEqual(before);
      await bystander.stands();
    },
    600_000,
  );
});

describe('an install that is interrupted', () => {
  nodeTest('ends with 130 and one line, remembers what it brought, and is completed by the same command', async () => {
    const one = waiting('interrupted');
    const { code, stderr, stdout } = await disturbed(one, has('Deployment interrupted/web: '), (begun) =>
      begun.send('SIGINT'),
    );
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr.split('\n').filter((line) => line.startsWith('solpack: '))).toHaveLength(1);
    const { data } = await node().get<{ data: object }>('configmap', 'solution-interrupted', '-n', HOME);
    expect(data).toMatchObject({ solution: 'interrupted', state: 'applying', configuration: 'interrupted' });
    expect([readdirSync(temporary), await leases()]).toEqual([[], '']);
    await release('interrupted');
    await shops.installs(one);
    expect(await shops.installs(one)).toContain('nothing changed');
  });
});

describe('of two installs of one configuration at once', () => {
  nodeTest('the second one says which process is at it, and the first one ends well', async () => {
    const one = waiting('twice');
    let second: ReturnType<typeof shops.install> | undefined;
    const first = await disturbed(one, has('Deployment twice/web: '), async () => {
      second = shops.install(one);
      await second;
      await release('twice');
    });
    expect([first.code, first.stderr]).toEqual([0, expect.anything()]);
    expect(lineOf(await second!)).toMatch(
      /^solpack: configuration twice: process \d+ of \S+ has been applying it since \S+Z; wait until that has ended, or end it; then run the same command again \[configuration-busy\]$/,
    );
    expect(await shops.installs(one)).toContain('nothing changed');
  });

  nodeTest('both end well where the first one is done before long', async () => {
    const one = recipe('race', '1.0.0');
    await shops.installs(one);
    const outcomes = await Promise.all([1, 2, 3].map(() => shops.install(recipe('race', '2.0.0'))));
    const codes = outcomes.map(({ code, stderr }) => (stderr.includes('[configuration-busy]') ? 'busy' : code));
    expect([codes, outcomes.map(({ stderr }) => stderr)]).toEqual([expect.arrayContaining([0]), expect.anything()]);
    expect(codes.filter((code) => code !== 0 && code !== 'busy')).toEqual([]);
    expect(await shops.installs(recipe('race', '2.0.0'))).toContain('nothing changed');
    expect(await leases()).toBe('');
  });

  nodeTest('one on another machine is waited for until it has said nothing for ten seconds', async () => {
    await node().run('kubectl', ['create', 'namespace', HOME]);
    const spec = { holderIdentity: 'elsewhere/4711-1-00000000/ab', leaseDurationSeconds: 10 };
    const lease = stated('coordination.k8s.io/v1', 'Lease', `${HOME}/configuration-other`, { spec });
    await node().ok('kubectl', ['apply', '-f', '-'], { input: JSON.stringify(lease) });
    const other = { name: 'other', version: '1.0.0', parts: [{ name: 'all', objects: [space('other')] }] };
    const { code, stderr } = await shops.install(other);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('process 4711 of elsewhere is applying the configuration other, or was killed\n'),
    ]);
    expect(await leases()).toBe('');
  });

  nodeTest('the first one stops where another has taken over meanwhile', async () => {
    const one = waiting('lost');
    const taking = ['patch', 'lease', 'configuration-lost', '-n', HOME, '--type=merge', '-p'];
    const line = lineOf(
      await disturbed(one, has('Deployment lost/web: '), () =>
        node().kubectl(...taking, '{"spec":{"holderIdentity":"elsewhere/4711-1-00000000/ab"}}'),
      ),
    );
    expect(line).toBe(
      'solpack: configuration lost: process 4711 of elsewhere took over during this run; check that no other run is active, and run the same command again [configuration-busy]',
    );
    expect(await leases()).toBe('lease.coordination.k8s.io/configuration-lost\n');
    await node().kubectl('delete', 'lease', 'configuration-lost', '-n', HOME);
    await release('lost');
    await shops.installs(one);
  });
});

describe('an API server', () => {
  nodeTest(
    'that stops answering for some seconds does not end an install',
    async () => {
      const server = await apiServerOf(node());
      await shops.installs(recipe('stalled', '1.0.0'));
      const { code, stderr } = await disturbed(
        recipe('stalled', '2.0.0'),
        has('2.0.0, web'),
        async () => {
          await server.send('STOP');
          // Clock: the API server hangs for a while.
          await sleep(5_000);
          await server.send('CONT');
        },
        ...patient,
      );
      expect([code, stderr]).toEqual([0, expect.anything()]);
      expect(await shops.installs(recipe('stalled', '2.0.0'))).toContain('nothing changed');
    },
    600_000,
  );

  nodeTest(
    'that is killed and started again does not end an install',
    async () => {
      const server = await apiServerOf(node());
      await shops.installs(recipe('restarted', '1.0.0'));
      const { code, stderr } = await disturbed(
        recipe('restarted', '2.0.0'),
        has('2.0.0, web'),
        async () => {
          await server.kill();
          await server.start();
        },
        ...patient,
      );
      expect([code, stderr]).toEqual([0, expect.anything()]);
      expect(await shops.installs(recipe('restarted', '2.0.0'))).toContain('nothing changed');
    },
    600_000,
  );

  nodeTest(
    'that stays away ends an install in one line, which is completed when it is back',
    async () => {
      const server = await apiServerOf(node());
      await shops.installs(recipe('away', '1.0.0'));
      const line = lineOf(await disturbed(recipe('away', '2.0.0'), has('2.0.0, web'), server.kill, '--timeout', '20s'));
      expect(line).toMatch(
        /^solpack: https:\/\/127\.0\.0\.1:6443: the connection is refused; .*\[cluster-unreachable\]$/,
      );
      await server.start();
      await shops.installs(recipe('away', '2.0.0'), ...patient);
      expect(await shops.installs(recipe('away', '2.0.0'))).toContain('nothing changed');
      expect([readdirSync(temporary), await leases()]).toEqual([[], '']);
    },
    600_000,
  );
});
