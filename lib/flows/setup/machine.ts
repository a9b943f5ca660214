import type { StoppedRuntime } from './stopped-runtime.ts';

/** What brought Kubernetes to a machine. `none` is a machine without it. */
export type KubernetesDistribution = 'metalk8s' | 'microshift' | 'rke2' | 'k3s' | 'k0s' | 'kubeadm' | 'none';

/** Kubernetes as it was found on a machine. */
export interface FoundKubernetes {
  readonly distribution: KubernetesDistribution;
  /** The file or folder that says it. */
  readonly sign?: string;
  /** The administrator's kubeconfig; absent on a node that has none, such as a worker. */
  readonly kubeconfig?: string;
}

/** A registry that a container runtime asks for images of another one, by what somebody else has configured. */
export interface FoundPull {
  /** `HOST[:PORT]`, as in references; `*` is every registry that has no mirror of its own. */
  readonly registry: string;
  /** The address of the server that is asked. */
  readonly server: string;
  /** The file that says so. */
  readonly path: string;
}

/** A container runtime of a machine. */
export interface FoundRuntime {
  readonly kind: 'containerd' | 'cri-o' | 'podman';
  /** Its socket; of podman, the program. */
  readonly at: string;
  /** Absent where it does not tell, and where the program that asks it is missing. */
  readonly version?: string;
  /** containerd's `config_path`, where it looks for mirrors; absent where its configuration names none. */
  readonly hostsDir?: string;
  /** The registry that it asks for all images, by a mirror that somebody else has configured. */
  readonly mirror?: string;
  /** All mirrors that somebody else has configured; absent where there are none. */
  readonly mirrors?: readonly FoundPull[];
}

/** A program that an install may need, and where it is on this machine. */
export interface FoundProgram {
  readonly name: 'helm' | 'kubectl' | 'ctr' | 'skopeo';
  readonly path?: string;
  /** Whether it lies beside the executable of solpack, and not on PATH. */
  readonly beside?: true;
  /**
   * The archive whose installer has it, and its path there, where the machine itself lacks it. An install may run it
   * from there.
   */
  readonly medium?: { readonly archive: string; readonly path: string };
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
  /** Its addresses, without those that it alone can reach; absent where it has none. */
  readonly addresses?: readonly string[];
  /** Free bytes on the disk of /var/lib; absent where the system does not tell. */
  readonly free?: number;
}
