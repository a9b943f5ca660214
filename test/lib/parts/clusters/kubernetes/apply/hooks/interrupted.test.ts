import { describe, expect, test } from 'vitest';
import type { ApplyRequest } from '../../../../../../../lib/parts/clusters/kind.ts';
import { completedAtEachCall, griefs, having, takenBackAtEachCall } from '../../../../../../support/cluster/grief.ts';
import { component, definition, map, stated } from '../../support.ts';
import { asking, hook } from './support.ts';

const succeeded = { 'hook-delete-policy': 'before-hook-creation,hook-succeeded' };

/** A Solution with hooks of all events, of which the second version lacks a component. */
function shop(version: '1.0.0' | '2.0.0'): ApplyRequest {
  const web = component(
    'web',
    stated('v1', 'Namespace', 'shop'),
    definition('Widget', version === '1.0.0' ? ['v1'] : ['v1', 'v2']),
    map('shop/web', version),
    hook('shop/both', 'pre-install,pre-upgrade', version, succeeded),
    hook('shop/check', 'pre-upgrade', version, { 'hook-weight': '-1' }),
    hook('shop/after', 'post-install,post-upgrade', version),
  );
  const old = component(
    'old',
    map('shop/old', version),
    hook('shop/farewell', 'pre-delete', version, succeeded),
    hook('shop/afterwards', 'post-delete', version),
  );
  const components = (version === '1.0.0' ? [web, old] : [web]).map((one) => ({ ...one, timeout: 20_000 }));
  return asking(version, ...components);
}

const courses = [
  ['an install', [], shop('1.0.0')],
  ['an upgrade that removes a component', [shop('1.0.0')], shop('2.0.0')],
  ['a removal', [shop('1.0.0')], { ...shop('1.0.0'), solutions: [] }],
] as const;

// Each is some hundred installs.
describe.each(griefs)('where a call of it $name', (grief) => {
  test.each(courses)('%s with hooks is completed by the next run, whichever call it is', async (_, before, request) => {
    expect(await completedAtEachCall(await having(...before), request, grief)).toBeGreaterThan(20);
  });

  test('an install with hooks is taken back by the next run, whichever call it is', async () => {
    await takenBackAtEachCall(shop('1.0.0'), grief);
  });
});
