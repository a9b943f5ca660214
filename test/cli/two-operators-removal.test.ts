import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { succeeds } from '../support/cli.ts';
import { sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';
import { type Content, clusterContent, differences, historyOf } from '../support/killed/content.ts';
import { ending, onHost, twoHostsTest } from '../support/killed/hosts.ts';
import { type Beginning, beginning } from '../support/killed/killing.ts';
import { configure, packShop, type Version, versions } from '../support/killed/shop.ts';
import { dockerRegistry } from '../support/registry.ts';

// Two operators at one configuration of two Solutions. In the end there has to be what the two commands give in one
// order or in the other one, or what one of them gives alone, where the other one was refused.

const folder = scratch('two-operators-removal');
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);

/** All that the cluster has, records and Leases too, by the Solutions of the newest generation. */
const alone = new Map<string, Content>();

beforeAll(async () => {
  for (const name of ['shop', 'cafe']) await packShop(folder, name);
  for (const version of versions) configure(folder, 'edge', ['shop', 'cafe'], version);
});

let address = '';

function install(host: string, version: Version): readonly string[] {
  return [
    ...['install', '-f', `edge-${version}.yaml`, '--key', 'k.pub', '--trust-state', `state-${host}`],
    ...['--hosts-dir', join(folder, `certs-${host}`), '--registry', address, ...own()],
  ];
}

const own = (): readonly string[] => ['--kubeconfig', plane().kubeconfig, '--timeout', '30s'];
const uninstall = (name: string): readonly string[] => ['uninstall', name, ...own()];
const repair = (): readonly string[] => ['repair', 'edge', ...own()];

const on = (host: string, args: readonly string[]): Promise<string> =>
  beginning([...args, '--progress', 'lines'], folder, {}, onHost(host)).ended.then(ending);

/** Begins a command that has read and tried all that decides what it does, and halts before its first change. */
async function decided(args: readonly string[], step = 'check'): Promise<Beginning> {
  const command = beginning([...args, '--progress', 'json'], folder, { SOLPACK_TEST_HALT: `${step} 1` });
  await command.halts();
  return command;
}

/**
 * Returns what the newest generation says that is there, after a look at whether the cluster has that, no more and no
 * less.
 */
async function whole(): Promise<string> {
  const all = await historyOf(plane().kubeconfig, 'edge');
  const names = all[0]!.solutions.map(({ name, version }) => `${name} ${version}`).join(', ');
  // How often something was rendered, and after what, is remembered with it.
  const found = Object.fromEntries(
    Object.entries(await clusterContent(plane())).map(([name, text]) => [
      name,
      / solpack-system\/record-/.test(name) ? 'a record' : text,
    ]),
  );
  if (!alone.has(names)) alone.set(names, found);
  expect([names, all[0]!.state, differences(found, alone.get(names)!)]).toEqual([names, 'ready', []]);
  return names;
}

async function installed(version: Version): Promise<void> {
  await succeeds([...install('a', version), '--quiet'], { cwd: folder });
}

async function returning(version: Version): Promise<readonly string[]> {
  const all = await historyOf(plane().kubeconfig, 'edge');
  const to = all.find(
    ({ state, solutions }) => state === 'ready' && solutions.length === 2 && solutions[0]!.version === version,
  );
  return ['rollback', String(to!.number), '--name', 'edge', ...own()];
}

const both = (version: Version): string => `cafe ${version}, shop ${version}`;

/** Does all commands alone, each where it begins in the tests. */
async function doneAlone(): Promise<void> {
  await installed('1.0.0');
  for (const [version, name] of [
    ['2.0.0', 'cafe'],
    ['1.0.0', 'shop'],
  ] as const) {
    await installed(version);
    await whole();
    await succeeds([...uninstall(name), '--quiet'], { cwd: folder });
    await whole();
  }
  await succeeds([...uninstall('edge'), '--quiet'], { cwd: folder });
  await whole();
}

function hostsTest(name: string, work: () => Promise<void>): void {
  twoHostsTest(name, async () => {
    address = (await registry()).url;
    if (alone.size === 0) await doneAlone();
    await installed('1.0.0');
    return work();
  });
}

const fair = ['done', 'configuration-busy', 'generation-unfinished'];

describe('two operators on two hosts, one of whom removes', () => {
  hostsTest('all while the other one installs get one after the other', async () => {
    const ended = await Promise.all([on('a', install('a', '2.0.0')), on('b', uninstall('edge'))]);
    expect([ended, ended.every((one) => fair.includes(one)), ended.includes('done')]).toEqual([ended, true, true]);
    expect([both('2.0.0'), '']).toContain(await whole());
  });

  hostsTest('all after the other one has decided what to change get all again', async () => {
    const first = await decided(install('a', '2.0.0'));
    expect(await on('b', uninstall('edge'))).toBe('done');
    first.goOn();
    expect(ending(await first.ended)).toBe('done');
    expect(await whole()).toBe(both('2.0.0'));
  });

  hostsTest('one Solution do not undo what the other one made of the rest meanwhile', async () => {
    const first = await decided(uninstall('cafe'));
    expect(await on('b', install('b', '2.0.0'))).toBe('done');
    first.goOn();
    const outcome = await first.ended;
    expect([ending(outcome), outcome.stderr]).toEqual(['configuration-busy', expect.stringMatching(/generation \d+/)]);
    expect(await whole()).toBe(both('2.0.0'));
    expect(await on('a', uninstall('cafe'))).toBe('done');
    expect(await whole()).toBe('shop 2.0.0');
  });

  hostsTest('one Solution each do not bring back the other one', async () => {
    const first = await decided(uninstall('cafe'));
    expect(await on('b', uninstall('shop'))).toBe('done');
    first.goOn();
    expect(ending(await first.ended)).toBe('configuration-busy');
    expect(await whole()).toBe('cafe 1.0.0');
    expect(await on('a', uninstall('cafe'))).toBe('done');
    expect(await whole()).toBe('');
  });

  hostsTest('the same at the same moment both find it gone', async () => {
    const ended = await Promise.all([on('a', uninstall('edge')), on('b', uninstall('edge'))]);
    expect([ended, ended.every((one) => fair.includes(one)), ended.includes('done')]).toEqual([ended, true, true]);
    expect(await whole()).toBe('');
  });
});

describe('two operators on two hosts, one of whom installs', () => {
  hostsTest(
    'what is there already, while the other one installs something else, get one of both as a whole',
    async () => {
      const first = await decided(install('a', '1.0.0'));
      expect(await on('b', install('b', '2.0.0'))).toBe('done');
      first.goOn();
      expect(ending(await first.ended)).toBe('done');
      expect(await whole()).toBe(both('1.0.0'));
    },
  );
});

describe('two operators on two hosts, one of whom goes back', () => {
  hostsTest('to the generation before, while the other one installs, is told of the new one', async () => {
    await installed('2.0.0');
    const first = await decided(['rollback', '--name', 'edge', ...own()]);
    expect(await on('b', install('b', '1.0.0'))).toBe('done');
    first.goOn();
    expect(ending(await first.ended)).toBe('configuration-busy');
    expect(await whole()).toBe(both('1.0.0'));
  });

  hostsTest('while the other one repairs, get what was gone back to', async () => {
    await installed('2.0.0');
    await plane().kubectl('delete', '-n', 'shop', 'configmap/only-2.0.0', 'configmap/settings', 'secret/fixed');
    const back = await returning('1.0.0');
    const ended = await Promise.all([on('a', back), on('b', repair())]);
    expect([ended, fair.includes(ended[1]!)]).toEqual([['done', expect.anything()], true]);
    expect(await whole()).toBe(both('1.0.0'));
  });
});
