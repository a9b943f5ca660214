import type { KubernetesObject } from '../../../formats/manifest/documents.ts';

/** An object as an API server returns it (Kubernetes API conventions, "Metadata"). */
export interface LiveObject extends KubernetesObject {
  readonly metadata: KubernetesObject['metadata'] & {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
      readonly controller?: boolean;
    }[];
    readonly managedFields?: readonly {
      readonly manager?: string;
      readonly operation?: string;
      readonly subresource?: string;
      readonly fieldsV1?: Readonly<Record<string, unknown>>;
      readonly [field: string]: unknown;
    }[];
  };
}

/** Which object is meant. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined for what is cluster-scoped. */
  readonly namespace?: string | undefined;
}

/** A kind that a server serves, and where. */
export interface Resource {
  /** '' is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural, as paths have it. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** What a server serves (discovery). */
export interface Discovery {
  /** Version of the server, such as `v1.35.4`. */
  readonly version: string;
  /** Every resource that has objects of its own: no subresources. */
  readonly resources: readonly Resource[];
  /** The resource of a kind in exactly that version; undefined where it is not served. */
  find(apiVersion: string, kind: string): Resource | undefined;
  /** The resource of a kind in the version that the server prefers; undefined where the group or kind is unknown. */
  preferred(group: string, kind: string): Resource | undefined;
}

/** How an object is applied. */
export interface ApplyOptions {
  /** Everything is checked, and nothing stored. */
  readonly dryRun?: boolean;
  /** Takes over fields that other managers own. */
  readonly force?: boolean;
  /** The field manager; left out: `MANAGER`. */
  readonly manager?: string;
}

/** An API server that answered and accepted the credentials. Every method throws `ApiError` for what it is refused. */
export interface KubernetesApi {
  /** URL, as messages name it. */
  readonly server: string;
  /** What the server serves. Read once, and again where `fresh` asks for it. */
  discover(signal: AbortSignal, fresh?: boolean): Promise<Discovery>;
  /** The object; undefined where it, or its kind, is not there. */
  read(name: ObjectName, signal: AbortSignal): Promise<LiveObject | undefined>;
  /** All objects of a kind, in all namespaces unless one is named; page by page where there are many. */
  list(
    resource: Resource,
    filter: { readonly namespace?: string; readonly labels?: string; readonly fields?: string },
    signal: AbortSignal,
  ): Promise<readonly LiveObject[]>;
  /**
   * Server-side apply. The kind has to be known to `discover`. An object with a `resourceVersion` is applied to what has
   * it, and to nothing else.
   */
  apply(object: KubernetesObject, options: ApplyOptions, signal: AbortSignal): Promise<LiveObject>;
  /**
   * Replaces what the server knows of who set which fields (server-side apply, "Clearing managedFields"), if the object is
   * still as it was read. Nothing else of it changes.
   */
  reassign(
    live: LiveObject,
    managedFields: NonNullable<LiveObject['metadata']['managedFields']>,
    signal: AbortSignal,
  ): Promise<LiveObject>;
  /** Deletes the object if it still is the one with `uid`, and unchanged; false where it is not there any longer. */
  remove(
    name: ObjectName,
    options: {
      readonly uid?: string;
      readonly resourceVersion?: string;
      readonly propagation: 'Foreground' | 'Background';
    },
    signal: AbortSignal,
  ): Promise<boolean>;
  /** The last lines that a container printed, the newest last; empty where there are none to be had. */
  log(
    pod: { readonly namespace: string; readonly name: string },
    container: string,
    options: { readonly previous?: boolean; readonly lines: number },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** Closes its connections. */
  close(): Promise<void>;
}

/** The name with which solpack owns fields of what is its own, and once owned all (server-side apply, "Managers"). */
export const MANAGER = 'solpack';

/** The name with which it owns the fields that a configuration brings: two of them are two managers. */
export function managerOf(configuration: string): string {
  return `${MANAGER}-${configuration}`;
}

/** Whether a field manager is solpack, for whichever configuration. */
export function isManager(name: string | undefined): boolean {
  return name === MANAGER || name?.startsWith(managerOf('')) === true;
}

/** What a server refuses, or that nobody answers: a `Status` of the API (API conventions, "Response Status Kind"). */
export class ApiError extends Error {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** `reason` of the `Status`, such as Conflict, Forbidden, Invalid; '' where there is none. */
  readonly reason: string;
  readonly causes: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  /** What was tried, such as `apply`, `delete`, `list`. */
  readonly verb: string;
  /** On what: `Kind namespace/name`, or a path. */
  readonly subject: string;

  constructor(
    tried: { readonly verb: string; readonly subject: string },
    answer: { readonly status: number; readonly reason?: string; readonly causes?: ApiError['causes'] },
    message: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.status = answer.status;
    this.reason = answer.reason ?? '';
    this.causes = answer.causes ?? [];
    this.verb = tried.verb;
    this.subject = tried.subject;
  }
}

/** The name of an object as an `ObjectName`. */
export function nameOf({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): ObjectName {
  return { apiVersion, kind, name, namespace };
}

/** An object in words: `Kind name`, or `Kind namespace/name`. */
export function wordsOf({ kind, name, namespace }: Omit<ObjectName, 'apiVersion'>): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
