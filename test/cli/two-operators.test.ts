import { beforeAll, describe, expect } from 'vitest';
import { succeeds } from '../support/cli.ts';
import { sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';
import { type Content, clusterContent, differences, historyOf, withoutRecords } from '../support/killed/content.ts';
import { ending, onHost, twoHostsTest } from '../support/killed/hosts.ts';
import { type Beginning, beginning, momentsOf } from '../support/killed/killing.ts';
import { installing, type Stage } from '../support/killed/scenes.ts';
import { configure, packShop, type Version, versions } from '../support/killed/shop.ts';
import { dockerRegistry } from '../support/registry.ts';
import { sampled } from '../support/sample.ts';

const folder = scratch('two-operators');
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);

let stage: Stage;
/** What the Solution has in each version, installed by one operator alone. */
const alone = new Map<Version, Content>();

beforeAll(async () => {
  await packShop(folder);
  for (const version of versions) configure(folder, 'other', 'shop', version);
});

/** Begins a command on a host of its own. */
function on(host: string, args: readonly string[]): Beginning {
  return beginning([...args, '--progress', 'lines'], folder, {}, onHost(host));
}

/** The arguments of an install on a host, which has its own memory and mirrors. */
function install(host: string, version: Version, configuration = 'edge'): readonly string[] {
  const own: Readonly<Record<string, string>> = {
    [`edge-${version}.yaml`]: `${configuration}-${version}.yaml`,
    state: `state-${host}`,
    'certs.d': `certs-${host}`,
  };
  return installing(stage, version).map((word) => own[word] ?? word);
}

const rollback = async (version: Version): Promise<readonly string[]> => {
  const { kubeconfig } = plane();
  const all = await historyOf(kubeconfig, 'edge');
  const of = all.find(({ state, solutions }) => state === 'ready' && solutions[0]?.version === version)!;
  return ['rollback', String(of.number), '--name', 'edge', '--kubeconfig', kubeconfig, '--timeout', '30s'];
};

const content = async (): Promise<Content> => withoutRecords(await clusterContent(plane()));

/** Expects that one version is there as a whole, and that the history says which; returns it. */
async function whole(): Promise<string> {
  const all = await historyOf(plane().kubeconfig, 'edge');
  expect(all.map(({ state }) => state)).not.toContain('applying');
  const newest = all[0]!;
  const version = newest.solutions[0]!.version as Version;
  expect([newest.state, differences(await content(), alone.get(version)!)]).toEqual(['ready', []]);
  return version;
}

/** A test that has each version installed once, alone. */
function hostsTest(name: string, work: () => Promise<void>): void {
  twoHostsTest(name, async () => {
    stage ??= { folder, plane: plane(), registry: await registry() };
    if (alone.size === 0) {
      // What a new cluster lacks comes first: kinds stay.
      for (const version of [...versions, ...versions]) {
        await succeeds([...install('a', version), '--quiet'], { cwd: folder });
        alone.set(version, await content());
      }
    }
    return work();
  });
}

describe('two operators on two hosts', () => {
  hostsTest('that install two versions at once get one after the other, or one is reported who is at it', async () => {
    const first = on('a', install('a', '1.0.0'));
    await first.says(/^apply /m);
    const second = on('b', install('b', '2.0.0'));
    const ended = [ending(await first.ended), ending(await second.ended)];
    expect([ended[0], ['done', 'configuration-busy'].includes(ended[1]!)]).toEqual(['done', true]);
    expect(await whole()).toBe(ended[1] === 'done' ? '2.0.0' : '1.0.0');
  });

  hostsTest('that install and go back at the same moment never leave a half of each', async () => {
    await succeeds([...install('a', '2.0.0'), '--quiet'], { cwd: folder });
    const back = await rollback('1.0.0');
    const outcomes = await Promise.all([on('a', back).ended, on('b', install('b', '2.0.0')).ended]);
    const ended = outcomes.map(ending);
    expect([ended, ended.every((one) => ['done', 'configuration-busy'].includes(one))]).toEqual([
      expect.anything(),
      true,
    ]);
    expect(ended).toContain('done');
    await whole();
  });

  hostsTest('are reported where one claims with another configuration what the other one has', async () => {
    await succeeds([...install('a', '1.0.0'), '--quiet'], { cwd: folder });
    const outcome = await on('b', install('b', '2.0.0', 'other')).ended;
    expect(ending(outcome)).toBe('object-conflict');
    expect(outcome.stderr).toMatch(/configuration edge/);
    expect(await whole()).toBe('1.0.0');
  });

  hostsTest('one of which hangs for longer than a Lease lasts do not undo each other', async () => {
    await succeeds([...install('a', '1.0.0'), '--quiet'], { cwd: folder });
    const back = await rollback('1.0.0');
    const { moments } = await momentsOf(install('a', '2.0.0'), folder);
    await succeeds(back, { cwd: folder });
    const applied = moments.findIndex((moment) => moment.includes('configmaps/solution-shop'));
    const replaced = moments.findIndex((moment) => moment.includes('"replace"'));
    for (const at of sampled([applied, replaced], 1)) {
      const moment = moments[at]!;
      const halt = { SOLPACK_TEST_HALT: moment };
      const hanging = beginning([...install('a', '2.0.0'), '--progress', 'json'], folder, halt);
      await hanging.halts();
      expect([moment, ending(await on('b', back).ended)]).toEqual([moment, 'done']);
      expect(await whole()).toBe('1.0.0');
      hanging.goOn();
      expect([moment, ending(await hanging.ended)]).toEqual([moment, 'configuration-busy']);
      expect(await whole()).toBe('1.0.0');
    }
  });

  hostsTest('of which one is killed do not wait for long', async () => {
    await succeeds([...install('a', '1.0.0'), '--quiet'], { cwd: folder });
    const moment = { SOLPACK_TEST_KILL: 'step 12' };
    const first = beginning([...install('a', '2.0.0'), '--progress', 'json'], folder, moment, onHost('a'));
    expect((await first.ended).code).toBe(137);
    expect((await historyOf(plane().kubeconfig, 'edge'))[0]!.state).toMatch(/applying|interrupted/);
    const second = await on('b', install('b', '2.0.0')).ended;
    expect([ending(second), second.stderr]).toEqual(['done', expect.anything()]);
    expect(await whole()).toBe('2.0.0');
    expect((await historyOf(plane().kubeconfig, 'edge'))[1]).toMatchObject({ state: 'interrupted', host: 'a' });
  });
});
