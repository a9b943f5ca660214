import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Digest } from '../../formats/digest.ts';
import { heal } from '../../lib/flows/agent/bring.ts';
import type { Trusting } from '../../lib/flows/install/trusting.ts';
import { repair } from '../../lib/flows/repair/index.ts';
import { rollback } from '../../lib/flows/rollback/index.ts';
import { uninstall } from '../../lib/flows/uninstall/index.ts';
import { SolpackError } from '../../lib/kernel/events/errors.ts';
import type { Flow } from '../../lib/kernel/events/flow.ts';
import { loadPolicy, loadPrivateKey, noMemory } from '../../lib/parts/trust/index.ts';
import type { ReturnTrust } from '../../lib/shared/solutions/trusted/permit.ts';
import { writeFiles } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import { InstallSite } from '../support/install-site.ts';
import { scratch } from '../support/judges.ts';
import { makeKey, type TestKey, writePolicy } from '../support/policies.ts';
import { rowOf } from './table.ts';

const folder = scratch('attacks-going-back');
/** By which key each version is signed. */
const signed = { '1.0.0': 'old', '2.0.0': 'new', '3.0.0': 'new' } as const;
type Version = keyof typeof signed;
const keys: Record<string, TestKey> = {};
const roots: Record<string, Digest> = {};

/** Its version is that of a map; the workload of the last one never comes up. */
const manifest = (version: Version): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: default}
data: {version: "${version}"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${version === '3.0.0' ? 'never' : 'web'}, namespace: default}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example.com/web:1"}]}
`;

beforeAll(async () => {
  for (const one of ['empty', 'source']) mkdirSync(join(folder, one));
  for (const name of ['old', 'new']) keys[name] = makeKey(folder, name);
  for (const [version, key] of Object.entries(signed)) {
    writeFiles(join(folder, 'source'), {
      'solution.toml': `name = "shop"\nversion = "${version}"\nexternal-images = ["registry.example.com/web"]
sequence = ${version[0]}\n[[components]]\nname = "web"\nkind = "manifests"\npath = "map.yaml"\n`,
      'map.yaml': manifest(version as Version),
    });
    const sign = await loadPrivateKey(join(folder, `${key}.key`));
    const packed = await packHere(join(folder, 'source/solution.toml'), join(folder, `shop-${version}.iso`), { sign });
    roots[version] = packed.root;
  }
  writeFiles(join(folder, 'source'), {
    'solution.toml':
      'name = "other"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "manifests"\npath = "other.yaml"\n',
    'other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: default}\n',
  });
  const sign = await loadPrivateKey(join(folder, 'new.key'));
  await packHere(join(folder, 'source/solution.toml'), join(folder, 'other.iso'), { sign });
});

/** A policy that both keys may sign by, changed by `more`. */
async function trusting(more: Readonly<Record<string, unknown>> = {}): Promise<Trusting> {
  const path = writePolicy(join(folder, 'trust.json'), Object.values(keys), more);
  const basis = { policy: await loadPolicy(path), clock: Math.floor(Date.now() / 1000), memory: noMemory };
  return { basis, state: join(folder, 'state'), allowDowngrade: true };
}

const denied = (): Record<string, unknown> => ({ deny: [roots['1.0.0']] });
/** A policy by which the key of the first version is another one than it was. */
const oldIs = (more: object): Record<string, unknown> => ({
  keys: Object.entries(keys).map(([name, { id, pem }]) => ({ id, pem, ...(name === 'old' ? more : {}) })),
});
const rule = (more: object): Record<string, unknown> => ({
  policies: [{ match: '*', keys: Object.values(keys).map(({ id }) => id), ...more }],
});
const LONG_AGO = '2001-01-01T00:00:00Z';

/** A cluster in which these versions were installed, the last one last. */
async function having(...versions: readonly Version[]): Promise<InstallSite> {
  const site = new InstallSite(folder, ['never']);
  for (const version of versions) {
    const document = `solutions: [{name: shop, archives: ["shop-${version}.iso"]}]\n`;
    expect(await site.installs(document, 'run', { trust: await trusting() })).toBeUndefined();
  }
  return site;
}

let second: Promise<InstallSite> | undefined;
/** The cluster of all tests that go back to the first version. */
const upgraded = (): Promise<InstallSite> => (second ??= having('1.0.0', '2.0.0'));

async function ending(work: () => Promise<unknown>): Promise<SolpackError | undefined> {
  return work().then(
    () => undefined,
    (error) => {
      if (error instanceof SolpackError) return error;
      throw error;
    },
  );
}

/** Expects that an attack has ended as its row says, and that the error tells it. */
function expectRefusal(attack: string, error: SolpackError | undefined): void {
  const { codes, exit } = rowOf(attack);
  expect(error).toMatchObject({ code: 'not-trusted', exit });
  for (const code of codes) expect(error?.message).toContain(`(${code})`);
  expect(error?.hint).toMatch(/^install a release that/);
}

function back(site: InstallSite, trust: ReturnTrust | undefined, flow: Flow = testFlow()): Promise<unknown> {
  const newest = { configuration: undefined, generation: undefined };
  const request = { ...newest, allowMissingImages: false, keepGenerations: 10, registries: {} };
  return rollback({ ...request, cluster: site.target(), trust }, flow);
}

async function rollsBack(site: InstallSite, more: Readonly<Record<string, unknown>>): Promise<unknown> {
  return back(site, await trusting(more));
}

/** The notices of some work. */
async function toldBy(work: (flow: Flow) => Promise<unknown>): Promise<string[]> {
  const flow = testFlow();
  await work(flow);
  return flow.events.flatMap((event) => (event.type === 'notice' ? [`${event.subject}: ${event.message}`] : []));
}

async function repairs(site: InstallSite, more: Readonly<Record<string, unknown>>): Promise<unknown> {
  const request = { cluster: site.target(), name: undefined, configuration: undefined };
  return repair({ ...request, trust: () => trusting(more) }, testFlow());
}

async function heals(site: InstallSite, more: Readonly<Record<string, unknown>>): Promise<unknown> {
  await using target = site.target();
  return await heal('default', target, { trust: () => trusting(more) }, testFlow());
}

const drift = (site: InstallSite): void => {
  site.memory.drop({ apiVersion: 'v1', kind: 'ConfigMap', name: 'web', namespace: 'default' });
  site.memory.rest();
};

test('a medium that somebody has emptied removes nothing of what it brought', async () => {
  const { codes, exit } = rowOf('a medium that somebody has emptied');
  const site = new InstallSite(folder);
  await site.installs('solutions: [{name: shop, archives: ["shop-1.0.0.iso"]}]\n');
  for (const entry of ['empty', 'empty/*.iso']) {
    const error = await site.installs(`solutions: [{name: shop, archives: ["${entry}"]}]\n`);
    expect(codes).toContain(error?.code);
    expect(error?.exit).toBe(exit);
  }
  expect(site.versions()).toEqual({ default: '1.0.0' });
});

test('a configuration that is cut before what is active removes nothing', async () => {
  const { codes, exit } = rowOf('a configuration that somebody has cut before what is active');
  const site = new InstallSite(folder);
  await site.installs('solutions: [{name: shop, archives: ["shop-1.0.0.iso"]}]\n');
  const whole = 'archives: [shop-1.0.0.iso]\nactive: {shop: "1.0.0"}\n';
  for (const length of [0, whole.indexOf('active'), whole.indexOf(' {')]) {
    const error = await site.installs(`${whole.slice(0, length)}\n`);
    expect(codes).toContain(error?.code);
    expect(error?.exit).toBe(exit);
  }
  expect(site.versions()).toEqual({ default: '1.0.0' });
});

test.each<[string, () => Record<string, unknown>]>([
  ['a denied release that comes back by a rollback', denied],
  ['a release by a key that was revoked since, that comes back by a rollback', () => oldIs({ status: 'revoked' })],
  ['a release by a key that has expired since, that comes back by a rollback', () => oldIs({ notAfter: LONG_AGO })],
  ['a release below the lowest sequence of now, that comes back by a rollback', () => rule({ minSequence: 2 })],
  [
    'an object in a namespace that is not allowed any longer, that comes back by a rollback',
    () => rule({ allow: { namespaces: ['shop'] } }),
  ],
  [
    'an image that is not allowed any longer, that comes back by a rollback',
    () => rule({ allow: { images: ['registry.example.com/other/*'] } }),
  ],
])('%s', async (attack, more) => {
  const site = await upgraded();
  expectRefusal(attack, await ending(() => rollsBack(site, more())));
  expect(site.versions()).toEqual({ default: '2.0.0' });
});

test('what is still trusted comes back by a rollback, whatever sequence was installed since', async () => {
  const site = await upgraded();
  await rollsBack(site, rule({ requirePredicates: [], minSequence: 1 }));
  expect(site.versions()).toEqual({ default: '1.0.0' });
});

test('a rollback by a root that is allowed needs no signature, and the policy denies it all the same', async () => {
  const site = await having('1.0.0', '2.0.0');
  const by = async (more: Readonly<Record<string, unknown>>): Promise<void> => {
    const trust = { ...(await trusting(more)), allowUnsigned: [roots['1.0.0']!] };
    await back(site, trust);
  };
  const onlyNew = { policies: [{ match: '*', keys: [keys['new']!.id] }] };
  expect(await ending(() => by({ ...onlyNew, ...denied() }))).toMatchObject({ code: 'not-trusted' });
  await by(onlyNew);
  expect(site.versions()).toEqual({ default: '1.0.0' });
});

const failing = 'a denied release that comes back when an upgrade fails';
test(failing, async () => {
  const site = await having('1.0.0');
  const upgrade = async (more: Readonly<Record<string, unknown>>): Promise<SolpackError | undefined> =>
    site.installs('solutions: [{name: shop, archives: ["shop-3.0.0.iso"]}]\n', 'run', {
      ...{ trust: await trusting(more), rollbackOnFailure: true, timeout: 200 },
    });
  const error = await upgrade(denied());
  expectRefusal(failing, error);
  // What failed, and why, is not lost; nor is what was not brought back.
  expect(error?.subject).toBe('shop 3.0.0');
  expect(error?.message).toMatch(
    /^failed, and stays in part: Deployment default\/never.* \(object-not-ready\); generation 1 of default: is not/,
  );
  expect(site.versions()).toEqual({ default: '3.0.0' });
  // What has only expired was there until now.
  expect(await upgrade(oldIs({ notAfter: LONG_AGO }))).toMatchObject({ code: 'rolled-back' });
  expect(site.versions()).toEqual({ default: '1.0.0' });
});

test.each<[string, () => Record<string, unknown>, typeof repairs]>([
  ['a denied release that is put back by a repair', denied, repairs],
  ['a release by a key that was revoked since, that an agent heals', () => oldIs({ status: 'revoked' }), heals],
])('%s', async (attack, more, putsBack) => {
  const site = await having('1.0.0');
  drift(site);
  expectRefusal(attack, await ending(() => putsBack(site, more())));
  expect(site.versions()).toEqual({});
  // It heals what runs, whatever has expired since.
  await putsBack(site, oldIs({ notAfter: LONG_AGO }));
  expect(site.versions()).toEqual({ default: '1.0.0' });
});

test('a denied release that is applied again when another one is uninstalled', async () => {
  const attack = 'a denied release that is applied again when another one is uninstalled';
  const site = new InstallSite(folder);
  const both = 'solutions: [{name: shop, archives: [shop-1.0.0.iso]}, {name: other, archives: [other.iso]}]\n';
  expect(await site.installs(both, 'run', { trust: await trusting() })).toBeUndefined();
  const removes = async (name: string): Promise<unknown> => {
    const trust = await trusting(denied());
    return uninstall({ cluster: site.target(), name, trust, keepGenerations: 10 }, testFlow());
  };
  expectRefusal(attack, await ending(() => removes('other')));
  expect(await removes('shop')).toMatchObject({ staying: [{ name: 'other' }] });
});

test('whoever goes back without a policy is reported that nobody was asked', async () => {
  const site = await having('1.0.0', '2.0.0');
  expect(await toldBy((flow) => back(site, undefined, flow))).toContainEqual(
    expect.stringMatching(/^rollback: trust was not checked: .*--policy/),
  );
  const request = { cluster: site.target(), name: undefined, configuration: undefined };
  expect(await toldBy((flow) => repair(request, flow))).toEqual([
    expect.stringMatching(/^repair: trust was not checked/),
  ]);
});
