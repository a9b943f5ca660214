import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import type { ReadyProbe } from '../../../../formats/solution/ready-probe.ts';

/** A rule of RBAC (rbac.authorization.k8s.io/v1, PolicyRule). */
export interface AccessRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** Where the Pods of a part get files from: a folder of their node, or a PersistentVolumeClaim. */
export type FilesFrom = { readonly hostPath: string } | { readonly claim: string };

/** Settings of a part for printing its objects. */
export interface ManifestSettings {
  readonly namespace: string;
  /** The image of solpack, as nodes pull it. */
  readonly image: string;
  /** The command line behind `solpack`. */
  readonly args: readonly string[];
  readonly replicas: number;
  /**
   * Where Pods reach the API server that may run before a Service does; undefined where that of Kubernetes leads there.
   */
  readonly server: { readonly host: string; readonly port: number } | undefined;
  /** The digest of what a loader finds in its ConfigMap, so that another content is another Job; left out: none. */
  readonly parameters?: string;
  /** When a repair begins (cron(5), as CronJobs have it). */
  readonly schedule: string;
  /** Where archives lie, which are mounted at `ARCHIVES`; undefined where they are in a registry. */
  readonly archives: FilesFrom | undefined;
  /** What outlives a Pod of what is remembered of releases; undefined where nothing does. */
  readonly state: FilesFrom | undefined;
  /** The name of the custom resource, or where the ConfigMap is, that says what is installed. */
  readonly follows:
    | { readonly customResource: string }
    | { readonly configMap: { readonly namespace: string; readonly name: string } };
  /** Whether an agent carries out only plans that somebody has approved. */
  readonly approves: boolean;
  /** All objects that its Solutions bring; undefined where nobody said which Solutions these are. */
  readonly objects: readonly KubernetesObject[] | undefined;
  /** What their components ask until they are ready. */
  readonly probes: readonly ReadyProbe[];
}

/** A part of solpack that runs in a cluster, and the objects that it needs there. */
export interface ManifestPart {
  /** One line about it. */
  readonly summary: string;
  /** Lists the objects, in the order in which they are to be applied. */
  objects(settings: ManifestSettings): readonly KubernetesObject[];
}

/** The folder of a Pod that archives are mounted at. */
export const ARCHIVES = '/archives';
/** That of what is remembered of releases. */
export const STATE = '/state';
/** That of what the ConfigMap and the Secret `SETTINGS` hold: policies, keys, credentials. */
export const SETTINGS_FOLDER = '/etc/solpack';
export const SETTINGS = 'solpack-settings';
/** What a loader and the ConfigMap of its progress are called. */
export const LOADER = 'solpack-loader';
/**
 * The folder of an agent's Pod with what the ConfigMap and the Secret `SITE` hold: files that its configuration may
 * name.
 */
export const SITE_FOLDER = '/etc/solpack-site';
export const SITE = 'solpack-site';
/**
 * How all variables begin that a loader has from the ConfigMap and the Secret `solpack-variables`: no other one of its
 * Pod can be set there.
 */
export const VARIABLE_PREFIX = 'SITE_';
