import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect } from 'vitest';
import { agentRunner, type RunningAgent } from '../support/agent.ts';
import { succeeds, writeFiles } from '../support/cli.ts';
import { serveClusterOperators } from '../support/cluster-operators.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';
import { until } from '../support/until.ts';

const folder = scratch('agent-cluster-operator');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const running: RunningAgent[] = [];

const configuration = (version: string): string =>
  `apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\nsolutions: [{name: shop, activeVersion: "${version}", archives: [shop-1.0.0.iso]}]\n`;

const flags = ['--registry', 'http://127.0.0.1:1', '--insecure-skip-verify', '--archives', folder];

interface Operator {
  readonly conditions: readonly Readonly<Record<string, string>>[];
  readonly versions: unknown;
  readonly relatedObjects: unknown;
}

const operator = async (): Promise<Operator> => {
  const { stdout } = await plane().tried(['get', 'clusteroperator', 'solpack-edge', '-o', 'jsonpath={.status}']);
  return stdout === '' ? { conditions: [], versions: [], relatedObjects: [] } : JSON.parse(stdout);
};
const words = ({ conditions }: Operator): string => conditions.map(({ type, status }) => `${type}=${status}`).join(' ');
const untilIs = (wanted: string): Promise<string> =>
  until(
    async () => words(await operator()),
    (found) => found === wanted,
    60_000,
  );

const starts = async (): Promise<RunningAgent> => {
  const account = await plane().userKubeconfig('system:serviceaccount:solpack-agent:solpack-agent');
  const agent = agentRunner(['agent', 'edge', ...flags, '--kubeconfig', account, '--progress', 'lines']);
  running.push(agent);
  return agent;
};

beforeAll(async () => {
  writeFiles(folder, {
    'c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default}\n',
    'solution.toml':
      'name = "shop"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "manifests"\npath = "c.yaml"\n',
    'edge.yaml': configuration('1.0.0'),
    'wrong.yaml': configuration('7.0.0'),
  });
  await succeeds(['pack', at('solution.toml'), '-o', at('shop-1.0.0.iso'), '--quiet']);
});

afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop('SIGKILL');
});

describe("where the cluster has OpenShift's ClusterOperators", () => {
  controlPlaneTest('the agent keeps one, with exactly the rights that --manifests prints', async () => {
    await serveClusterOperators(plane());
    writeFileSync(at('agent.yaml'), await succeeds(['agent', 'edge', ...flags, '--manifests', '-f', at('edge.yaml')]));
    await plane().kubectl('apply', '-f', at('agent.yaml'));
    await plane().kubectl(
      'wait',
      '--for=condition=Established',
      'crd/solutionsconfigurations.solutions.metalk8s.scality.com',
    );
    const agent = await starts();
    await plane().kubectl('apply', '-f', at('edge.yaml'));
    await untilIs('Available=True Progressing=False Degraded=False Upgradeable=True');
    await plane().kubectl('wait', '--for=condition=Available', 'clusteroperator/solpack-edge', '--timeout=10s');
    const first = await operator();
    expect(first).toMatchObject({
      versions: [{ name: 'shop', version: '1.0.0' }],
      relatedObjects: [
        { group: 'solutions.metalk8s.scality.com', resource: 'solutionsconfigurations', name: 'edge' },
        { group: '', resource: 'namespaces', name: 'solpack-system' },
        { group: '', resource: 'namespaces', name: 'default' },
      ],
    });
    expect(agent.said()).not.toMatch(/ClusterOperator/);
    // What fails leaves what is there as it is.
    await plane().kubectl('apply', '-f', at('wrong.yaml'));
    await untilIs('Available=True Progressing=False Degraded=True Upgradeable=True');
    const second = await operator();
    const since = ({ conditions }: Operator): unknown =>
      conditions.find(({ type }) => type === 'Available')?.['lastTransitionTime'];
    expect(since(second)).toBe(since(first));
    expect(second).toMatchObject({ versions: first.versions, relatedObjects: first.relatedObjects });
    const own = await plane().kubectl(
      'get',
      'solutionsconfiguration',
      'edge',
      '-o',
      'jsonpath={.status.conditions[*].type}',
    );
    expect(own.split(' ')).toEqual(['Ready', 'Progressing', 'Degraded', 'Stalled']);
    await plane().kubectl('wait', '--for=condition=Stalled', 'solutionsconfiguration/edge', '--timeout=10s');
  });

  controlPlaneTest('it comes back if somebody deletes it, and one of somebody else is left alone', async () => {
    await plane().kubectl('delete', 'clusteroperator', 'solpack-edge');
    await plane().kubectl('apply', '-f', at('edge.yaml'));
    const agent = await starts();
    await untilIs('Available=True Progressing=False Degraded=False Upgradeable=True');
    await agent.stop('SIGTERM');
    await plane().kubectl(
      'label',
      'clusteroperator',
      'solpack-edge',
      '--overwrite',
      'app.kubernetes.io/managed-by=another',
    );
    const before = await operator();
    await plane().kubectl('apply', '-f', at('wrong.yaml'));
    const again = await starts();
    await until(
      async () => again.said(),
      (said) => /the ClusterOperator cannot be written: was made by somebody else/.test(said),
      60_000,
    );
    expect(await operator()).toEqual(before);
  });
});
