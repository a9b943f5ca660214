import { stringify } from 'yaml';
import { endpointOf, plainHostsFile } from './hosts-file.ts';

/** The container runtimes whose mirror configuration solpack can print. */
export const runtimes = ['containerd', 'podman', 'docker', 'k3s'] as const;

/** A container runtime. */
export type Runtime = (typeof runtimes)[number];

/** A mirror configuration, for a person to install. */
export interface MirrorText {
  readonly lines: readonly string[];
  /** What the runtime cannot be configured to do. */
  readonly notices: readonly string[];
  /** Whether the runtime needs no configuration: then the lines are an empty document. */
  readonly needsNothing?: true;
}

/**
 * Returns the configuration that makes a runtime pull the images of `hosts` (`HOST[:PORT]`, as in references) from the
 * registry at `url`, and from nowhere else if the runtime supports that.
 */
export function mirrorText(runtime: Runtime, hosts: readonly string[], url: string): MirrorText {
  return writers[runtime](hosts, new URL(url));
}

type Writer = (hosts: readonly string[], url: URL) => MirrorText;

const writers: Readonly<Record<Runtime, Writer>> = {
  // containerd tells the mirror which registry it stands for, by `ns`.
  containerd: (hosts, { origin }) => ({
    lines: hosts.flatMap((host, index) => [
      ...(index > 0 ? [''] : []),
      `# /etc/containerd/certs.d/${host}/hosts.toml`,
      ...plainHostsFile([endpointOf(origin)])
        .trimEnd()
        .split('\n'),
    ]),
    notices: [],
  }),
  // containers-registries.conf(5): the first part of the path names the registry.
  podman: (hosts, { host: address, protocol }) => ({
    lines: [
      '# /etc/containers/registries.conf.d/solpack.conf',
      ...hosts.flatMap((host) => [
        '[[registry]]',
        `prefix = ${JSON.stringify(host)}`,
        `location = ${JSON.stringify(`${address}/${host.replace(':', '_')}`)}`,
        ...(protocol === 'http:' ? ['insecure = true'] : []),
      ]),
    ],
    notices: [],
  }),
  docker: (hosts, { origin, host: address, protocol, hostname }) => {
    const isLocal = hostname === 'localhost' || hostname.startsWith('127.');
    const insecure = protocol === 'http:' && !isLocal ? { 'insecure-registries': [address] } : {};
    const config = { ...(hosts.includes('docker.io') ? { 'registry-mirrors': [origin] } : {}), ...insecure };
    const others = hosts.filter((host) => host !== 'docker.io');
    const needsFile = Object.keys(config).length > 0;
    return {
      lines: JSON.stringify(config, undefined, 2).split('\n'),
      ...(needsFile ? {} : { needsNothing: true as const }),
      notices: [
        needsFile ? 'write this into /etc/docker/daemon.json' : 'Docker needs no setting for this address',
        ...others.map(
          (host) =>
            `Docker has mirrors for docker.io alone: pull ${address}/${host.replace(':', '_')}/NAME for ${host}/NAME`,
        ),
      ],
    };
  },
  // k3s and RKE2 make the configuration of containerd out of this.
  k3s: (hosts, { origin }) => ({
    lines: [
      '# /etc/rancher/k3s/registries.yaml',
      '# With --disable-default-registry-endpoint, k3s asks nobody else.',
      ...stringify({ mirrors: Object.fromEntries(hosts.map((host) => [host, { endpoint: [origin] }])) })
        .trimEnd()
        .split('\n'),
    ],
    notices: [],
  }),
};
