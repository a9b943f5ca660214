import type { LiveObject } from '../../server/index.ts';

/** The log that has a container's last lines. */
export interface LogPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Whether it is the log of the run before the present one. */
  readonly previous: boolean;
}

/** Why an object is not ready, and what to do about it, both in one line. */
export interface Cause {
  readonly cause: string;
  readonly hint: string;
  /** A log whose last lines belong to the cause. */
  readonly log?: LogPlace;
  /** Whether that goes away by itself, as far as anybody can tell. Left out: false. */
  readonly isPassing?: true;
}

/** Everything that was found about an object. */
export interface ObjectEvidence {
  readonly object: LiveObject;
  /** The objects between it and its Pods: a Deployment's newest ReplicaSet. */
  readonly between: readonly LiveObject[];
  /** Its Pods that are not ready, the most telling first. */
  readonly pods: readonly LiveObject[];
  /** Events (core/v1) about all of these, the newest last. */
  readonly events: readonly LiveObject[];
  /** The StorageClass of a claim; undefined where it has none, or where it cannot be read. */
  readonly storageClass: LiveObject | 'absent' | undefined;
}

/** Begins a kubectl command for the object's namespace. */
export function kubectl({ metadata: { namespace } }: LiveObject): string {
  return namespace === undefined ? 'kubectl' : `kubectl -n ${namespace}`;
}

/** Names the kubectl command that shows an object, where nothing else is known. */
export function lookAt(object: LiveObject): string {
  return `look at "${kubectl(object)} describe ${object.kind.toLowerCase()} ${object.metadata.name}"`;
}

/** A container of a Pod: its specification and its status. */
export interface Container {
  readonly pod: LiveObject;
  readonly name: string;
  /** Its part of the Pod's spec. */
  readonly spec: unknown;
  /** Its part of the Pod's status. */
  readonly status: unknown;
  /** Events about it, the newest last. */
  readonly events: readonly LiveObject[];
  /** How a cause names it. */
  readonly who: string;
}
