import type { ClusterSettings, SourcedValue } from '../../../cluster-settings.ts';
import { type ApplySession, fieldAt, ifReadable, type LiveObject, listAt, textAt } from '../../server/index.ts';
import { argumentValue, isProgram } from './arguments.ts';
import { kubeadmSettings } from './kubeadm.ts';

/** Where the programs of a control plane are, where they are Pods. */
const NAMESPACE = 'kube-system';
/** What `kube-apiserver` takes for `--service-node-port-range` where it is not given. */
const NODE_PORTS = '30000-32767';
const KUBEADM = 'ConfigMap kube-system/kubeadm-config';

/** Reads what a cluster reports itself. Whatever cannot be read, or is not there, is left out. */
export async function readClusterSettings(session: ApplySession): Promise<ClusterSettings> {
  const { server } = session.api;
  const [services, nodes, pods, kubeadm] = await Promise.all([
    listed('networking.k8s.io/v1', 'ServiceCIDR', {}, session),
    listed('v1', 'Node', {}, session),
    listed(
      'v1',
      'Pod',
      { namespace: NAMESPACE, labels: 'component in (kube-apiserver,kube-controller-manager)' },
      session,
    ),
    readKubeadm(session),
  ]);
  const apiServers = pods.filter((pod) => isProgram(pod, 'kube-apiserver'));
  const managers = pods.filter((pod) => isProgram(pod, 'kube-controller-manager'));
  const [first] = apiServers;
  return found({
    url: sourced(server, 'kubeconfig'),
    podRanges:
      sourced(kubeadm?.podRanges, KUBEADM) ??
      sourcedFlag(managers, 'cluster-cidr') ??
      sourced(joined(nodes.flatMap((node) => listAt(node, 'spec', 'podCIDRs'))), 'podCIDRs of the Nodes'),
    serviceRanges:
      sourced(joined(inOrder(services).flatMap((one) => listAt(one, 'spec', 'cidrs'))), serviceWords(services)) ??
      sourced(kubeadm?.serviceRanges, KUBEADM) ??
      sourcedFlag(apiServers, 'service-cluster-ip-range'),
    nodePorts:
      sourcedFlag(apiServers, 'service-node-port-range') ??
      sourced(kubeadm?.nodePorts, KUBEADM) ??
      (first &&
        sourced(NODE_PORTS, `the default of kube-apiserver, as Pod ${NAMESPACE}/${first.metadata.name} runs it`)),
    certificateNames: sourced(kubeadm?.certificateNames, KUBEADM),
  });
}

async function readKubeadm({ api, flow: { signal } }: ApplySession): Promise<ReturnType<typeof kubeadmSettings>> {
  const name = { apiVersion: 'v1', kind: 'ConfigMap', namespace: NAMESPACE, name: 'kubeadm-config' };
  const live = await ifReadable(signal, undefined, () => api.read(name, signal));
  return kubeadmSettings(textAt(fieldAt(live, 'data'), 'ClusterConfiguration'));
}

async function listed(
  apiVersion: string,
  kind: string,
  filter: { readonly namespace?: string; readonly labels?: string },
  { api, flow: { signal } }: ApplySession,
): Promise<readonly LiveObject[]> {
  const resource = (await api.discover(signal)).find(apiVersion, kind);
  if (resource === undefined) return [];
  return ifReadable(signal, [], () => api.list(resource, filter, signal));
}

/** The range that the server was started with comes first: it is named `kubernetes`. */
function inOrder(services: readonly LiveObject[]): LiveObject[] {
  const isFirst = ({ metadata: { name } }: LiveObject): boolean => name === 'kubernetes';
  return [...services.filter(isFirst), ...services.filter((one) => !isFirst(one))];
}

function serviceWords(services: readonly LiveObject[]): string {
  return `ServiceCIDR ${inOrder(services)
    .map(({ metadata: { name } }) => name)
    .join(', ')}`;
}

function sourcedFlag(pods: readonly LiveObject[], flag: string): SourcedValue | undefined {
  const [value, pod] = pods.flatMap((one) => {
    const given = argumentValue(one, flag);
    return given === undefined ? [] : [[given, one] as const];
  })[0] ?? ['', undefined];
  return sourced(value, `--${flag} of Pod ${NAMESPACE}/${pod?.metadata.name}`);
}

function sourced(value: string | undefined, from: string): SourcedValue | undefined {
  return value === undefined || value === '' ? undefined : { value, from };
}

function joined(values: readonly unknown[]): string {
  return [...new Set(values.filter((value) => typeof value === 'string'))].join(',');
}

/** Leaves out what nothing was found for. */
function found(all: { readonly [Name in keyof Required<ClusterSettings>]: SourcedValue | undefined }): ClusterSettings {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
