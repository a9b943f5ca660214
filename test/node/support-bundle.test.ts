import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { filesBelow, textsIn } from '../support/hidden-texts.ts';
import { ok, scratch } from '../support/judges.ts';
import { openShop, shell, web } from '../support/node/shops.ts';
import { workshop } from '../support/node/solutions.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

const node = sharedNode();
const folder = scratch('support-bundle-node');
const shops = workshop(folder, node);

const secrets = ['swordfish-in-env/1', 'kept in a file, number 2', 'told-by-nobody-3'];

nodeTest('a support bundle has what a Pod printed that crashes, in which nobody finds a Secret', async () => {
  const shop = await openShop('printing', shops, node());
  const own = stated('v1', 'Secret', 'printing/own', { stringData: { variable: secrets[0]!, file: secrets[1]! } });
  const theirs = ['create', 'secret', 'generic', 'theirs', `--from-literal=other=${secrets[2]}`];
  await node().kubectl('-n', 'printing', ...theirs);
  const printing = [
    'echo "begin"; echo "with $variable and $other"; cat /own/file; echo',
    'printf "%s" "$variable" | base64; cat /own/file | base64; printf "user:%s" "$other" | base64',
    'cat /own/file | gzip | base64; printf "%s" "$variable" | base64 | base64; cat /own/* | gzip | base64 -w 0; echo',
    'printf "%s" "$other" > /dev/termination-log; echo "end"; exit 3',
  ].join('; ');
  const container = {
    ...shell(printing),
    envFrom: ['own', 'theirs'].map((name) => ({ secretRef: { name } })),
    volumeMounts: [{ name: 'own', mountPath: '/own' }],
  };
  const pod = { volumes: [{ name: 'own', secret: { secretName: 'own' } }] };
  await shops.fails(shop.second(own, web('printing', 'second', { container, pod })), '--timeout', '20s');
  const output = join(folder, 'bundle.tar.gz');
  await node().succeeds(['support-bundle', '-o', output, '--kubeconfig', node().kubeconfig, '--quiet']);
  mkdirSync(join(folder, 'bundle'));
  await ok('tar', ['-xzf', output, '-C', join(folder, 'bundle')]);
  const files = filesBelow(join(folder, 'bundle'));
  const found = [...files].filter(([, bytes]) => {
    return [...textsIn(bytes)].some((text) => secrets.some((secret) => text.includes(secret)));
  });
  expect(found.map(([path]) => path)).toEqual([]);
  const previous = [...files.keys()].find((path) => path.endsWith('/app.previous.log'));
  const printed = readFileSync(previous!, 'utf8').split('\n');
  expect(printed.slice(0, 3)).toEqual(['begin', 'with *** and ***', '***']);
  expect(printed.at(-2)).toBe('end');
  const told = JSON.parse(readFileSync(join(previous!, '../pod.json'), 'utf8'));
  expect(told.pod.metadata.namespace).toBe('printing');
  expect(told.events.map(({ reason }: { reason: string }) => reason)).toContain('BackOff');
  expect(told.pod.status.containerStatuses[0].lastState.terminated).toMatchObject({ exitCode: 3, message: '***' });
});
