import { describe, expect } from 'vitest';
import { map, stated } from '../lib/clusters/kubernetes/support.ts';
import { scratch } from '../support/judges.ts';
import { job, pod, space } from '../support/node/requests.ts';
import { openShop, sleeper, web } from '../support/node/shops.ts';
import { image, unpulled, workshop } from '../support/node/solutions.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

const node = sharedNode();
const shops = workshop(scratch('failures'), node);
const open = (name: string, ...more: Parameters<typeof openShop>[3][]) => openShop(name, shops, node(), ...more);
const soon = ['--timeout', '5s'];

describe('images', () => {
  nodeTest('one that the archive does not hold is told before the first object is touched', async () => {
    const shop = await open('absent');
    const before = await shop.versions();
    const line = await shops.fails(
      shop.second(map('absent/new'), web('absent', 'second', { image: 'registry.example.com/absent/web:2' })),
      ...soon,
    );
    expect(line).toMatch(/x/);
    expect(await shop.versions()).toEqual(before);
    await shop.stands();
  });

  nodeTest('one whose registry stops serving', async () => {
    const shop = await open('pull');
    const serving = await shops.serve();
    const first = { name: 'gate', objects: [sleeper('pull/gate', {})] };
    const gate = first.objects[0]!;
    (gate as any).spec.template.spec.nodeSelector = { gate: 'open' };
    const recipe = { ...shop.second(), parts: [
      { name: 'gate', objects: [space('pull'), gate], timeout: '60s' },
      { name: 'web', objects: [web('pull', 'second', { image: unpulled })], after: ['gate'] },
    ] };
    const ending = shops.install(recipe, ...soon, '--served-at', serving.first);
    await expect.poll(() => node().run('kubectl', ['get', 'deployment', 'gate', '-n', 'pull']), { timeout: 30_000 }).toMatchObject({ code: 0 });
    await serving.stop();
    await node().kubectl('label', 'node', 'node', 'gate=open');
    const { lineOf } = await import('../support/node/solutions.ts');
    const line = lineOf(await ending);
    expect(line).toMatch(/x/);
    await shop.stands();
  });
});

describe('workloads', () => {
  nodeTest('crash', async () => {
    const shop = await open('crash');
    const command = ['/bin/sh', '-c', 'echo starting; echo "cannot open /data/db: no such file" >&2; exit 3'];
    const line = await shops.fails(shop.second(web('crash', 'second', { command })), ...soon);
    expect(line).toMatch(/x/);
    await shop.stands();
  });
  nodeTest('unschedulable', async () => {
    const shop = await open('large');
    const resources = { requests: { cpu: '1000' } };
    const line = await shops.fails(shop.second(web('large', 'second', { resources })), ...soon);
    expect(line).toMatch(/x/);
    await shop.stands();
  });
  nodeTest('quota', async () => {
    const quota = stated('v1', 'ResourceQuota', 'quota/pods', { spec: { hard: { pods: '1', configmaps: '3' } } });
    const shop = await open('quota', quota);
    const line = await shops.fails(shop.second(quota, web('quota', 'second')), ...soon);
    expect(line).toMatch(/x/);
    const l2 = await shops.fails(shop.second(quota, map('quota/a'), map('quota/b'), map('quota/c')), ...soon);
    expect(l2).toMatch(/x/);
    await shop.stands();
  });
  nodeTest('job', async () => {
    const shop = await open('job');
    const migrate = { ...job('job/migrate', 'echo "schema 7 is unknown"; exit 4') } as any;
    migrate.spec.template.spec.containers[0].image = image;
    const line = await shops.fails(shop.second(migrate, web('job', 'second')));
    expect(line).toMatch(/x/);
    await shop.stands();
  });
  nodeTest('own timeout', async () => {
    const shop = await open('late');
    const never = web('late', 'second', { readinessProbe: { tcpSocket: { port: 9 }, periodSeconds: 1 } });
    const recipe = { ...shop.second(), parts: [{ name: 'slow', objects: [space('late'), never], timeout: '3s' }] };
    const line = await shops.fails(recipe, '--timeout', '10m');
    expect(line).toMatch(/x/);
    await shop.stands();
  });
});
