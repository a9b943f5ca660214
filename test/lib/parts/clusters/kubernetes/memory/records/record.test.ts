import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { HOME } from '../../../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import {
  readRecord,
  removeRecords,
  storeRecord,
} from '../../../../../../../lib/parts/clusters/kubernetes/memory/records/record.ts';
import type { KubernetesApi } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { contentOf, prompt, versionsOf } from '../../../../../../support/cluster/applying.ts';
import { disturbed } from '../../../../../../support/cluster/faults.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';

let cluster: MemoryCluster;
beforeEach(() => {
  cluster = memoryCluster();
});

const record = { solution: 'shop', about: 'rendered.web' };
const sessionOver = (api: KubernetesApi) => ({ api, flow: testFlow(), timing: prompt, force: false });
const here = () => sessionOver(cluster.connect());
const secrets = () => cluster.objects().filter(({ kind }) => kind === 'Secret');
// What cannot be compressed, so that it takes three Secrets.
const large = randomBytes(2_000_000);
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();

describe('what is remembered', () => {
  test('is nothing where nothing was', async () => {
    expect(await readRecord(record, here())).toBeUndefined();
  });

  test('is read as it was written, also what no Secret could hold alone', async () => {
    for (const bytes of [Buffer.from('small'), large, Buffer.alloc(0)]) {
      await storeRecord(record, bytes, here());
      expect(Buffer.compare((await readRecord(record, here()))!, bytes)).toBe(0);
    }
    expect(secrets()).toHaveLength(1);
  });

  test('lies in Secrets of less than a MiB, with labels that tell whose they are', async () => {
    await storeRecord(record, large, here());
    expect(secrets().map(({ metadata }) => metadata.namespace)).toEqual([HOME, HOME, HOME, HOME]);
    for (const { data, metadata } of secrets()) {
      const sizes = Object.values(data as Record<string, string>).map((one) => Buffer.from(one, 'base64').length);
      expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(1024 * 1024);
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/managed-by': 'solpack',
        'solpack.io/record-of': 'shop',
      });
    }
  });

  test('stays as it is where the same is written again', async () => {
    await storeRecord(record, large, here());
    const before = versionsOf(cluster);
    await storeRecord(record, large, here());
    expect(versionsOf(cluster)).toEqual(before);
  });

  test('is one thing for each name, and forgotten with its Solution', async () => {
    const other = { solution: 'shop', about: 'rendered.database' };
    const elsewhere = { solution: 'web', about: 'rendered.web' };
    await storeRecord(record, Buffer.from('a'), here());
    await storeRecord(other, Buffer.from('b'), here());
    await storeRecord(elsewhere, Buffer.from('c'), here());
    expect(text(await readRecord(other, here()))).toBe('b');
    await removeRecords({ solution: 'shop' }, here(), (about) => about === 'rendered.web');
    expect([text(await readRecord(record, here())), await readRecord(other, here())]).toEqual(['a', undefined]);
    await removeRecords({ solution: 'shop' }, here());
    expect([await readRecord(record, here()), text(await readRecord(elsewhere, here()))]).toEqual([undefined, 'c']);
  });

  test.each([
    ['a piece is gone', (name: string) => name.endsWith('.1') && cluster.drop(named(name))],
    ['a piece was changed', (name: string) => name.endsWith('.1') && spoil(name, { content: 'AAAA' })],
    ['the Secret that names them was changed', (name: string) => /web$/.test(name) && spoil(name, { digest: 'AAAA' })],
  ])('counts as nothing where %s, and is written anew', async (_, damage) => {
    await storeRecord(record, large, here());
    for (const { metadata } of secrets()) damage(metadata.name);
    const session = here();
    expect(await readRecord(record, session)).toBeUndefined();
    expect(session.flow.events).toEqual([
      {
        type: 'notice',
        subject: `Secret ${HOME}/record-shop.rendered.web`,
        message: 'the record of solpack there is damaged, and is created again',
      },
    ]);
    await storeRecord(record, large, here());
    expect(Buffer.compare((await readRecord(record, here()))!, large)).toBe(0);
  });
});

const named = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', name, namespace: HOME });

function spoil(name: string, data: Record<string, string>): void {
  cluster.change(named(name), (draft) => {
    draft['data'] = { ...(draft['data'] as object), ...data };
  });
}

test('a run that ends at any call leaves the earlier record or the new one, and the next one leaves nothing else', async () => {
  const earlier = randomBytes(1_000_000);
  await storeRecord(record, earlier, here());
  const begun = cluster;
  cluster = begun.copy();
  await storeRecord(record, large, here());
  const straight = contentOf(cluster);
  let calls = 0;
  for (let happened = true; happened; ) {
    calls += 1;
    happened = false;
    cluster = begun.copy();
    const api = disturbed(cluster.connect(), ({ count }) => {
      happened ||= count > calls;
      return count > calls ? 'unheard' : undefined;
    });
    await storeRecord(record, large, sessionOver(api)).catch(() => undefined);
    const left = (await readRecord(record, here()))!;
    expect([calls, Buffer.compare(left, earlier) === 0 || Buffer.compare(left, large) === 0]).toEqual([calls, true]);
    await storeRecord(record, large, here());
    expect([calls, Object.keys(contentOf(cluster))]).toEqual([calls, Object.keys(straight)]);
  }
  expect(calls).toBeGreaterThan(7);
});
