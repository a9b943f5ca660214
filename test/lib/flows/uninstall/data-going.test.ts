import { expect, test } from 'vitest';
import type { UninstallAgreement } from '../../../../lib/flows/uninstall/data-going.ts';
import { uninstall } from '../../../../lib/flows/uninstall/index.ts';
import type { UninstallResult } from '../../../../lib/flows/uninstall/result.ts';
import type { ApplyRequest } from '../../../../lib/parts/clusters/kind.ts';
import { having } from '../../../support/cluster/grief.ts';
import { runOn } from '../../../support/cluster/grieved-flows.ts';
import { testFlow } from '../../../support/flow.ts';
import { definition, stated } from '../../parts/clusters/kubernetes/support.ts';

const noted = { root: undefined, site: undefined, signers: [], archive: undefined, images: [] };
const solution = (name: string, ...objects: ReturnType<typeof stated>[]): ApplyRequest['solutions'][number] => ({
  ...{ name, version: '1.0.0', root: undefined },
  components: [{ ...{ name: 'all', after: [], timeout: 60_000 }, objects }],
});
const request: ApplyRequest = {
  configuration: 'edge',
  solutions: [
    solution('kind', definition('Database'), stated('v1', 'Namespace', 'shop')),
    solution('shop', stated('example.com/v1', 'Database', 'shop/db')),
  ],
  generation: {
    ...{ cause: 'install', configuration: undefined, keep: 10 },
    solutions: ['kind', 'shop'].map((name) => ({ ...noted, name, version: '1.0.0' })),
  },
};

test('claims that go with what owns them are named, and asked for, before anything is done', async () => {
  const cluster = await having(request);
  const { uid } = cluster.objects().find((one) => one.kind === 'Database')!.metadata;
  const claim = stated('v1', 'PersistentVolumeClaim', 'shop/data');
  const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Database', name: 'db', uid }];
  await cluster.connect().apply({ ...claim, metadata: { ...claim.metadata, ownerReferences } }, {}, testFlow().signal);
  const removing = (agreement: UninstallAgreement): Promise<unknown> =>
    runOn(cluster, (target, flow) =>
      uninstall({ cluster: target, name: 'shop', agreement, keepGenerations: 10 }, flow),
    );
  await expect(removing({ removal: ['kind'] })).rejects.toMatchObject({
    code: 'removal-unnamed',
    message: expect.stringContaining('PersistentVolumeClaim/shop/data of shop would be removed, with the data in it'),
    hint: expect.stringContaining('--allow-removal shop'),
  });
  const asked: unknown[] = [];
  const declining = async (removals: unknown, toName: unknown): Promise<void> => {
    asked.push(removals, toName);
    throw new Error('declined');
  };
  await expect(removing({ removal: [], agree: declining })).rejects.toThrow('declined');
  expect(asked).toEqual([
    [{ solution: 'shop', kind: 'data', version: '1.0.0', objects: ['PersistentVolumeClaim/shop/data'] }],
    ['shop'],
  ]);
  expect(cluster.objects().some((one) => one.kind === 'Database')).toBe(true);
  const { taken } = (await removing({ removal: ['shop'], agree: declining })) as UninstallResult;
  expect(taken).toEqual([{ object: 'PersistentVolumeClaim shop/data', reason: 'it is removed with Database db' }]);
  expect(cluster.objects().some((one) => one.kind === 'Database')).toBe(false);
});
