import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { type Running, succeeds, writeFiles } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';
import { packSolpack, solpackImage } from '../support/node/solpack-image.ts';
import { claimOf, packWeb } from '../support/node/web-solution.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { until } from '../support/until.ts';

// The agent in Pods of the closed node: its image comes out of an archive, and so do those of what it installs.

const folder = scratch('node-agent');
const cwd = folder;
const archives = join(folder, 'archives');
/** What is remembered of releases, on the node. */
const state = join(folder, 'state');
const node = sharedNode();
let serving: Running | undefined;
let registry: string;

const configuration = (version: string): string => `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: shop, activeVersion: "${version}", archives: [shop-1.0.0.iso, shop-2.0.0.iso, shop-3.0.0.iso]}]
`;

beforeAll(async () => {
  mkdirSync(archives);
  await succeeds(['keygen', '-o', 'release'], { cwd });
  // The second one brings a plugin, the third one never comes up.
  await packWeb(folder, { name: 'shop', version: '1.0.0', delay: 4 });
  await packWeb(folder, { name: 'shop', version: '2.0.0', delay: 4, plugin: true });
  await packWeb(folder, { name: 'shop', version: '3.0.0', delay: 1, probe: '/bin/false' });
  for (const version of ['1.0.0', '2.0.0', '3.0.0'])
    writeFiles(archives, { [`${version}.yaml`]: configuration(version) });
  mkdirSync(state);
  chmodSync(state, 0o777);
  await packSolpack(folder);
  renameSync(join(folder, 'solpack-1.0.0.iso'), join(archives, 'solpack-1.0.0.iso'));
  chmodSync(archives, 0o755);
  return async () => {
    await serving?.stop();
  };
});

const kubectl = (...args: readonly string[]): Promise<string> => node().kubectl(...args);
const imageThere = (): Promise<string> =>
  node()
    .kubectl('get', 'deployment', 'web', '-n', 'shop', '-o', 'jsonpath={.spec.template.spec.containers[0].image}')
    .catch(() => '');
const untilReady = (version: string, is = 'True'): Promise<string> =>
  until(
    async () => {
      const { stdout } = await node().run('kubectl', [
        'get',
        'solutionsconfigurations',
        'edge',
        '-o',
        'jsonpath={.status}',
      ]);
      if (stdout === '') return '';
      const { solutions = [], conditions = [] } = JSON.parse(stdout) as {
        solutions?: { version: string }[];
        conditions?: { type: string; status: string; message: string }[];
      };
      const ready = conditions.find(({ type }) => type === 'Ready');
      return `${solutions[0]?.version} ${ready?.status} ${ready?.message}`;
    },
    (text) => text.startsWith(`${version} ${is}`),
  );
const leader = async (): Promise<string> => {
  const holder = await kubectl(
    'get',
    'lease',
    'solpack-agent',
    '-n',
    'solpack-agent',
    '-o',
    'jsonpath={.spec.holderIdentity}',
  );
  return holder.split('_')[0] ?? '';
};

const generations = async (): Promise<{ state: string }[]> => {
  const { stdout } = await node().solpack(['history', '--kubeconfig', node().kubeconfig, '--json']);
  return (JSON.parse(stdout) as { generations: { state: string }[] }).generations;
};

describe('solpack agent in a closed cluster', () => {
  nodeTest(
    'comes out of an archive, and installs what the custom resource says, as a user without a name',
    async () => {
      const paths = ['solpack', 'shop-1', 'shop-2', 'shop-3'].map((name) =>
        join(archives, `${name.includes('-') ? name : `${name}-1`}.0.0.iso`),
      );
      serving = await node().serves(['serve', ...paths, '--listen', '0.0.0.0:5000'], { cwd });
      registry = `${node().address}:5000`;
      writeFiles(join(node().hostsDir, registry), {
        'hosts.toml': `server = "http://${registry}"\n[host."http://${registry}"]\n`,
      });
      const words = ['agent', 'edge', '--served-at', `http://${registry}`, '--key', '/etc/solpack/release.pub'];
      words.push('--rollback-on-failure', '--timeout', '15s', '--state-from', 'claim:state');
      const printing = ['--manifests', '-f', join(archives, '1.0.0.yaml'), '--archives-from', archives];
      const printed = await succeeds([...words, ...printing, '--image', `${registry}/${solpackImage}`], { cwd });
      writeFileSync(join(folder, 'agent.yaml'), printed);
      await kubectl('apply', '-f', join(folder, 'agent.yaml'));
      await node().ok('kubectl', ['apply', '-f', '-'], { input: claimOf('state', 'solpack-agent', state) });
      const key = `--from-file=${join(folder, 'release.pub')}`;
      await kubectl('create', 'configmap', 'solpack-settings', '-n', 'solpack-agent', key);
      await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
      await kubectl('apply', '-f', join(archives, '1.0.0.yaml'));
      await untilReady('1.0.0').catch(async (error) => {
        const about = ['events', 'pods'].map((kind) =>
          node().run('kubectl', ['get', kind, '-n', 'solpack-agent', '-o', 'wide']),
        );
        const logs = node().run('kubectl', ['logs', '-n', 'solpack-agent', 'deployment/solpack-agent']);
        const texts = (await Promise.all([...about, logs])).map(({ stdout }) => stdout);
        throw new Error(texts.join('\n'), { cause: error });
      });
      expect(await imageThere()).toMatch(`${registry}/registry.example.com/shop/web:1.0.0@sha256:`);
      await kubectl('rollout', 'status', 'deployment/solpack-agent', '-n', 'solpack-agent', '--timeout=60s');
      const pods = await kubectl(
        'get',
        'pods',
        '-n',
        'solpack-agent',
        '-o',
        'jsonpath={.items[*].spec.securityContext.runAsUser}',
      );
      expect(pods).toBe('65532 65532');
    },
  );

  nodeTest('heals within seconds what somebody deletes', async () => {
    await kubectl('delete', 'deployment', 'web', '-n', 'shop');
    await until(imageThere, (text) => text !== '');
    await untilReady('1.0.0');
  });

  nodeTest('has another replica go on where the leader is killed half-way through a version', async () => {
    const first = await leader();
    await kubectl('apply', '-f', join(archives, '2.0.0.yaml'));
    await until(imageThere, (text) => text.includes('web:2.0.0'));
    await kubectl('delete', 'pod', first, '-n', 'solpack-agent', '--grace-period=0', '--force');
    await untilReady('2.0.0');
    expect(await leader()).not.toBe(first);
    expect((await generations()).map(({ state }) => state)).toEqual(['ready', 'interrupted', 'ready']);
  });

  nodeTest('runs the plugin that a version brings, and remembers releases on a volume', async () => {
    await kubectl('get', 'configmap', 'printed', '-n', 'shop');
    expect(readFileSync(join(state, 'memory.json'), 'utf8')).toContain('shop');
  });

  nodeTest('goes back where a version does not come up, and leaves it at that', async () => {
    await kubectl('apply', '-f', join(archives, '3.0.0.yaml'));
    await until(
      () => kubectl('get', 'solutionsconfiguration', 'edge', '-o', 'jsonpath={.status.conditions[0].reason}'),
      (reason) => reason === 'RolledBack',
    );
    await kubectl('wait', '--for=condition=Degraded', 'solutionsconfiguration/edge', '--timeout=5s');
    await until(imageThere, (text) => text.includes('web:2.0.0'));
    await kubectl('delete', 'deployment', 'web', '-n', 'shop');
    await until(imageThere, (text) => text.includes('web:2.0.0'));
  });

  nodeTest('has another replica lead at once where the leader is told to end', async () => {
    const first = await leader();
    await kubectl('delete', 'pod', first, '-n', 'solpack-agent', '--wait=false');
    // The Lease of one that is killed is free after fifteen seconds.
    await until(leader, (now) => now !== '' && now !== first);
    // It looks after what is there, and does not try again what has not come up.
    const before = (await generations()).length;
    await kubectl('delete', 'deployment', 'web', '-n', 'shop');
    await until(imageThere, (text) => text !== '');
    expect(await imageThere()).toContain('web:2.0.0');
    expect(await generations()).toHaveLength(before);
    expect(await untilReady('2.0.0', 'False')).toMatch(/has failed, so that generation \d+ is back/);
    await kubectl('apply', '-f', join(archives, '2.0.0.yaml'));
    await untilReady('2.0.0');
  });
});
