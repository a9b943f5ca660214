import { expect, test } from 'vitest';
import { SolpackError } from '../../../../lib/kernel/events/errors.ts';
import { requireUnreserved } from '../../../../lib/parts/components/reserved.ts';

const map = (metadata: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } });

test('all objects of a component that are for solpack alone are named, those too that only their component puts there', () => {
  const objects = [
    map({}),
    map({ name: 'b', namespace: 'shop' }),
    map({ name: 'c', namespace: 'shop', labels: { 'applyset.kubernetes.io/id': 'x' } }),
  ];
  const refused = (): void => requireUnreserved('web', objects, 'solpack-system');
  expect(refused).toThrow(SolpackError);
  expect(refused).toThrow(
    'has objects that are reserved for solpack: ConfigMap solpack-system/a (namespace solpack-system), ConfigMap shop/c (label applyset.kubernetes.io/id)',
  );
  expect(() => requireUnreserved('web', objects.slice(1, 2), 'solpack-system')).not.toThrow();
});
