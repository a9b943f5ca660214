import { expect, test } from 'vitest';
import { applyTo } from '../../../../../../support/cluster/applying.ts';
import { memoryCluster } from '../../../../../../support/cluster/index.ts';
import { component, solution, stated } from '../../support.ts';

const door = stated('v1', 'Service', 'default/door', {
  spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] },
});
const request = { configuration: 'here', solutions: [solution('shop', component('all', door))] };

test.each([
  ['who asks for it', true, [{ object: 'Service default/door', addresses: ['NODE:30080'] }]],
  ['nobody else', undefined, undefined],
])('where objects answer is told to %s', async (_, exposes, told) => {
  const { result } = await applyTo(memoryCluster().connect(), { ...request, exposes });
  expect(result?.exposed).toEqual(told);
});
