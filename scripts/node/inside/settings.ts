import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { authority } from '../certificates.ts';
import { addresses, type Machine, type Paths, pauseImage } from '../state.ts';

/** The paths of the configuration files. */
export interface SettingFiles {
  readonly containerd: string;
  readonly kubelet: string;
  readonly kubeProxy: string;
}

/** What the settings of a node depend on. */
export interface Setting {
  readonly machine: Machine;
  readonly cgroup: string;
  /** The folder of the CNI plugins. */
  readonly plugins: string;
}

/** Writes the configuration files of containerd, its network, kubelet and kube-proxy. */
export function writeSettings(paths: Paths, { machine, cgroup, plugins }: Setting): SettingFiles {
  const networks = join(paths.config, 'networks');
  const files = {
    containerd: join(paths.config, 'containerd.toml'),
    kubelet: join(paths.config, 'kubelet.yaml'),
    kubeProxy: join(paths.config, 'kube-proxy.yaml'),
  };
  mkdirSync(networks, { recursive: true });
  writeFileSync(join(networks, '10-pods.conflist'), JSON.stringify(network(paths, machine)));
  writeFileSync(files.containerd, containerd(paths, plugins, networks));
  writeFileSync(files.kubelet, stringify(kubelet(paths, machine, cgroup)));
  writeFileSync(files.kubeProxy, stringify(kubeProxy(paths, machine)));
  return files;
}

/** Returns the network of Pods (CNI 0.4.0): a bridge, whose address is the only way from Pods to the node. */
function network({ data }: Paths, { pods }: Machine): object {
  const ipam = {
    type: 'host-local',
    dataDir: join(data, 'addresses'),
    ranges: [[{ subnet: pods }]],
    routes: [{ dst: '0.0.0.0/0' }],
  };
  return {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      { type: 'bridge', bridge: 'pods0', isGateway: true, hairpinMode: true, ipam },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}

function containerd({ data, hosts, socket, state }: Paths, plugins: string, networks: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  const text = (value: string): string => JSON.stringify(value);
  return `version = 2
root = ${text(join(data, 'containerd'))}
state = "/run/containerd-state"

# Each request to a registry is in its log.
[debug]
level = "debug"

[grpc]
address = ${text(socket)}

[ttrpc]
address = ${text(join(state, 'containerd.ttrpc.sock'))}

[plugins."io.containerd.internal.v1.opt"]
path = ${text(join(data, 'opt'))}

[${cri}]
sandbox_image = ${text(pauseImage)}
disable_apparmor = true
restrict_oom_score_adj = true

[${cri}.cni]
bin_dir = ${text(plugins)}
conf_dir = ${text(networks)}

[${cri}.registry]
config_path = ${text(hosts)}
`;
}

function kubelet(paths: Paths, { name, address }: Machine, cgroup: string): object {
  const { data, pki, socket } = paths;
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: authority(paths) },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: join(pki, `kubelet-${name}.crt`),
    tlsPrivateKeyFile: join(pki, `kubelet-${name}.key`),
    containerRuntimeEndpoint: `unix://${socket}`,
    address,
    readOnlyPort: 0,
    healthzPort: 0,
    clusterDomain: 'cluster.local',
    clusterDNS: [addresses.dns],
    resolvConf: '',
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroup}`,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    // The node ignores how full this machine's disk is: it evicts no Pod and removes no image because of that.
    evictionHard: { 'memory.available': '50Mi' },
    imageGCHighThresholdPercent: 100,
    podLogsDir: join(data, 'pod-logs'),
    volumePluginDir: join(data, 'volume-plugins'),
  };
}

function kubeProxy({ config }: Paths, { name, pods }: Machine): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: join(config, 'kube-proxy.kubeconfig') },
    mode: 'iptables',
    clusterCIDR: pods,
    hostnameOverride: name,
    bindAddress: '127.0.0.1',
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '127.0.0.1:10249',
    // A Pod on the same bridge would answer directly, and bypass the rules that translate the Service's address.
    iptables: { masqueradeAll: true },
    // These are settings of the whole machine.
    conntrack: { maxPerCore: 0, min: 0 },
  };
}
