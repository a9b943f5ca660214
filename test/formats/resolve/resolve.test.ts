import { describe, expect, test } from 'vitest';
import { resolveWorld } from '../../../formats/resolve/resolve.ts';
import type { NoSet, ResolvedSet, World } from '../../../formats/resolve/world.ts';
import type { Release } from '../../../formats/solution/relations.ts';
import { manySolutions } from '../../../scripts/bench/sets.ts';

const release = (name: string, version: string, more: Partial<Release> = {}): Release => ({ name, version, ...more });

const wanting = (...names: (string | [string, string])[]): Map<string, string> =>
  new Map(names.map((name) => (typeof name === 'string' ? [name, 'latest'] : name)));

function setIn(world: World): ResolvedSet {
  const resolution = resolveWorld(world);
  if ('none' in resolution) throw new Error(resolution.none.explanation.join(' '));
  return resolution.set;
}

function told(world: World): string[] {
  return setIn(world).members.map(({ release: { name, version } }) => `${name} ${version}`);
}

function whyNot(world: World): NoSet {
  const resolution = resolveWorld(world);
  if ('set' in resolution) throw new Error('there is a set');
  return resolution.none;
}

const shop = release('shop', '1.0.0', { requires: { 'cert-manager': '>=1.12 <2' } });

describe('a set', () => {
  test('has what is required, in the highest version that is, before what requires it', () => {
    const candidates = [shop, ...['1.11.0', '1.12.0', '1.13.0', '2.0.0'].map((one) => release('cert-manager', one))];
    expect(told({ candidates, wants: wanting('shop') })).toEqual(['cert-manager 1.13.0', 'shop 1.0.0']);
    const [first, second] = setIn({ candidates, wants: wanting('shop') }).members;
    expect(first).toMatchObject({ why: 'required', needs: [] });
    expect(second).toMatchObject({
      why: 'wanted',
      needs: [{ kind: 'requires', name: 'cert-manager', range: '>=1.12 <2', by: 'cert-manager' }],
    });
  });

  test('has an older version of what is wanted where the newest asks for what is not there', () => {
    const newest = release('shop', '2.0.0', { requires: { 'cert-manager': '>=3' } });
    const candidates = [shop, newest, release('cert-manager', '1.13.0')];
    expect(told({ candidates, wants: wanting('shop') })).toEqual(['cert-manager 1.13.0', 'shop 1.0.0']);
  });

  test('has a Solution that takes the place of one that is wanted without a version', () => {
    const candidates = [release('old', '1.0.0'), release('new', '2.0.0', { replaces: { old: '<2' } })];
    expect(told({ candidates, wants: wanting('old', 'new') })).toEqual(['new 2.0.0']);
    const { replaced } = setIn({ candidates, wants: wanting('old', 'new') });
    expect(replaced).toEqual([{ name: 'old', by: 'new' }]);
    const [, taking] = candidates;
    const elsewhere = { candidates, wants: wanting('old'), installed: [{ release: taking!, configuration: 'other' }] };
    expect(setIn(elsewhere)).toMatchObject({ members: [], replaced: [{ name: 'old', by: 'new' }] });
    expect(setIn({ candidates, wants: wanting('old') }).replaced).toEqual([]);
    expect(whyNot({ candidates, wants: wanting(['old', '1.0.0'], 'new') }).help).toContain('deactivate new');
    const asking = release('app', '1.0.0', { requires: { old: '^1' } });
    expect(told({ candidates: [...candidates, asking], wants: wanting('app', 'new') })).toEqual([
      'new 2.0.0',
      'app 1.0.0',
    ]);
  });

  test('has the first of several alternatives, and a capability from whoever provides it', () => {
    const app = release('app', '1.0.0', { anyOf: [{ postgres: '>=12', mysql: '*' }], requires: { ingress: '^1' } });
    const traefik = release('traefik', '3.1.0', { provides: { ingress: '1.0.0' } });
    const candidates = [app, traefik, release('mysql', '8.0.0'), release('postgres', '11.0.0')];
    expect(told({ candidates, wants: wanting('app') })).toEqual(['mysql 8.0.0', 'traefik 3.1.0', 'app 1.0.0']);
    const both = [...candidates, release('postgres', '16.0.0')];
    expect(told({ candidates: both, wants: wanting('app') })).toEqual([
      'postgres 16.0.0',
      'traefik 3.1.0',
      'app 1.0.0',
    ]);
  });

  test('has what is recommended where that is possible, and tells what is not met', () => {
    const app = release('app', '1.0.0', { recommends: { metrics: '*', tracing: '^1' } });
    const tracing = release('tracing', '1.0.0', { conflicts: { app: '*' } });
    const set = setIn({ candidates: [app, tracing, release('metrics', '1.0.0')], wants: wanting('app') });
    expect(set.members.map(({ release: { name }, why }) => [name, why])).toEqual([
      ['metrics', 'recommended'],
      ['app', 'wanted'],
    ]);
    expect(set.unmet).toEqual([{ of: 'app', name: 'tracing', range: '^1' }]);
  });

  test('may be circular, and is in order of names then', () => {
    const candidates = [
      release('b', '1.0.0', { requires: { a: '*' } }),
      release('a', '1.0.0', { requires: { b: '*' } }),
      release('c', '1.0.0'),
      release('0', '1.0.0', { requires: { b: '*' } }),
    ];
    expect(told({ candidates, wants: wanting('a', 'c', '0') })).toEqual(['a 1.0.0', 'b 1.0.0', '0 1.0.0', 'c 1.0.0']);
  });

  test('counts what other configurations have installed, and keeps what that requires', () => {
    const installed = [{ release: release('portal', '1.0.0', { requires: { sso: '<2' } }), configuration: 'edge' }];
    const candidates = [release('sso', '1.0.0'), release('sso', '2.0.0')];
    expect(told({ candidates, installed, wants: wanting('sso') })).toEqual(['sso 1.0.0']);
    expect(told({ candidates, installed, wants: new Map() })).toEqual(['sso 1.0.0']);
  });

  test('is for the version of Kubernetes that there is', () => {
    const candidates = [
      release('a', '1.0.0', { kubernetes: '<1.31' }),
      release('a', '2.0.0', { kubernetes: '>=1.31' }),
    ];
    expect(told({ candidates, wants: wanting('a'), kubernetes: 'v1.30.2+k3s1' })).toEqual(['a 1.0.0']);
    expect(told({ candidates, wants: wanting('a') })).toEqual(['a 2.0.0']);
  });
});

describe('where there is no set', () => {
  test('it is reported who asks for what, what there is, and what would help', () => {
    const candidates = [shop, release('cert-manager', '1.10.0'), release('cert-manager', '2.0.0')];
    expect(whyNot({ candidates, wants: wanting('shop') })).toEqual({
      isAboutOthers: true,
      explanation: [
        'Because shop 1.0.0 requires cert-manager >=1.12 <2, but there is cert-manager in 2.0.0 and 1.10.0 only, and the configuration wants shop, no set meets all of this.',
      ],
      help: ['import an archive of cert-manager in >=1.12 <2', 'deactivate shop'],
    });
  });

  test('one thing follows from the other, and goes back to it by number', () => {
    const candidates = [
      release('foo', '1.0.0', { requires: { a: '^1.0.0', b: '^1.0.0' } }),
      release('foo', '1.1.0', { requires: { x: '^1.0.0', y: '^1.0.0' } }),
      release('a', '1.0.0', { requires: { b: '^2.0.0' } }),
      release('x', '1.0.0', { requires: { y: '^2.0.0' } }),
      ...['b', 'y'].flatMap((name) => [release(name, '1.0.0'), release(name, '2.0.0')]),
    ];
    expect(whyNot({ candidates, wants: wanting(['foo', '^1']) }).explanation).toEqual([
      'Because a 1.0.0 requires b ^2.0.0 and foo 1.0.0 requires b ^1.0.0, a 1.0.0 and foo 1.0.0 cannot be installed together.',
      'And because foo 1.0.0 requires a ^1.0.0, foo 1.0.0 cannot be installed (1).',
      'Because x 1.0.0 requires y ^2.0.0 and foo 1.1.0 requires y ^1.0.0, x 1.0.0 and foo 1.1.0 cannot be installed together.',
      'And because foo 1.1.0 requires x ^1.0.0, foo 1.1.0 cannot be installed.',
      'And because foo 1.0.0 cannot be installed (1), no version of foo can be installed.',
      'And because the configuration wants foo ^1, no set meets all of this.',
    ]);
  });

  test('two that provide one thing exclusively are named', () => {
    const cni = { provides: { cni: '1.0.0' }, exclusive: ['cni'] };
    const candidates = [release('calico', '3.0.0', cni), release('cilium', '1.0.0', cni)];
    const { explanation, help } = whyNot({ candidates, wants: wanting('calico', 'cilium') });
    expect(explanation.join(' ')).toContain('calico 3.0.0 provides cni exclusively, and cilium 1.0.0 provides it too');
    expect(help.toSorted()).toEqual(['deactivate calico', 'deactivate cilium']);
  });

  test('what another configuration has installed is reported with its name', () => {
    const installed = [{ release: release('cert-manager', '1.0.0'), configuration: 'infra' }];
    const { explanation, help } = whyNot({ candidates: [shop], installed, wants: wanting('shop') });
    expect(explanation[0]).toContain('the cluster has cert-manager 1.0.0, which the configuration infra has installed');
    expect(help).toContain('have the configuration infra install cert-manager in >=1.12 <2');
  });

  test('a version of Kubernetes that is not supported is reported', () => {
    const candidates = [release('a', '1.0.0', { kubernetes: '<1.31' })];
    const { explanation, help } = whyNot({ candidates, wants: wanting('a'), kubernetes: 'v1.32.0' });
    expect(explanation[0]).toContain('a 1.0.0 is for Kubernetes <1.31, and the cluster has v1.32.0');
    expect(help[0]).toBe('import an archive of a that is for Kubernetes v1.32.0');
  });
});

describe('200 Solutions of 20 versions', () => {
  test.each([
    [2, 200],
    [2, 1],
    [4, 200],
    [4, 1],
  ])('that need %i others each, of which %i are wanted, are resolved in less than a million steps', (needs, wanted) => {
    const world = manySolutions(needs, wanted);
    const resolution = resolveWorld(world);
    expect(resolution.steps).toBeLessThan(1_000_000);
    expect(resolution).toHaveProperty('set');
    expect(resolveWorld(world)).toEqual(resolution);
  });

  test.each([200, 1])('that say what they may be installed over, of which %i are wanted, are so too', (wanted) => {
    const world = manySolutions(2, wanted, true);
    const resolution = resolveWorld(world);
    expect(resolution.steps).toBeLessThan(1_000_000);
    if ('none' in resolution) throw new Error(resolution.none.explanation.join(' '));
    expect(resolution.set.heldBack).toHaveLength(wanted);
    expect(resolution.set.heldBack[0]).toMatchObject({ name: 's0', version: '19.0.0' });
    const high = resolution.set.members.filter(({ release: { version } }) => /^1[79]/.test(version));
    if (wanted > 1) expect(high).toEqual([]);
  });
});

describe('what says over which versions it may be installed', () => {
  const over = (version: string, from: string, skips?: string[]): Release =>
    release('shop', version, { upgrade: { from, ...(skips && { skips }) } });
  const having = (version: string, more: Partial<Release> = {}): Pick<World, 'present'> => {
    return { present: [{ release: release('shop', version, more), configuration: 'own' }] };
  };
  const latest = { wants: wanting('shop') };
  const all = [release('shop', '1.2.0'), over('1.4.0', '>=1.2 <2'), over('2.0.0', '>=1.4 <2')];

  test('comes step by step, and tells the way', () => {
    const { members, heldBack } = setIn({ candidates: all, ...latest, ...having('1.2.0') });
    expect(members[0]!.release.version).toBe('1.4.0');
    expect(heldBack).toEqual([
      {
        name: 'shop',
        version: '2.0.0',
        barrier: { of: 'shop', over: '>=1.4 <2', present: '1.2.0' },
        way: { versions: ['1.2.0', '1.4.0', '2.0.0'], missing: undefined },
        reason:
          '2.0.0 can be installed over shop >=1.4 <2 only, and the cluster has shop 1.2.0: the way is 1.2.0 → 1.4.0 → 2.0.0',
      },
    ]);
    expect(told({ candidates: all, ...latest, ...having('1.4.0') })).toEqual(['shop 2.0.0']);
    expect(told({ candidates: all, ...latest })).toEqual(['shop 2.0.0']);
  });

  test('stays where what leads on is missing, and says what to import', () => {
    const candidates = [all[0]!, all[2]!];
    const { members, heldBack } = setIn({ candidates, ...latest, ...having('1.2.0') });
    expect(members[0]!.release.version).toBe('1.2.0');
    expect(heldBack[0]!.reason).toMatch(/1\.2\.0 → 1\.4\.0 → 2\.0\.0, for which an archive in >=1\.4 <2 is missing$/);
    const none = whyNot({ candidates: [all[2]!], ...latest, ...having('1.2.0') });
    expect(none.explanation[0]).toContain(
      'shop 2.0.0 can be installed over shop >=1.4 <2 only, and the cluster has shop 1.2.0',
    );
    expect(none.help[0]).toBe('import an archive of shop in >=1.4 <2: the way is 1.2.0 → 1.4.0 → 2.0.0');
  });

  test('is refused where just that version is wanted, with the version to install before', () => {
    const { help, isAboutOthers } = whyNot({
      candidates: all,
      wants: wanting(['shop', '2.0.0']),
      ...having('1.2.0'),
    });
    expect(help).toContain('install shop 1.4.0 first, or all of it by --through: the way is 1.2.0 → 1.4.0 → 2.0.0');
    expect(isAboutOthers).toBe(true);
  });

  test('never makes a Solution go down in its stead, but bounds nobody who wants a lower version', () => {
    const candidates = [release('shop', '0.9.0'), over('2.0.0', '>=1.4')];
    const none = whyNot({ candidates, ...latest, ...having('1.2.0') });
    expect(none.explanation.join(' ')).toContain('shop 0.9.0 is lower than 1.2.0, which the cluster has');
    const down = { wants: wanting(['shop', '0.9.0']), ...having('1.2.0') };
    expect(told({ candidates, ...down })).toEqual(['shop 0.9.0']);
    expect(told({ candidates: [over('1.0.0', '<1')], ...latest, ...having('1.2.0') })).toEqual(['shop 1.0.0']);
  });

  test('goes by no version that another one skips, and over that itself', () => {
    const candidates = [...all, over('1.4.1', '>=1.2 <2', ['1.4.0'])];
    const { heldBack } = setIn({ candidates, wants: wanting('shop'), ...having('1.2.0') });
    expect(heldBack[0]!.way?.versions).toEqual(['1.2.0', '1.4.1', '2.0.0']);
    const skipping = [over('3.0.0', '^2', ['1.2.0'])];
    expect(told({ candidates: skipping, ...latest, ...having('1.2.0') })).toEqual(['shop 3.0.0']);
  });

  test('counts pre-releases by their order, and what has no version not at all', () => {
    const [, , highest] = all;
    expect(told({ candidates: [highest!], ...latest, ...having('1.5.0-rc.1') })).toEqual(['shop 2.0.0']);
    expect(told({ candidates: [highest!], ...latest, ...having('sha256:abc') })).toEqual(['shop 2.0.0']);
  });

  test('is asked for what it provides as well, as bundles of operators say it', () => {
    const operator = { upgrade: { provides: { op: { from: '1.4.0' } } }, provides: { op: '1.5.0' } };
    const candidates = [release('shop', '2.0.0', operator)];
    const { explanation } = whyNot({ candidates, ...latest, ...having('1.0.0', { provides: { op: '1.3.0' } }) });
    expect(explanation[0]).toContain('shop 2.0.0 can be installed over op 1.4.0 only, and the cluster has op 1.3.0');
    for (const op of ['1.4.0', '1.5.0']) {
      expect(told({ candidates, ...latest, ...having('1.0.0', { provides: { op } }) })).toEqual(['shop 2.0.0']);
    }
    expect(told({ candidates, ...latest, ...having('1.0.0') })).toEqual(['shop 2.0.0']);
  });

  test('holds for each environment, and for what they share', () => {
    const world = (own: Record<string, string>): World => ({
      candidates: all,
      wants: new Map(),
      environments: new Map([['shop', new Map(Object.entries(own))]]),
      present: ['shop', 'shop.a'].map((name) => ({ release: release(name, '1.2.0'), configuration: 'own' })),
    });
    expect(told(world({ a: 'latest' }))).toEqual(['shop 1.4.0', 'shop.a 1.4.0']);
    // What comes anew has nothing to be installed over, but what all share has.
    expect(whyNot(world({ a: '1.2.0', b: '2.0.0' })).explanation.join(' ')).toContain('the cluster has shop 1.2.0');
  });
});

describe('environments', () => {
  const guestbook = [
    release('guestbook', '1.0.0', { requires: { store: '^1' }, provides: { board: '1.0.0' }, exclusive: ['board'] }),
    release('guestbook', '1.1.0', { requires: { store: '^2' }, provides: { board: '1.1.0' }, exclusive: ['board'] }),
    release('guestbook', '2.0.0', { requires: { store: '>=1' }, provides: { board: '2.0.0' }, exclusive: ['board'] }),
  ];
  const candidates = [...guestbook, release('store', '1.0.0'), release('store', '2.0.0')];
  const placed = (own: Readonly<Record<string, string>>, more: Partial<World> = {}): World => ({
    ...{ candidates, wants: new Map(), ...more },
    environments: new Map([['guestbook', new Map(Object.entries(own))]]),
  });

  test('come each in the highest version with which all have what they require, and share the highest of these', () => {
    expect(told(placed({ 'team-a': '1.0.0', 'team-b': 'latest' }))).toEqual([
      'store 1.0.0',
      'guestbook 2.0.0',
      'guestbook.team-a 1.0.0',
      'guestbook.team-b 2.0.0',
    ]);
    expect(told(placed({ 'team-a': '1.0.0', 'team-b': '^1' }))).toEqual([
      'store 1.0.0',
      'guestbook 1.0.0',
      'guestbook.team-a 1.0.0',
      'guestbook.team-b 1.0.0',
    ]);
    const besides = placed({ 'team-a': '1.0.0' }, { wants: wanting('guestbook') });
    expect(told(besides)).toEqual(['store 1.0.0', 'guestbook 2.0.0', 'guestbook.team-a 1.0.0']);
  });

  test('that cannot be installed together are reported by their namespaces', () => {
    const { explanation, help } = whyNot(placed({ 'team-a': '1.0.0', 'team-b': '1.1.0' }));
    expect(explanation.join(' ')).toMatch(/the configuration wants guestbook 1\.0\.0 in team-a/);
    expect(help).toContain('activate another version of guestbook than 1.1.0 in team-b');
    expect(help).toContain('deactivate guestbook in team-a');
  });
});
