import type { ClusterTarget } from '../../parts/clusters/index.ts';
import type { RegistryOptions } from '../../parts/registries/index.ts';

/** The purpose of a machine: it packs archives, serves their images, or installs them. */
export type DoctorPurpose = 'pack' | 'serve' | 'install';

/** What to examine. Paths are absolute. */
export interface DoctorRequest {
  /** What the machine is there for; left out, what its profile and its Kubernetes imply. */
  readonly purposes?: readonly DoctorPurpose[] | undefined;
  /** The file of the profile, and whether somebody has named it; left out where none is wanted. */
  readonly profile?: { readonly path: string; readonly named: boolean } | undefined;
  /** The SolutionsConfiguration where a profile names none. */
  readonly configuration: string;
  /** Where archives are packed to. */
  readonly folder: string;
  /** The folder in which installs are remembered; undefined for a user who has none. */
  readonly trustState: string | undefined;
  /** Returns the cluster that a profile in a folder calls so; nothing is sent yet. Throws at users. */
  readonly clusterAt: (kubeconfig: string, folder: string) => DoctorCluster;
  /** Returns how registries are talked to by what a profile says. Throws at users. */
  readonly registriesBy: (said: {
    readonly authfile?: string | undefined;
    readonly certsDir?: string | undefined;
  }) => Promise<RegistryOptions>;
  /** Of programs that are run. */
  readonly environment: Readonly<Record<string, string>>;
  /** What this machine's clock says, in seconds since 1970. */
  readonly clock: number;
  /** The folder in which the files of the system lie; left out: `/`. */
  readonly root?: string;
}

/** A cluster to examine. */
export interface DoctorCluster {
  /** The kubeconfig; undefined where it is the account of a Pod. */
  readonly kubeconfig: string | undefined;
  /** Whoever opens it disposes of it. */
  open(): Promise<ClusterTarget>;
}

/**
 * The result of a check. `warns`: it works, and may not for long, or not for all; `unknown`: it could not be checked;
 * `skipped`: it was not checked, because something is missing on which it depends.
 */
export type HealthState = 'ok' | 'warns' | 'fails' | 'unknown' | 'skipped';

/** A finding about one thing. */
export interface HealthFinding {
  readonly state: HealthState;
  /** A path, a program, an address, or whatever it is about. */
  readonly subject: string;
  readonly message: string;
  /** What fixes it, a command if there is one; absent where nothing has to be done. */
  readonly hint?: string;
}

/** A finding, with the check that found it. */
export interface CheckedHealth extends HealthFinding {
  readonly code: HealthCode;
}

/** The subject of a finding: a program has the same code, whatever its number of findings. */
export type HealthCode =
  | 'profile'
  | 'trust'
  | 'configuration'
  | 'images'
  | 'program'
  | 'rights'
  | 'disk'
  | 'clock'
  | 'iso9660'
  | 'systemd'
  | 'port'
  | 'registry'
  | 'cluster'
  | 'certificate';

/** What was examined, and the findings. */
export interface DoctorReport {
  readonly purposes: readonly DoctorPurpose[];
  readonly checks: readonly CheckedHealth[];
}
