import { expect, test } from 'vitest';
import { requireTogether } from '../../../../../../../lib/parts/clusters/kubernetes/memory/generations/others.ts';
import { defaultTiming } from '../../../../../../../lib/parts/clusters/kubernetes/server/session.ts';
import { memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';

const session = { api: memoryCluster().connect(), flow: testFlow(), timing: defaultTiming, force: false };
const asking = (requires: Readonly<Record<string, string>>) => ({
  configuration: 'edge',
  solutions: [{ name: 'shop', version: '1.0.0', relations: { requires } }],
});

test('what a Solution requires of kinds may be served by the cluster itself, in any version', async () => {
  await requireTogether(asking({ 'apps/v1/Deployment': '*' }), session);
  const absent = requireTogether(asking({ 'example.com/v1/Wide': '*' }), session);
  await expect(absent).rejects.toMatchObject({ code: 'set-impossible' });
  const versioned = requireTogether(asking({ 'apps/v1/Deployment': '^1' }), session);
  await expect(versioned).rejects.toMatchObject({ code: 'set-impossible' });
});
