import { describe, expect, test } from 'vitest';
import { resolveWorld } from '../../../../../formats/resolve/resolve.ts';
import type { SolutionsConfiguration } from '../../../../../formats/solution/configuration.ts';
import type { Release } from '../../../../../formats/solution/relations.ts';
import { worldOf } from '../../../../../lib/shared/solutions/sets/set-candidates.ts';

const POT = 'clay.example.org/v1/Pot';
const shop: Release = { name: 'shop', version: '1.0.0', requires: { [POT]: '*' } };
const kiln = (version: string, isProvider = true): Release => ({
  name: 'kiln',
  version,
  ...(isProvider ? { provides: { [POT]: '0.0.0' } } : {}),
});

function resolved(
  active: Readonly<Record<string, string>>,
  candidates: readonly Release[],
  there: readonly { readonly name: string; readonly version: string; readonly relations?: unknown }[] = [],
): string[] | undefined {
  const configuration = {
    name: 'edge',
    active: new Map(Object.entries(active)),
    environments: new Map(),
    implicit: false,
    saysActive: true,
  } as unknown as SolutionsConfiguration;
  const inventory = there.map((one) => ({ root: undefined, configuration: 'edge', state: 'ready', ...one }));
  const surroundings = { inventory: inventory as never, kubernetes: undefined, served: [POT] };
  const resolution = resolveWorld(worldOf(configuration, candidates, surroundings));
  return 'set' in resolution
    ? resolution.set.members.map(({ release }) => `${release.name} ${release.version}`)
    : undefined;
}

describe('a kind that a cluster serves from elsewhere', () => {
  test('meets what requires it, and goes on doing so where an archive that is not active defines it', () => {
    expect(resolved({ shop: 'latest' }, [shop])).toEqual(['shop 1.0.0']);
    expect(resolved({ shop: 'latest' }, [shop, kiln('1.0.0')])).toEqual(['shop 1.0.0']);
    expect(resolved({ shop: 'latest', kiln: 'none' }, [shop, kiln('1.0.0')])).toEqual(['shop 1.0.0']);
    const two = [shop, kiln('1.0.0'), kiln('2.0.0', false)];
    expect(resolved({ shop: 'latest', kiln: '2.0.0' }, two)).toEqual(['kiln 2.0.0', 'shop 1.0.0']);
  });

  test('is that of an archive that is active, which comes before', () => {
    const both = [shop, kiln('1.0.0'), kiln('1.1.0')];
    expect(resolved({ shop: 'latest', kiln: '^1' }, both)).toEqual(['kiln 1.1.0', 'shop 1.0.0']);
  });
});

describe('a kind that a Solution of ours has brought', () => {
  test('meets nothing where that Solution goes, also where its release did not tell in the cluster what it defines', () => {
    const there = [{ name: 'kiln', version: '1.0.0' }];
    expect(resolved({ shop: 'latest', kiln: 'none' }, [shop, kiln('1.0.0')], there)).toBeUndefined();
    const told = [{ name: 'kiln', version: '1.0.0', relations: { provides: { [POT]: '0.0.0' } } }];
    expect(resolved({ shop: 'latest', kiln: 'none' }, [shop], told)).toBeUndefined();
    expect(resolved({ shop: 'latest', kiln: '2.0.0' }, [shop, kiln('2.0.0', false)], told)).toBeUndefined();
  });
});
