import { expect, test } from 'vitest';
import { type Inventory, PART_OF, setOf } from '../../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import {
  isApplied,
  isOurs,
  ownerOf,
  rivalOf,
} from '../../../../../../lib/parts/clusters/kubernetes/memory/ownership.ts';
import { live, map } from '../support.ts';

const inventory = (solution: string, more: Partial<Inventory> = {}): [string, Inventory] => [
  setOf(solution),
  {
    solution,
    version: '1.0.0',
    root: undefined,
    site: undefined,
    configuration: 'here',
    state: 'ready',
    previous: undefined,
    components: [],
    groupKinds: new Set(),
    namespaces: new Set(),
    ...more,
  },
];
const inventories = new Map([
  inventory('mine'),
  inventory('sibling'),
  inventory('left'),
  inventory('foreign', { configuration: 'elsewhere' }),
  inventory('gone', { configuration: 'elsewhere', state: 'removed' }),
]);
const solutions = ['mine', 'sibling'].map((name) => ({
  name,
  version: '',
  root: undefined,
  site: undefined,
  set: setOf(name),
  components: [],
  records: [],
}));
const rival = (label: string | undefined, prune = true, metadata = {}): string | undefined => {
  const object = live(map('n/a'), { ...(label === undefined ? {} : { labels: { [PART_OF]: label } }), ...metadata });
  return rivalOf(object, ownerOf({ configuration: 'here', prune, solutions }, inventories), inventories);
};

test.each([
  ['no set', undefined],
  ['its own set', setOf('mine')],
  ['a Solution of the request, which brings it no longer', setOf('sibling')],
  ['a Solution that the configuration no longer has', setOf('left')],
  ['a Solution of another configuration that was removed', setOf('gone')],
])('an object of %s may be applied', (_, label) => {
  expect(rival(label)).toBeUndefined();
});

test('an object of a Solution of another configuration may not, and neither may one of a set that is not known', () => {
  expect(rival(setOf('foreign'))).toBe('the Solution foreign 1.0.0 of the configuration elsewhere');
  expect(rival('applyset-x-v1', true, { managedFields: [{ manager: 'kubectl', operation: 'Apply' }] })).toBe(
    'the ApplySet applyset-x-v1, applied by kubectl',
  );
});

test('where nothing is removed, a Solution that is not in the request keeps its objects', () => {
  expect(rival(setOf('left'), false)).toBe('the Solution left 1.0.0 of the configuration here');
  expect(rival(setOf('sibling'), false)).toBeUndefined();
});

test('each configuration applies in a name of its own, and what any of them applied is applied by solpack', () => {
  const of = (configuration: string) => ownerOf({ configuration, prune: true, solutions }, inventories).manager;
  expect([of('here'), of('load/tree')]).toEqual(['solpack-here', 'solpack-load/tree']);
  const by = (manager: string) => isApplied(live(map('n/a'), { managedFields: [{ manager, operation: 'Apply' }] }));
  expect(['solpack', 'solpack-here', 'solpacker', 'kubectl'].map(by)).toEqual([true, true, false, false]);
});

test('a label alone does not make an object that of solpack', () => {
  const labels = { [PART_OF]: setOf('mine') };
  const copied = live(map('n/a'), { labels, managedFields: [{ manager: 'controller', operation: 'Update' }] });
  expect([isApplied(copied), isOurs(copied)]).toEqual([false, false]);
  const updated = live(map('n/a'), { labels, managedFields: [{ manager: 'solpack', operation: 'Update' }] });
  expect(isApplied(updated)).toBe(false);
  expect(isOurs(live(map('n/a'), { labels }))).toBe(true);
  expect(isOurs(live(map('n/a')))).toBe(false);
});
