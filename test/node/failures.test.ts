import { describe, expect } from 'vitest';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { map, stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { scratch } from '../support/judges.ts';
import { type More, openShop, type Shop, shell, web } from '../support/node/shops.ts';
import { image, lineOf, unpulled, workshop } from '../support/node/solutions.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { until } from '../support/until.ts';

const node = sharedNode();
const shops = workshop(scratch('failures'), node);
const open = (name: string, ...more: readonly KubernetesObject[]): Promise<Shop> =>
  openShop(name, shops, node(), ...more);
const soon = ['--timeout', '8s'];

/** The start of each line about a web server of version 2.0.0 that is not ready. */
const about = (name: string): RegExp =>
  new RegExp(`^solpack: Deployment ${name}/web: component all of ${name}: not ready after [0-9]+ s: `);
const end = (name: string): RegExp => new RegExp(`; nothing of ${name} 1\\.0\\.0 was removed \\[object-not-ready\\]$`);

describe.concurrent('while the version before goes on serving, an install says in one line', () => {
  /** Fails to bring up a web server that is not to be ready, and returns what was said of it, and what to do. */
  async function broken(name: string, more: More): Promise<string> {
    const shop = await open(name);
    const line = await shops.fails(shop.second(web(name, 'second', more)), ...soon);
    expect(line).toMatch(about(name));
    expect(line).toMatch(end(name));
    await shop.stands();
    return line.replace(about(name), '').replace(end(name), '');
  }

  nodeTest('how a container that crashes ended, with its last words', async () => {
    const container = shell('echo starting; echo "cannot open /data/db"; exit 3');
    const line = await broken('crash', { container });
    expect(line).toMatch(
      /^container app of Pod (web-\S+) ended with exit code 3( \(\d restarts?\))?; its log ends: starting \| cannot open \/data\/db; last events: .*BackOff: .*; correct what it complains about; "kubectl -n crash logs \1 -c app --previous" shows its whole log$/,
    );
    const command = /"kubectl (.*)"/.exec(line)![1]!.split(' ');
    expect(await node().kubectl(...command)).toBe('starting\ncannot open /data/db\n');
  });

  nodeTest('and no Secret among those words, neither one of the Solution nor one that was there', async () => {
    await open('crash-secret');
    const own = stated('v1', 'Secret', 'crash-secret/own', { stringData: { password: 'hunter22' } });
    await node().kubectl(
      '-n',
      'crash-secret',
      'create',
      'secret',
      'generic',
      'theirs',
      '--from-literal=token=swordfish',
    );
    const env = ['own', 'theirs'].map((name) => ({ secretRef: { name } }));
    const container = { ...shell('echo "$password $token $(echo -n $password | base64)"; exit 3'), envFrom: env };
    const second = {
      name: 'crash-secret',
      version: '2.0.0',
      parts: [{ name: 'all', objects: [own, web('crash-secret', 'second', { container })] }],
    };
    expect(await shops.fails(second, ...soon)).toContain('; its log ends: *** *** ***; ');
  });

  nodeTest('why a Pod is placed on no node, in the words of the scheduler', async () => {
    const line = await broken('large', { container: { resources: { requests: { cpu: '1000' } } } });
    expect(line).toMatch(
      /^Pod web-\S+ cannot be placed on a node: 0\/1 nodes are available: 1 Insufficient cpu; last events: FailedScheduling: .*; lower its requests of cpu, or give the node more cpu$/,
    );
  });

  nodeTest('which probe fails, and how', async () => {
    const readinessProbe = { httpGet: { port: 8080, path: '/health' }, periodSeconds: 1 };
    expect(await broken('probe', { container: { readinessProbe } })).toMatch(
      /^container app of Pod web-\S+ runs, but its readiness probe fails: HTTP probe failed with statuscode: 404; last events: Unhealthy: .*"kubectl -n probe logs web-\S+ -c app" shows what it does$/,
    );
  });

  nodeTest('which quota keeps a Pod from being made', async () => {
    const quota = stated('v1', 'ResourceQuota', 'quota/pods', { spec: { hard: { pods: '1' } } });
    const shop = await open('quota', quota);
    const line = await shops.fails(shop.second(quota, web('quota', 'second')), ...soon);
    expect(line).toMatch(about('quota'));
    expect(line).toMatch(
      /: no Pod can be created: quota pods is used up \(requested: pods=1, used: pods=1, limited: pods=1\); last events: FailedCreate: .*; raise ResourceQuota pods in namespace quota, or let the Pods ask for less; nothing/,
    );
    await shop.stands();
  });

  nodeTest('which image cannot be pulled, and that it is the registry that does not answer', async () => {
    const shop = await open('pull');
    const serving = await shops.serve();
    const pod = { nodeSelector: { pulls: 'now' } };
    const second = shop.second(web('pull', 'second', { container: { image: unpulled }, pod }));
    const ending = shops.install(second, '--timeout', '20s', '--served-at', serving.first);
    // Once all has been asked for, the registry ends before a Pod is placed where it would be pulled for.
    const pending = ['get', 'pods', '-n', 'pull', '--field-selector=status.phase=Pending', '-o', 'name'];
    await until(
      () => node().kubectl(...pending),
      (pods) => pods.includes('pod/web-'),
    );
    await serving.stop();
    await node().kubectl('label', 'node', 'node', 'pulls=now');
    const line = lineOf(await ending);
    const { host } = new URL(serving.first);
    expect(line).toMatch(about('pull'));
    expect(line).toContain(`image ${host}/registry.example.com/tests/unpulled:1@sha256:`);
    expect(line).toMatch(
      / cannot be pulled: \S+ "https?:\S+": dial tcp \S+ connect: connection refused; last events: Failed/,
    );
    expect(line).toContain('start the registry that containerd asks there ("solpack serve"');
    await shop.stands();
    // The same command again, with the registry there, is all that it takes.
    await shops.installs(second);
  });

  nodeTest('why a Job failed, before what comes after it is touched', async () => {
    const shop = await open('job');
    const template = {
      spec: { restartPolicy: 'Never', containers: [{ name: 'app', image, ...shell('echo no such schema; exit 4') }] },
    };
    const migration = stated('batch/v1', 'Job', 'job/migrate', { spec: { backoffLimit: 0, template } });
    const second = shop.second(migration);
    const parts = [...second.parts, { name: 'web', objects: [web('job', 'second')], after: ['all'] }];
    expect(await shops.fails({ ...second, parts })).toMatch(
      /^solpack: Job job\/migrate: component all of job: failed after \d+ s: container app of Pod migrate-\S+ ended with exit code 4; its log ends: no such schema; last events: .*; "kubectl -n job logs migrate-\S+ -c app" shows its whole log; nothing of job 1\.0\.0 was removed \[object-not-ready\]$/,
    );
    await shop.stands();
  });

  nodeTest('how long a component was waited for, by its own timeout before that of the command line', async () => {
    const shop = await open('late');
    const never = web('late', 'second', {
      container: { readinessProbe: { tcpSocket: { port: 9 }, periodSeconds: 1 } },
    });
    const { parts, ...second } = shop.second(never);
    const line = await shops.fails({ ...second, parts: [{ ...parts[0]!, timeout: '3s' }] }, '--timeout', '1h');
    expect(line).toMatch(
      /: not ready after [3-9] s: container app of Pod web-\S+ runs, but its readiness probe fails: /,
    );
    await shop.stands();
  });

  nodeTest('an image that the archive does not hold is reported before anything is touched', async () => {
    const shop = await open('absent');
    const before = await shop.versions();
    const absent = 'registry.example.com/tests/absent:2';
    const line = await shops.fails(
      shop.second(map('absent/new'), web('absent', 'second', { container: { image: absent } })),
    );
    expect(line).toMatch(
      /^solpack: \S+\.iso: images are used but not in the archive: registry\.example\.com\/tests\/absent:2 \(component all\); name them in the definition and pack it again, .* \[image-missing\]$/,
    );
    expect(await shop.versions()).toEqual(before);
    await shop.stands();
  });
});
