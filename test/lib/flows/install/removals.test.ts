import { describe, expect, test } from 'vitest';
import type { PlannedAction } from '../../../../formats/solution/install-plan.ts';
import { incomingOf, ownOf, type RemovalBasis, removalsOf } from '../../../../lib/flows/install/removals.ts';
import type { InventoryEntry } from '../../../../lib/parts/clusters/index.ts';

interface Brought {
  readonly version: string;
  readonly sequence?: number;
  readonly environment?: string;
}

/** An install of `shop`, with what the cluster has and the machine remembers. */
function foretold(
  { version, sequence, environment }: Brought,
  inventory: readonly Partial<InventoryEntry>[],
  remembered?: number,
): RemovalBasis {
  const root = { digest: `sha256:${version}` };
  const metadata = { name: 'shop', version, sequence };
  const catalog = { metadata, root, images: [{}, {}], imageBlobs: [{ size: 3 }, { size: 4 }] };
  const part = environment === undefined ? 'whole' : 'environment';
  return {
    configuration: 'edge',
    cluster: {
      inventory: inventory.map((entry) => ({ state: 'ready', configuration: 'edge', ...entry })),
    },
    trust: { basis: { memory: { solutions: new Map([['shop', { sequence: remembered }]]) } } },
    archives: [{ path: 'shop.iso', catalog }],
    placements: [{ root: root.digest, part, environment: environment ?? null }],
  } as unknown as RemovalBasis;
}

function action(subject: string, verb: PlannedAction['action'], solution = 'shop'): PlannedAction {
  return { kind: 'apply', subject, action: verb, changes: [], step: 'sha256:0', solution };
}

describe('what an install brings', () => {
  test('is reported with the version that is there, and with its images', () => {
    const [one] = incomingOf(foretold({ version: '1.1.0' }, [{ name: 'shop', version: '1.0.0' }]));
    expect(one).toEqual({ name: 'shop', version: '1.1.0', installed: '1.0.0', images: 2, bytes: 7 });
    const removed = foretold({ version: '1.1.0' }, [{ name: 'shop', version: '1.0.0', state: 'removed' }]);
    expect(incomingOf(removed)[0]).toEqual({ name: 'shop', version: '1.1.0', images: 2, bytes: 7 });
    const [space] = incomingOf(foretold({ version: '1.1.0', environment: 'team-a' }, []));
    expect(space!.name).toBe('shop.team-a');
  });
});

describe('what goes for good', () => {
  test('is nothing at a first install, and at an upgrade that keeps what holds data', () => {
    expect(removalsOf(foretold({ version: '1.0.0' }, []), [])).toEqual([]);
    const upgrade = foretold({ version: '1.1.0' }, [{ name: 'shop', version: '1.0.0' }]);
    const actions = [
      action('ConfigMap/shop/old', 'remove'),
      action('PersistentVolumeClaim/shop/data', 'keep'),
      action('Namespace/shop', 'change'),
    ];
    expect(removalsOf(upgrade, actions)).toEqual([]);
  });

  test('is a Solution that the configuration has brought, and no longer names; what others brought is theirs', () => {
    const inventory = [
      { name: 'old', version: '2.0.0' },
      { name: 'gone', version: '1.0.0', state: 'removed' as const },
      { name: 'foreign', version: '1.0.0', configuration: 'other' },
    ];
    const actions = [action('Namespace/old', 'remove', 'old'), action('ConfigMap/old/a', 'remove', 'old')];
    expect(removalsOf(foretold({ version: '1.0.0' }, inventory), actions)).toEqual([
      { solution: 'old', kind: 'solution', version: '2.0.0', objects: ['Namespace/old'] },
    ]);
  });

  test('is what is taken from another configuration, and not brought by this one', () => {
    const inventory = [
      { name: 'shop', version: '1.0.0', configuration: 'other' },
      { name: 'shop.team-a', version: '1.0.0', configuration: 'other' },
      { name: 'shopping', version: '1.0.0', configuration: 'other' },
    ];
    const taking = { ...foretold({ version: '1.0.0' }, inventory), takeOver: ['shop'] };
    const goes = { solution: 'shop.team-a', kind: 'solution', version: '1.0.0', objects: [] };
    expect(removalsOf(taking, [])).toEqual([goes]);
    expect(ownOf(taking).map(({ name }) => name)).toEqual(['shop', 'shop.team-a']);
    expect(removalsOf(foretold({ version: '1.0.0' }, inventory), [])).toEqual([]);
  });

  test('is not what stayed of a Solution that was removed before: its name was given then', () => {
    const inventory = [{ name: 'old', version: '2.0.0', state: 'removed' as const }];
    const emptied = foretold({ version: '1.0.0' }, inventory);
    expect(removalsOf(emptied, [action('Namespace/old', 'remove', 'old')])).toEqual([]);
    expect(ownOf(emptied)).toEqual([]);
  });

  test('is what holds data, removed or made anew', () => {
    const actions = [action('Namespace/extra', 'remove'), action('PersistentVolumeClaim/shop/data', 'replace')];
    expect(removalsOf(foretold({ version: '1.1.0' }, [{ name: 'shop', version: '1.0.0' }]), actions)).toEqual([
      {
        solution: 'shop',
        kind: 'data',
        version: '1.0.0',
        to: '1.1.0',
        objects: ['Namespace/extra', 'PersistentVolumeClaim/shop/data'],
      },
    ]);
  });

  test('is a higher version of the cluster, or a later release that the machine remembers', () => {
    const down = { solution: 'shop', kind: 'downgrade', to: '1.0.0', objects: [] };
    const lower = foretold({ version: '1.0.0' }, [{ name: 'shop', version: '1.1.0' }]);
    expect(removalsOf(lower, [])).toEqual([{ ...down, version: '1.1.0' }]);
    expect(removalsOf(foretold({ version: '1.0.0', sequence: 3 }, [], 4), [])).toEqual([down]);
    expect(removalsOf(foretold({ version: '1.0.0', sequence: 4 }, [], 4), [])).toEqual([]);
    expect(removalsOf(foretold({ version: '1.0.0' }, [], 4), [])).toEqual([down]);
    const loaded = foretold({ version: '1.0.0' }, [{ name: 'shop', version: 'folder' }]);
    expect(removalsOf(loaded, [])).toEqual([]);
  });

  test('goes on where the release is there already, in another environment', () => {
    const there = { name: 'shop.team-b', version: '1.0.0', root: 'sha256:1.0.0' as const };
    const more = foretold({ version: '1.0.0', sequence: 3, environment: 'team-a' }, [there], 4);
    expect(removalsOf(more, []).filter(({ kind }) => kind === 'downgrade')).toEqual([]);
  });
});
