import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Answer, Question } from '../lib/parts/clusters/kubernetes/health/diagnose/node/ask.ts';
import { before, causes, serving } from '../lib/parts/clusters/kubernetes/health/diagnose/node/causes.ts';
import {
  claim,
  definition,
  job,
  object,
  shell,
  workload,
} from '../lib/parts/clusters/kubernetes/health/diagnose/node/objects.ts';
import { smallSolution } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

const node = sharedNode();
const folder = scratch('diagnose');
const script = join(import.meta.dirname, '../lib/parts/clusters/kubernetes/health/diagnose/node/ask.ts');
let prepared: Promise<readonly Answer[]> | undefined;

/** Applies everything at once, so that all of it fails at once, and asks about all of it; once. */
function prepare(): Promise<readonly Answer[]> {
  prepared ??= (async () => {
    await smallSolution(folder);
    await packHere(join(folder, 'solution.toml'), join(folder, 'small.iso'));
    // It serves an archive that has none of the images that are asked for; it ends with the node.
    const { first } = await node().serves(['serve', join(folder, 'small.iso'), '--listen', '127.0.0.1:0']);
    for (const [host, url] of [
      ['absent.example', first],
      ['unserved.example', 'http://127.0.0.1:5009'],
    ]) {
      mkdirSync(join(node().hostsDir, host!), { recursive: true });
      writeFileSync(join(node().hostsDir, host!, 'hosts.toml'), `server = "${url}"\n[host."${url}"]\n`);
    }
    await apply(before);
    for (;;) {
      const refused = await node().run('kubectl', ['-n', 'policy', 'run', 'x', '--image=x', '--dry-run=server']);
      if (refused.stderr.includes('Pods are not wanted here')) break;
    }
    await apply(causes.map(([, one]) => one));
    return askAll(causes.map(([, one, cause]) => [one, cause]));
  })();
  return prepared;
}

function apply(objects: readonly unknown[]): Promise<string> {
  const input = objects.map((one) => JSON.stringify(one)).join('\n---\n');
  return node().ok('kubectl', ['apply', '-f', '-'], { input });
}

/** Asks about objects until each answer matches, or there is no hope left. */
async function askAll(
  questions: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[],
  kubeconfig = node().kubeconfig,
): Promise<Answer[]> {
  const asked = questions.map(([one, pattern]): Question => {
    const { apiVersion, kind, metadata } = one as unknown as Question['name'] & { metadata: Question['name'] };
    return { name: { ...metadata, apiVersion, kind }, pattern: pattern.source };
  });
  return JSON.parse(await node().ok(process.execPath, [script, kubeconfig, JSON.stringify(asked)]));
}

async function ask(one: Readonly<Record<string, unknown>>, pattern: RegExp, kubeconfig?: string): Promise<Answer> {
  const [answer] = await askAll([[one, pattern]], kubeconfig);
  return answer!;
}

describe('the cause is reported in words, with what to do', () => {
  for (const [at, [title, , cause, hint]] of causes.entries()) {
    nodeTest(title, async () => {
      const answer = (await prepare())[at]!;
      expect(answer.cause).toMatch(cause);
      expect(answer.hint).toMatch(hint);
      expect(answer.state).not.toBe('ready');
      expect(answer.cause.length).toBeLessThanOrEqual(300);
      expect(answer.events.length).toBeLessThanOrEqual(3);
      for (const line of answer.events) expect(line).toMatch(/^\w+: [^\p{Cc}]{1,200}$/u);
    });
  }
});

nodeTest('the warnings of Pods and of what makes them are reported, each once and counted', async () => {
  await prepare();
  const pulled = await ask(workload('shop/pull-absent'), /cannot be pulled/);
  expect(pulled.events.join('\n')).toMatch(/^Failed: Failed to pull image "absent\.example\/app:1": .*not found/m);
  const refused = await ask(workload('quota/deployment'), /quota none/);
  expect(refused.events).toHaveLength(1);
  expect(refused.events[0]).toMatch(/^FailedCreate: pods "\S+" is forbidden: exceeded quota: none, .* \(x\d+\)$/);
});

nodeTest('what is deleted and does not go names the finalizers that hold it', async () => {
  await prepare();
  const finalizers = ['a.example/hold'];
  const held = object('v1/ConfigMap', 'leaving/held', { metadata: { finalizers } });
  await apply([held]);
  await node().kubectl('delete', 'namespace', 'leaving', '--wait=false');
  const answer = await ask(held, /finalizer/);
  expect(answer.state).toBe('terminating');
  expect(answer.cause).toBe('it is being deleted, and held by finalizer a.example/hold');
  const namespace = await ask(object('v1/Namespace', 'leaving'), /a\.example\/hold in 1 resource/);
  expect(namespace.cause).toContain('a.example/hold in 1 resource instances');
});

nodeTest('of what may not be read less is reported, and nothing is thrown', async () => {
  await prepare();
  const kubeconfig = await node().userKubeconfig('reader');
  await node().kubectl('create', 'clusterrole', 'reader', '--verb=get', '--resource=deployments.apps');
  await node().kubectl('create', 'clusterrolebinding', 'reader', '--clusterrole=reader', '--user=reader');
  const crash = await ask(workload('shop/crash'), /./, kubeconfig);
  expect(crash).toMatchObject({ cause: '0 of 1 replica is available', events: [] });
  expect(crash.hint).toContain('kubectl -n shop describe deployment crash');
  const quota = await ask(workload('quota/deployment'), /quota none is used up/, kubeconfig);
  expect(quota.cause).toContain('quota none is used up');
});

nodeTest('what is well is ready', async () => {
  await prepare();
  const well: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [workload('shop/well', serving), '1 of 1 replica is available'],
    [workload('shop/well-set', serving, {}, 'apps/v1/StatefulSet'), '1 of 1 replica is available'],
    [workload('shop/well-daemon', serving, {}, 'apps/v1/DaemonSet'), '1 of 1 Pod is available'],
    [job('shop/well-job', 'Never', shell('true')), 'has completed'],
    [job('shop/well-suspended', 'Never', {}, { suspend: true }), 'is suspended'],
    [claim('shop/well-late', 'late'), 'waits for its first Pod'],
    [
      object('v1/Service', 'shop/well-balanced', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
      'has its cluster IP; no load balancer handles it',
    ],
    [definition('widgets'), 'is established'],
    [object('v1/Namespace', 'shop'), 'is active'],
  ];
  await apply(well.map(([one]) => one));
  const answers = await askAll(well.map(([one]) => [one, /^ready/]));
  expect(answers.map(({ state, message }) => `${state}: ${message}`)).toEqual(
    well.map(([, message]) => `ready: ${message}`),
  );
});
