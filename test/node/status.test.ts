import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { type JsonResults, jsonSchemas } from '../../cli/view/json.ts';
import { type Running, succeeds } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { until } from '../support/until.ts';

const folder = scratch('node-status');
const cwd = folder;
const node = sharedNode();
let serving: Running | undefined;

type Status = JsonResults['status'];
type ObjectStatus = Status['solutions'][number]['objects'][number];

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook'), folder, { recursive: true });
  await succeeds(['pack', '1.1.0', '-o', 'guestbook.iso'], { cwd });
  const text = 'solutions: [{name: guestbook, archives: [guestbook.iso]}]\n';
  writeFileSync(
    join(folder, 'edge.yaml'),
    `apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\n${text}`,
  );
  return async () => {
    await serving?.stop();
  };
});

async function statusOf(): Promise<{ code: number; status: Status }> {
  const { code, stdout, stderr } = await node().solpack(['status', '--kubeconfig', node().kubeconfig, '--json', '-q']);
  if (code > 1) throw new Error(stderr);
  return { code, status: jsonSchemas.status.parse(JSON.parse(stdout)) as Status };
}

/** Asks until an object is as expected. */
async function untilObject(name: string, isWanted: (one: ObjectStatus) => boolean): Promise<ObjectStatus> {
  const found = await until(
    async () =>
      (await statusOf()).status.solutions.flatMap(({ objects }) => objects).find(({ object }) => object === name),
    (one) => one !== undefined && isWanted(one),
  );
  return found!;
}

const web = 'Deployment/guestbook/web';
const patched = (change: object): Promise<string> =>
  node().kubectl('patch', 'deployment', 'web', '-n', 'guestbook', '--type', 'strategic', '-p', JSON.stringify(change));
const ofContainer = (change: object): object => ({
  spec: { template: { spec: { containers: [{ name: 'web', ...change }] } } },
});
const repairs = async (): Promise<void> => {
  const { code, stderr } = await node().solpack(['repair', '--kubeconfig', node().kubeconfig, '-q']);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^[^\n]*trust was not checked[^\n]*\n$/)]);
  await untilObject(web, ({ state }) => state === 'ready');
};

describe('status of what runs on a node', () => {
  nodeTest('is ready once it was installed, with every image where nodes pull it', async () => {
    serving = await node().serves(['serve', '-f', 'edge.yaml', '--listen', '127.0.0.1:5000'], { cwd });
    const places = ['--kubeconfig', node().kubeconfig, '--hosts-dir', node().hostsDir, '--served-at', serving.first];
    const { code } = await node().solpack(['install', '-f', 'edge.yaml', '--insecure-skip-verify', ...places, '-q'], {
      cwd,
    });
    expect(code).toBe(0);
    const { code: ready, status } = await statusOf();
    expect(status.solutions.flatMap(({ objects }) => objects.filter(({ state }) => state !== 'ready'))).toEqual([]);
    expect(status.solutions.map(({ images }) => images)).toEqual([{ asked: true, missing: [], reasons: {} }]);
    expect(ready).toBe(0);
  });

  nodeTest(
    'is degraded where an image cannot be pulled, with the cause and with who has set it; a repair mends it',
    async () => {
      await node().kubectl('set', 'image', 'deployment/web', '-n', 'guestbook', 'web=registry.example.com/absent:1');
      const { reason, drift } = await untilObject(
        web,
        ({ state, reason: why }) => state === 'degraded' && /pulled/.test(why ?? ''),
      );
      expect(reason).toMatch(/image registry.example.com\/absent:1 of container web .* cannot be pulled/);
      expect(drift).toMatchObject([{ path: 'spec.template.spec.containers[web].image', manager: 'kubectl-set' }]);
      await repairs();
    },
  );

  nodeTest('is degraded where a container crashes, and where no node takes it', async () => {
    await patched(ofContainer({ command: ['/nothing-of-this-name'] }));
    const crashed = await untilObject(web, ({ state }) => state === 'degraded');
    expect(crashed.reason).toMatch(/nothing-of-this-name/);
    await node().kubectl('rollout', 'undo', 'deployment/web', '-n', 'guestbook');
    // What somebody has added was never applied, so that a repair leaves it.
    await patched({ spec: { template: { spec: { nodeSelector: { nowhere: 'yes' } } } } });
    await untilObject(
      web,
      ({ state, reason }) => state === 'degraded' && /cannot be placed on a node/.test(reason ?? ''),
    );
    await node().kubectl('rollout', 'undo', 'deployment/web', '-n', 'guestbook');
    await repairs();
    expect((await statusOf()).code).toBe(0);
  });

  nodeTest('names the images that nobody serves any longer, and is ready all the same', async () => {
    await serving?.stop();
    const { code, status } = await statusOf();
    expect(code).toBe(0);
    expect(status.solutions[0]?.images.missing.length).toBeGreaterThan(0);
  });
});
