import type { StoppedRuntime } from './stopped-runtime.ts';

/** What brought Kubernetes to a machine. `none` is a machine without it. */
export type KubernetesDistribution = 'metalk8s' | 'microshift' | 'rke2' | 'k3s' | 'k0s' | 'kubeadm' | 'none';

/** Kubernetes as it was found on a machine. */
export interface FoundKubernetes {
  readonly distribution: KubernetesDistribution;
  /** The file or folder that tells it. */
  readonly sign?: string;
  /** The administrator's kubeconfig; absent on a node that has none, such as a worker. */
  readonly kubeconfig?: string;
}

/** A container runtime of a machine. */
export interface FoundRuntime {
  readonly kind: 'containerd' | 'cri-o' | 'podman';
  /** Its socket; of podman, the program. */
  readonly at: string;
  /** containerd's `config_path`, where it looks for mirrors; absent where its configuration names none. */
  readonly hostsDir?: string;
  /** The registry that containerd asks for all images by a `_default` mirror that somebody else has written. */
  readonly mirror?: string;
}

/** A program that an install may need, and where it is on this machine. */
export interface FoundProgram {
  readonly name: 'helm' | 'kubectl' | 'ctr' | 'skopeo';
  readonly path?: string;
}

/** A machine as `lookAtMachine` found it. */
export interface Machine {
  readonly kubernetes: FoundKubernetes;
  readonly runtimes: readonly FoundRuntime[];
  /** What the kubelet uses, where that does not run; absent where it runs, and where nothing tells. */
  readonly stopped?: StoppedRuntime;
  readonly programs: readonly FoundProgram[];
  /** Whether systemd runs here, and so can keep a service running. */
  readonly systemd: boolean;
  /** Free bytes on the disk of /var/lib; absent where the system does not tell. */
  readonly free?: number;
}
