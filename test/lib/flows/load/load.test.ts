import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseDocuments } from '../../../../formats/manifest/documents.ts';
import { isSemVer } from '../../../../formats/solution/names.ts';
import { type LoadRequest, load } from '../../../../lib/flows/load/index.ts';
import type { Event } from '../../../../lib/kernel/events/events.ts';
import { InstallSite } from '../../../support/install-site.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { configMap, flowIn, type Planted, plant, plugin } from '../../parts/components/support.ts';
import { kustomization, rememberingTarget, requestFor } from './support.ts';

const folder = scratch('load');
let count = 0;

/** A tree, a target beside it, and a flow that keeps its events. */
function prepared(files: Readonly<Record<string, Planted>>) {
  const home = join(folder, `${++count}`);
  const tree = plant(join(home, 'components.d'), files);
  const cluster = rememberingTarget(join(home, 'rendered'));
  return { home, tree, cluster, request: requestFor(tree, { cluster }), flow: flowIn(join(home, 'temp')) };
}

/** A plugin that leaves a mark of each call in the file `calls` beside the tree. */
function marking(name: string, run: string, version = 'echo v1'): Planted {
  return plugin(`echo 'run ${name}' >>../../calls\n${run}`, `echo 'version ${name}' >>../../calls\n${version}`);
}

const calls = (home: string): string[] => readFileSync(join(home, 'calls'), 'utf8').trim().split('\n');

afterEach(() => {
  vi.useRealTimers();
});

describe('load', () => {
  judged('brings the example up as one Solution, as kubectl builds it', ['kubectl'], async () => {
    const example = join(import.meta.dirname, '../../../../fixtures/components.d');
    const { cluster, flow } = prepared({});
    const variables = { MICROSHIFT_BASEDOMAIN: 'edge.example.com', MICROSHIFT_NODENAME: 'edge-1' };
    const result = await load(requestFor(example, { cluster, variables }), flow);
    expect(result).toMatchObject({
      name: 'components-d',
      folder: example,
      skipped: [],
      failure: undefined,
      components: [
        { name: 'base', folder: '010-base', kind: 'kustomize', state: 'loaded', objects: 2 },
        { name: 'settings', folder: '020-settings', kind: 'kustomize', state: 'loaded', objects: 1 },
        { name: 'motd', folder: '030-motd', kind: 'plugin', state: 'loaded', objects: 1 },
      ],
    });
    expect(result.files.map((file) => file.replace(/.*\//, ''))).toEqual([
      '010-base.yaml',
      '020-settings.yaml',
      '030-motd.yaml',
    ]);
    for (const [index, name] of ['010-base', '020-settings'].entries()) {
      const built = parseDocuments(await ok('kubectl', ['kustomize', join(example, name)]), name);
      expect(parseDocuments(readFileSync(result.files[index]!, 'utf8'), name)).toEqual(built);
    }
    expect(parseDocuments(readFileSync(result.files[2]!, 'utf8'), 'motd')).toMatchObject([
      { kind: 'ConfigMap', data: { domain: 'edge.example.com', node: 'edge-1', motd: 'Welcome to the edge.\n' } },
    ]);
    expect(flow.events).toContainEqual({ type: 'notice', message: '[030-motd] node edge-1' });
    const version = expect.stringMatching(/^0\.0\.0-sha256-[0-9a-f]{12}$/);
    expect(cluster.requests).toMatchObject([
      {
        configuration: 'load/components-d',
        solutions: [
          { name: 'components-d', version, root: undefined, components: [{ after: [], timeout: 60_000 }, {}, {}] },
        ],
        prune: true,
      },
    ]);
    expect(isSemVer(result.version)).toBe(true);
  });

  judged(
    'applies all at once, after every plugin was probed, and then every component rendered',
    ['kubectl'],
    async () => {
      const { cluster, home, request, flow } = prepared({
        '1-last/plugin': marking('last', 'cat map.yaml'),
        '1-last/map.yaml': configMap('last'),
        '005-first/plugin': marking('first', '[ ! -e ../../rendered ] || exit 1'),
        ...kustomization('010-middle', 'middle'),
        '05-second/plugin': marking('second', `[ ! -e ../../rendered ] && cat <<END\n${configMap('second')}END`),
      });
      const { components } = await load(request, flow);
      expect(calls(home)).toEqual([
        'version first',
        'version second',
        'version last',
        'run first',
        'run second',
        'run last',
      ]);
      expect(components.map(({ folder: entry, state }) => [entry, state])).toEqual([
        ['005-first', 'empty'],
        ['010-middle', 'loaded'],
        ['05-second', 'loaded'],
        ['1-last', 'loaded'],
      ]);
      expect(cluster.requests).toHaveLength(1);
      expect(cluster.requests[0]!.solutions[0]!.components.map(({ name }) => name)).toEqual([
        'first',
        'middle',
        'second',
        'last',
      ]);
    },
  );

  test.each([
    ['follows v3', 'echo v3', 'follows version v3 of the convention; this solpack knows v1, v2'],
    ['does not answer', 'exit 3', 'api-version ended with an internal error (code 3)'],
  ])('runs no plugin where one %s', async (_, version, message) => {
    const { home, request, flow, cluster } = prepared({
      '010-good/plugin': marking('good', 'true'),
      '020-bad/plugin': marking('bad', 'true', version),
      '030-more/plugin': marking('more', 'true'),
    });
    for (const keepGoing of [false, true]) {
      await expect(load({ ...request, keepGoing }, flow)).rejects.toMatchObject({
        code: 'plugin-failed',
        subject: '020-bad',
        message,
      });
      expect(calls(home)).toEqual(['version good', 'version bad']);
      rmSync(join(home, 'calls'));
    }
    expect(cluster.requests).toEqual([]);
  });

  test('applies nothing where a component fails, not even what it printed before', async () => {
    for (const [code, error] of [
      [1, 'plugin-unmet'],
      [2, 'plugin-misconfigured'],
      [3, 'plugin-failed'],
    ] as const) {
      const { request, flow, cluster, home } = prepared({
        '010-a/plugin': marking('a', `cat map.yaml; echo 'no disk' >&2; exit ${code}`),
        '010-a/map.yaml': configMap('a'),
        '020-b/plugin': marking('b', 'true'),
      });
      await expect(load(request, flow)).rejects.toMatchObject({
        code: error,
        subject: '010-a',
        message: expect.stringMatching(/: no disk$/),
      });
      expect(calls(home)).toEqual(['version a', 'version b', 'run a']);
      expect([cluster.requests, existsSync(join(home, 'rendered'))]).toEqual([[], false]);
    }
  });

  test('goes on with the others where that is asked for, removes nothing, and tells the failure at last', async () => {
    const { request, flow, cluster } = prepared({
      '010-a/plugin': plugin('cat map.yaml; exit 1'),
      '010-a/map.yaml': configMap('a'),
      '020-b/plugin': plugin('cat map.yaml'),
      '020-b/map.yaml': configMap('b'),
      '030-c/kustomization.yaml': 'resources: [absent.yaml]\n',
    });
    const result = await load({ ...request, keepGoing: true }, flow);
    expect(result.failure).toMatchObject({ code: 'plugin-unmet', subject: '010-a' });
    expect(result.components).toMatchObject([
      { name: 'a', state: 'failed', objects: 0, reason: expect.stringContaining('(code 1)') },
      { name: 'b', state: 'loaded', objects: 1 },
      { name: 'c', state: 'failed', reason: expect.stringContaining('absent.yaml') },
    ]);
    expect(result.components[1]).not.toHaveProperty('reason');
    expect(cluster.requests).toMatchObject([{ prune: false, solutions: [{ components: [{ name: 'b' }] }] }]);
    const notices = flow.events.filter((event) => event.type === 'notice').map(({ subject }) => subject);
    expect(notices).toEqual(['010-a', '030-c']);
  });

  test('does not go on where a configuration is wrong, or everything fails', async () => {
    const wrong = prepared({ '010-a/plugin': marking('a', 'exit 2'), '020-b/plugin': marking('b', 'true') });
    await expect(load({ ...wrong.request, keepGoing: true }, wrong.flow)).rejects.toMatchObject({
      code: 'plugin-misconfigured',
    });
    expect(calls(wrong.home)).toEqual(['version a', 'version b', 'run a']);
    const all = prepared({ '010-a/plugin': plugin('exit 1'), '020-b/plugin': plugin('exit 3') });
    await expect(load({ ...all.request, keepGoing: true }, all.flow)).rejects.toMatchObject({ code: 'plugin-unmet' });
    expect([wrong.cluster.requests, all.cluster.requests]).toEqual([[], []]);
  });

  test('makes the same version of the same objects, and another of others', async () => {
    const { request, flow, tree } = prepared({
      '010-a/plugin': plugin('cat map.yaml'),
      '010-a/map.yaml': configMap('a'),
    });
    const { version } = await load(request, flow);
    plant(tree, { '010-a/more.txt': 'not printed' });
    expect((await load(request, flow)).version).toBe(version);
    plant(tree, { '010-a/map.yaml': configMap('a', 'other') });
    expect((await load(request, flow)).version).not.toBe(version);
  });

  test('replaces what an earlier load wrote, under the name that is given', async () => {
    const { request, flow, tree, home } = prepared({ ...kustomization('010-a', 'a'), ...kustomization('020-b', 'b') });
    await load({ ...request, name: 'edge' }, flow);
    rmSync(join(tree, '010-a'), { recursive: true });
    expect(await load({ ...request, name: 'edge' }, flow)).toMatchObject({ name: 'edge' });
    expect(readdirSync(join(home, 'rendered/edge'))).toEqual(['010-b.yaml']);
  });

  test('removes nothing because a folder of a component is empty, as one is whose disk is not mounted', async () => {
    const { request, flow, tree } = prepared({ ...kustomization('010-a', 'a'), ...kustomization('020-b', 'b') });
    const site = new InstallSite(folder);
    const again = (more: Partial<LoadRequest> = {}): ReturnType<typeof load> =>
      load({ ...request, cluster: site.target(), ...more }, flow);
    const maps = (): unknown[] =>
      site.memory.objects().flatMap(({ kind, metadata }) => (kind === 'ConfigMap' ? [metadata.name] : []));
    await again();
    for (const name of ['kustomization.yaml', 'map.yaml']) rmSync(join(tree, '010-a', name));
    for (const left of ['nothing', 'lost+found']) {
      if (left !== 'nothing') mkdirSync(join(tree, '010-a', left));
      await expect(again()).rejects.toMatchObject({
        code: 'component-invalid',
        subject: join(tree, '010-a'),
        message: 'is empty, and an earlier load may have applied it',
      });
      expect(maps()).toEqual(expect.arrayContaining(['a', 'b']));
    }
    await again({ allowEmpty: true });
    expect(maps()).not.toContain('a');
  });

  test('refuses a folder without components, unless it is reported that this is meant', async () => {
    const { request, flow, cluster } = prepared({ 'README.md': '' });
    await expect(load(request, flow)).rejects.toMatchObject({
      code: 'component-invalid',
      message: 'holds no component',
      hint: expect.stringContaining('--allow-empty'),
    });
    expect(cluster.requests).toEqual([]);
    expect(await load({ ...request, allowEmpty: true }, flow)).toMatchObject({
      components: [],
      skipped: ['README.md'],
    });
    expect(cluster.requests).toMatchObject([{ prune: true, solutions: [{ components: [] }] }]);
  });

  test('refuses variables that plugins do not have before it reads anything', async () => {
    const { request, flow } = prepared({});
    const variables = { SOLUTION_NAME: 'x' };
    await expect(load({ ...request, folders: ['/nowhere'], variables }, flow)).rejects.toMatchObject({
      code: 'usage-invalid',
      subject: 'SOLUTION_NAME',
    });
  });

  test('asks the cluster before it runs anything', async () => {
    const { request, flow, home, cluster } = prepared({ '010-a/plugin': marking('a', 'true') });
    const facts = (): Promise<never> => Promise.reject(new Error('nobody there'));
    await expect(load({ ...request, cluster: { ...cluster, facts } }, flow)).rejects.toThrow('nobody there');
    expect(existsSync(join(home, 'calls'))).toBe(false);
  });
});

describe('what leads out of the tree', () => {
  test('is not run', async () => {
    const { request, flow, home } = prepared({
      '../elsewhere/plugin': marking('elsewhere', 'true'),
      '010-a/plugin': { link: '../../elsewhere/plugin' },
    });
    await expect(load(request, flow)).rejects.toMatchObject({ code: 'path-escapes', subject: '010-a' });
    expect(existsSync(join(home, 'calls'))).toBe(false);
  });

  test('is not built', async () => {
    const { request, flow } = prepared({
      ...kustomization('../outside', 'outside'),
      '010-a/kustomization.yaml': 'resources: [../../outside]\n',
    });
    await expect(load(request, flow)).rejects.toMatchObject({ code: 'path-escapes' });
  });

  judged('is not what lies beside a component', ['kubectl'], async () => {
    const { request, flow } = prepared({
      ...kustomization('.base', 'base'),
      '010-a/kustomization.yaml': 'resources: [../.base]\nnamePrefix: a-\n',
      '020-b/kustomization.yaml': 'resources: [../.base]\nnamePrefix: b-\n',
    });
    expect((await load(request, flow)).components).toMatchObject([{ objects: 1 }, { objects: 1 }]);
  });
});

describe('a plugin whose precondition is unmet', () => {
  /** Ends well in its third run. */
  const slow = 'echo >>tries; [ "$(wc -l <tries)" -ge 3 ] || { echo "not yet" >&2; exit 1; }; cat map.yaml';

  /** Loads, and lets the time of each wait pass at once; returns the milliseconds that were waited. */
  async function waiting(retryFor: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { request, flow } = prepared({ '010-a/plugin': plugin(slow), '010-a/map.yaml': configMap('a') });
    // Clock: it is a fake one.
    const begun = performance.now();
    const onEvent = (event: Event): void => {
      if (event.type !== 'notice' || !event.message.endsWith('run again in 5 s')) return;
      setImmediate(() => vi.advanceTimersByTime(5_000));
    };
    const outcome = await load({ ...request, retryFor }, { ...flow, onEvent }).catch((error: unknown) => error);
    // Clock: it is a fake one.
    return { outcome, waited: performance.now() - begun };
  }

  test('is run again every 5 s until it is met', async () => {
    expect(await waiting(10_000)).toMatchObject({ outcome: { components: [{ state: 'loaded' }] }, waited: 10_000 });
  });

  test('fails once its time is over, which is at once where none is given', async () => {
    const unmet = { code: 'plugin-unmet', message: expect.stringContaining('not yet') };
    expect(await waiting(9_999)).toMatchObject({ outcome: unmet, waited: 5_000 });
    expect(await waiting(0)).toMatchObject({ outcome: unmet, waited: 0 });
  });

  test('is no longer waited for when the load is told to stop', async () => {
    const { request, flow } = prepared({ '010-a/plugin': plugin('exit 1') });
    const stop = new AbortController();
    const onEvent = (event: Event): void => {
      if (event.type === 'notice') setImmediate(() => stop.abort(new Error('stop')));
    };
    const stopped = load({ ...request, retryFor: 3_600_000 }, { ...flow, signal: stop.signal, onEvent });
    await expect(stopped).rejects.toThrow('stop');
  });

  test('is the only failure that is tried again', async () => {
    for (const code of [2, 3, 127]) {
      const { request, flow, home } = prepared({ '010-a/plugin': marking('a', `exit ${code}`) });
      await expect(load({ ...request, retryFor: 3_600_000 }, flow)).rejects.toThrow(`(code ${code})`);
      expect(calls(home)).toEqual(['version a', 'run a']);
    }
  });
});
