import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../../../formats/manifest/object.ts';
import { claimsGoingWith } from '../../../../../../../lib/parts/clusters/kubernetes/apply/actions/claims.ts';
import { foreseeRequest } from '../../../../../../../lib/parts/clusters/kubernetes/apply/apply-request.ts';
import type { Leftover } from '../../../../../../../lib/parts/clusters/kubernetes/apply/leftovers.ts';
import { ApiError, type LiveObject } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import type { ApplySession } from '../../../../../../../lib/parts/clusters/kubernetes/server/session.ts';
import { applyTo, prompt } from '../../../../../../support/cluster/applying.ts';
import { memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { component, definition, solution, stated } from '../../support.ts';

const claim = (name: string, owner: string): KubernetesObject => {
  const object = stated('v1', 'PersistentVolumeClaim', `shop/${name}`);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [{ kind: 'Any', name: 'db', uid: owner }] } };
};

test('claims that a custom resource owns are foreseen to go with it, and no others', async () => {
  const cluster = memoryCluster();
  const kind = solution('kind', component('all', definition('Database'), stated('v1', 'Namespace', 'shop')));
  const database = solution('shop', component('all', stated('example.com/v1', 'Database', 'shop/db')));
  await applyTo(cluster.connect(), { configuration: 'here', solutions: [kind, database] });
  const { uid } = cluster.objects().find((one) => one.kind === 'Database')!.metadata;
  for (const made of [claim('data', uid), claim('free', 'other')]) {
    await cluster.connect().apply(made, {}, testFlow().signal);
  }
  const session = { api: cluster.connect(), flow: testFlow(), timing: prompt, force: false };
  const { actions } = await foreseeRequest({ configuration: 'here', solutions: [kind] }, session);
  expect(actions.map(({ subject, action, solution: of, reason }) => [subject, action, of, reason])).toEqual([
    ['Database/shop/db', 'remove', 'shop', undefined],
    ['PersistentVolumeClaim/shop/data', 'remove', 'shop', 'it is removed with Database db'],
  ]);
});

test('those of a StatefulSet too, each namespace is asked once, and nobody is where no owner of claims goes', async () => {
  const asked: string[] = [];
  const listed = (names: readonly string[]): LiveObject[] => names.map((name) => live(claim(name, 'StatefulSet')));
  const session = (answer: readonly LiveObject[] | ApiError): ApplySession =>
    ({
      flow: testFlow(),
      api: {
        discover: async () => ({ find: () => ({ kind: 'PersistentVolumeClaim' }) }),
        list: async (_: unknown, { namespace }: { readonly namespace: string }) => {
          asked.push(namespace);
          if (answer instanceof ApiError) throw answer;
          return answer;
        },
      },
    }) as unknown as ApplySession;
  const sets = [leftover('apps/v1', 'StatefulSet', 'shop/db'), leftover('apps/v1', 'StatefulSet', 'shop/cache')];
  const found = await claimsGoingWith(sets, session(listed(['data-db-0'])));
  expect([found.map(({ subject }) => subject), asked]).toEqual([['PersistentVolumeClaim/shop/data-db-0'], ['shop']]);
  const others = [leftover('apps/v1', 'Deployment', 'a/web'), leftover('networking.k8s.io/v1', 'Ingress', 'a/web')];
  expect([await claimsGoingWith(others, session(listed(['data']))), asked]).toEqual([[], ['shop']]);
  const refusal = new ApiError({ verb: 'list', subject: 'claims' }, { status: 403 }, 'may not be listed');
  expect(await claimsGoingWith(sets, session(refusal))).toEqual([]);
});

function live(object: KubernetesObject): LiveObject {
  return { ...object, metadata: { uid: object.kind, resourceVersion: '1', ...object.metadata } } as LiveObject;
}

function leftover(apiVersion: string, kind: string, place: string): Leftover {
  return { object: live(stated(apiVersion, kind, place)), inventory: { solution: 'shop' } } as unknown as Leftover;
}
