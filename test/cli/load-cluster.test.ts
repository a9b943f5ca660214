import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { configMap, plant, plugin } from '../lib/parts/components/support.ts';
import { solpack, succeeds } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('load-cluster');
const plane = sharedControlPlane();
const at = (name: string): string => join(folder, name);

/** A plugin that prints a ConfigMap with everything that it was told of the node. */
const telling = plugin(`cat <<END
apiVersion: v1
kind: ConfigMap
metadata: {name: told, namespace: default}
data:
$(env | sed -n "s/^MICROSHIFT_\\([A-Z]*_*[A-Z]*\\)=\\(.*\\)$/  \\1: '\\2'/p")
END`);

const loads = async (folders: readonly string[], ...more: readonly string[]) => {
  const args = [
    'load',
    ...folders.map(at),
    '--kubeconfig',
    plane().kubeconfig,
    ...more,
    '--json',
    '--progress',
    'none',
  ];
  return jsonSchemas.load.strict().parse(JSON.parse(await succeeds(args)));
};

describe('load into a cluster', () => {
  controlPlaneTest('brings several folders up in their order, as one Solution', async () => {
    plant(at('usr/components.d'), {
      '050-late/plugin': plugin(`cat <<'END'\n${configMap('late')}END`),
    });
    plant(at('etc/components.d'), {
      '010-early/plugin': plugin(`cat <<'END'\n${configMap('early')}END`),
    });
    const where = ['--kubeconfig', plane().kubeconfig, '--progress', 'none'];
    const plans = async (...folders: readonly string[]) => {
      const words = ['load', ...folders.map(at), ...where, '--plan', '--json'];
      const { steps, choices, variables = [] } = jsonSchemas['install-plan'].parse(JSON.parse(await succeeds(words)));
      expect([choices, variables.length]).toEqual([[], 9]);
      return steps.filter(({ action }) => action !== 'none').map(({ action, subject }) => `${action} ${subject}`);
    };
    const maps = async (): Promise<string> =>
      plane().kubectl('get', 'configmaps', '-A', '--ignore-not-found', '-o', 'name');
    const planned = await plans('usr/components.d', 'etc/components.d');
    expect(planned).toEqual([expect.stringContaining('late'), expect.stringContaining('early')]);
    expect(await maps()).not.toMatch(/late|early|components-d/);
    const both = await loads(['usr/components.d', 'etc/components.d']);
    expect(both).toMatchObject({
      name: 'components-d',
      folder: at('usr/components.d'),
      folders: [at('usr/components.d'), at('etc/components.d')],
      components: [{ folder: '050-late' }, { folder: '010-early' }],
    });
    expect(await plans('usr/components.d', 'etc/components.d')).toEqual([]);
    expect(await plans('usr/components.d')).toEqual([expect.stringMatching(/^remove ConfigMap\/.*early$/)]);
    const one = await loads(['usr/components.d']);
    expect(one.objects).toMatchObject([
      { action: 'unchanged' },
      { object: expect.stringContaining('early'), action: 'removed' },
    ]);
  });

  controlPlaneTest('tells plugins of the node what machine and cluster tell, and says who told it', async () => {
    plant(at('told.d'), { '010-told/plugin': telling });
    const { variables = [] } = await loads(['told.d'], '--variable', 'MICROSHIFT_BASEDOMAIN=edge.example.com');
    const told = Object.fromEntries(variables.map(({ name, ...rest }) => [name.slice('MICROSHIFT_'.length), rest]));
    const config = JSON.parse(await plane().kubectl('config', 'view', '-o', 'json')) as {
      clusters: [{ cluster: { server: string } }];
    };
    expect(told).toMatchObject({
      BASEDOMAIN: { value: 'edge.example.com', from: 'given' },
      CLUSTER_SERVICECIDR: { from: 'ServiceCIDR kubernetes' },
      CLUSTER_URL: { value: config.clusters[0].cluster.server, from: 'kubeconfig' },
      LOGVLEVEL: { value: 'Normal', from: 'default' },
      NODENAME: { value: hostname().toLowerCase(), from: 'hostname' },
    });
    const range = await plane().kubectl('get', 'servicecidr', 'kubernetes', '-o', 'jsonpath={.spec.cidrs[*]}');
    expect(told['CLUSTER_SERVICECIDR']?.value).toBe(range.replaceAll(' ', ','));
    const data = JSON.parse(await plane().kubectl('get', 'configmap', 'told', '-o', 'jsonpath={.data}')) as object;
    expect(data).toEqual(Object.fromEntries(Object.entries(told).map(([name, { value }]) => [name, value])));
  });

  controlPlaneTest('reads the ranges of a cluster that kubeadm has made, and the flags of its programs', async () => {
    const settings = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
apiServer:
  certSANs: [edge.example.com, 192.0.2.1]
  extraArgs: [{name: service-node-port-range, value: 20000-20100}]
networking: {podSubnet: 10.244.0.0/16, serviceSubnet: 10.96.0.0/12}
`;
    const container = { name: 'a', image: 'a', command: ['kube-apiserver', '--service-node-port-range=30000-30100'] };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'kube-apiserver-edge', namespace: 'kube-system', labels: { component: 'kube-apiserver' } },
      spec: { containers: [container] },
    };
    const { tried, kubectl } = plane();
    await kubectl(
      'create',
      'configmap',
      'kubeadm-config',
      '-n',
      'kube-system',
      `--from-literal=ClusterConfiguration=${settings}`,
    );
    const made = await tried(['apply', '-f', '-'], { input: JSON.stringify(pod) });
    expect(made.code, made.stderr).toBe(0);
    const { variables = [] } = await loads(['told.d']);
    expect(variables).toEqual(
      expect.arrayContaining([
        {
          name: 'MICROSHIFT_CLUSTER_CLUSTERCIDR',
          value: '10.244.0.0/16',
          from: 'ConfigMap kube-system/kubeadm-config',
        },
        {
          name: 'MICROSHIFT_CLUSTER_SERVICENODEPORTRANGE',
          value: '30000-30100',
          from: '--service-node-port-range of Pod kube-system/kube-apiserver-edge',
        },
        {
          name: 'MICROSHIFT_SUBJECTALTNAMES',
          value: 'edge.example.com,192.0.2.1',
          from: 'ConfigMap kube-system/kubeadm-config',
        },
      ]),
    );
  });

  controlPlaneTest('waits for an API server that starts later', async () => {
    let loading: ReturnType<typeof solpack> | undefined;
    const args = [
      'load',
      at('told.d'),
      '--kubeconfig',
      plane().kubeconfig,
      '--wait-for-cluster',
      '--progress',
      'lines',
    ];
    await plane().restart(async () => {
      loading = solpack(args);
      const given = await solpack([...args, '--wait-at-most', '2s', '--quiet']);
      expect([given.code, given.stderr]).toEqual([5, expect.stringContaining('[cluster-unreachable]')]);
      // Clock: a load that waits has to find nobody there for a while.
      await sleep(1_000);
    });
    const { code, stdout, stderr } = await loading!;
    expect([code, stderr]).toEqual([0, expect.stringContaining('waiting for it')]);
    expect(stdout).toMatch(/^(?:loaded|already there) told-d /);
  });
});
