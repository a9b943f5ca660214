import { describe, expect } from 'vitest';
import { HOME, PART_OF, parentName, setOf } from '../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { rowOf } from '../attacks/table.ts';
import { map } from '../lib/parts/clusters/kubernetes/support.ts';
import { applying } from '../support/node/applying.ts';
import { request, solution, space } from '../support/node/requests.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

// Several configurations in one cluster, and what one of them could do to the others.

const node = sharedNode();
const { tried, applied, refused, seen } = applying(node);
const home = ['-n', HOME];

interface ConfigMap {
  readonly metadata: { readonly managedFields: readonly { readonly manager: string; readonly operation: string }[] };
  readonly data: Readonly<Record<string, string>>;
}

const configMap = (...place: string[]): Promise<ConfigMap> =>
  node().get('configmap', ...place, '--show-managed-fields');
const managers = ({ metadata }: ConfigMap): string[] =>
  metadata.managedFields.map(({ manager, operation }) => `${manager} ${operation}`);

/** Lets an object look as if an earlier solpack had applied it, which had one name for all configurations. */
async function aged(...place: string[]): Promise<void> {
  const { metadata } = await configMap(...place);
  const patches = metadata.managedFields.map((_, at) => ({
    op: 'replace',
    path: `/metadata/managedFields/${at}/manager`,
    value: 'solpack',
  }));
  await node().kubectl('patch', 'configmap', ...place, '--type=json', '-p', JSON.stringify(patches));
  expect(managers(await configMap(...place))).toEqual(['solpack Apply']);
}

/** An error as the table of attacks has it. */
function expectAttack(name: string, told: { readonly code: string }): void {
  expect([told.code]).toEqual(rowOf(name).codes);
}

const two = (value: string) => map('up/two', value, { data: { value, more: 'less' } });

describe('a configuration', () => {
  const first = request('up', solution('up', '1.0.0', [space('up'), map('up/one'), two('1')]));

  nodeTest('has fields and inventories in a name of its own', async () => {
    await applied(first);
    expect(managers(await configMap('two', '-n', 'up'))).toEqual(['solpack-up Apply']);
    expect(managers(await configMap(parentName('up'), ...home))).toEqual(['solpack-up Apply']);
  });

  nodeTest(
    'inherits what an earlier solpack has applied; nothing else changes, and nothing the next time',
    async () => {
      for (const place of [
        ['one', '-n', 'up'],
        ['two', '-n', 'up'],
        [parentName('up'), ...home],
      ])
        await aged(...place);
      expect(new Set(Object.values(await applied(first)))).toEqual(new Set(['unchanged']));
      // The inventory stays as it is, since nothing that it says has changed.
      expect(managers(await configMap('two', '-n', 'up'))).toEqual(['solpack-up Apply']);
      const before = await seen('up', ({ metadata }) => metadata.resourceVersion);
      await applied(first);
      expect(await seen('up', ({ metadata }) => metadata.resourceVersion)).toEqual(before);
    },
  );

  nodeTest('leaves no field of an earlier solpack behind that its next version does not have', async () => {
    for (const place of [
      ['one', '-n', 'up'],
      ['two', '-n', 'up'],
      [parentName('up'), ...home],
    ])
      await aged(...place);
    const next = request('up', solution('up', '2.0.0', [space('up'), map('up/two', '2')]));
    expect(await applied(next)).toEqual({
      'Namespace up': 'unchanged',
      'ConfigMap up/two': 'changed',
      'ConfigMap up/one': 'removed',
    });
    expect((await configMap('two', '-n', 'up')).data).toEqual({ value: '2' });
    const { data } = await configMap(parentName('up'), ...home);
    expect(data).toEqual({ solution: 'up', version: '2.0.0', configuration: 'up', state: 'ready', components: 'all' });
    await applied(request('up'));
  });
});

describe('of two configurations', () => {
  const mine = solution('shop', '1.0.0', [space('shop'), map('shop/a')]);
  const theirs = solution('shop', '2.0.0', [space('shop'), map('shop/a', '2')]);

  nodeTest('one does not get a Solution that the other one brought, with force neither', async () => {
    await applied(request('mine', mine));
    const before = await seen('shop', ({ metadata }) => metadata.resourceVersion);
    for (const force of [false, true]) {
      const told = await refused(request('theirs', theirs), { force });
      expectAttack('a Solution that another configuration brought', told);
      expect([told.subject, told.message]).toEqual([
        'configuration theirs',
        'shop 1.0.0 belongs to the configuration mine',
      ]);
    }
    expect(await applied(request('theirs'))).toEqual({});
    expect(await seen('shop', ({ metadata }) => metadata.resourceVersion)).toEqual(before);
  });

  nodeTest('one does not set what the other one has set, though nothing says whose the object is', async () => {
    await node().kubectl('label', 'configmap', 'a', '-n', 'shop', `${PART_OF}-`);
    const told = await refused(request('theirs', solution('other', '1.0.0', [map('shop/a', '2')])));
    expectAttack('a field that another configuration has set', told);
    expect([told.subject, told.message]).toEqual([
      'ConfigMap shop/a',
      expect.stringContaining('fields belong to "solpack-mine": .data.value'),
    ]);
    expect((await configMap('a', '-n', 'shop')).data).toEqual({ value: '1' });
    await applied(request('mine', mine));
  });

  nodeTest('one hands a Solution over where its inventory says so, and leaves it alone from then on', async () => {
    const data = JSON.stringify({ data: { configuration: 'theirs' } });
    await node().kubectl('patch', 'configmap', parentName('shop'), ...home, '--type=merge', '-p', data);
    expect(await applied(request('mine'))).toEqual({});
    expect((await refused(request('mine', mine))).code).toBe('object-conflict');
    expect(await applied(request('theirs', theirs))).toEqual({
      'Namespace shop': 'unchanged',
      'ConfigMap shop/a': 'changed',
    });
    expect(managers(await configMap('a', '-n', 'shop'))).toContain('solpack-theirs Apply');
    expect(managers(await configMap('a', '-n', 'shop'))).not.toContain('solpack-mine Apply');
    expect(await applied(request('theirs'))).toMatchObject({ 'ConfigMap shop/a': 'removed' });
  });

  nodeTest('that bring a Solution of one name at once, one does and the other one is refused', async () => {
    const bring = (configuration: string) =>
      tried(request(configuration, solution('race', '1.0.0', [map('default/race', configuration)])));
    const told = await Promise.all(['red', 'blue'].map(bring));
    const winners = told.flatMap(({ result }, at) => (result ? [['red', 'blue'][at]!] : []));
    expect([winners.length, told.flatMap(({ error }) => error?.code ?? [])]).toEqual([1, ['object-conflict']]);
    expect((await configMap('race', '-n', 'default')).data).toEqual({ value: winners[0] });
    expect((await configMap(parentName('race'), ...home)).data['configuration']).toBe(winners[0]);
    await applied(request(winners[0]!));
  });
});

describe('an inventory that a Solution has brought under an earlier solpack', () => {
  /** What such a Solution could render: the inventory of `victim`, as one of the configuration `evil`. */
  const forged = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: parentName('victim'),
      namespace: HOME,
      labels: { [PART_OF]: setOf('evil'), 'applyset.kubernetes.io/id': setOf('victim') },
      annotations: {
        'applyset.kubernetes.io/tooling': 'solpack/v1',
        'applyset.kubernetes.io/contains-group-kinds': 'ConfigMap',
        'applyset.kubernetes.io/additional-namespaces': 'default',
      },
    },
    data: { solution: 'victim', version: '1.0.0', configuration: 'evil', state: 'ready', components: '' },
  };

  nodeTest('neither has another Solution removed, nor is removed with its own; its victim says so', async () => {
    const victim = request('good', solution('victim', '1.0.0', [map('default/victim')]));
    const evil = (...names: string[]) =>
      request(
        'evil',
        solution(
          'evil',
          `1.0.${names.length}`,
          names.map((name) => map(`default/${name}`)),
        ),
      );
    await applied(victim);
    await applied(evil('evil', 'more'));
    const apply = ['apply', '--server-side', '--field-manager=solpack', '--force-conflicts', '-f', '-'];
    const { code, stderr } = await node().run('kubectl', apply, { input: JSON.stringify(forged) });
    expect([code, stderr]).toEqual([0, '']);
    expect(await applied(evil('evil'))).toEqual({
      'ConfigMap default/evil': 'unchanged',
      'ConfigMap default/more': 'removed',
      [`ConfigMap ${HOME}/${parentName('victim')}`]: 'kept',
    });
    expect((await configMap('victim', '-n', 'default')).data).toEqual({ value: '1' });
    const told = await refused(victim);
    expectAttack('an inventory that a Solution has brought', told);
    expect(told.message).toContain('is an object of a Solution');
    expect(told.hint).toContain('remove it');
    await node().kubectl('delete', 'configmap', parentName('victim'), ...home);
    expect(await applied(victim)).toEqual({ 'ConfigMap default/victim': 'unchanged' });
  });
});
