import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';

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

/** The identity of an object. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined for cluster-scoped objects. */
  readonly namespace?: string | undefined;
}

/** A kind that a server serves, and how its paths name it. */
export interface Resource {
  /** '' is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural name, as in paths. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** What a server serves, by its discovery documents. */
export interface Discovery {
  /** Version of the server, such as `v1.35.4`. */
  readonly version: string;
  /** Every resource that has objects of its own, so no subresources. */
  readonly resources: readonly Resource[];
  /** Returns the resource of a kind in exactly that version; undefined where it is not served. */
  find(apiVersion: string, kind: string): Resource | undefined;
  /**
   * Returns the resource of a kind in the version that the server prefers; undefined where group or kind is unknown.
   */
  preferred(group: string, kind: string): Resource | undefined;
}

/** Something that became of an object; one that a filter no longer shows counts as gone. */
export interface ObjectChange {
  readonly isGone: boolean;
  readonly object: LiveObject;
}

/** How to apply an object. */
export interface ApplyOptions {
  /** Checks everything and stores nothing. */
  readonly dryRun?: boolean;
  /** Takes over fields that other managers own. */
  readonly force?: boolean;
  /** The field manager; left out: `MANAGER`. */
  readonly manager?: string;
  /** Applies to the status of the object, and to nothing else of it (Kubernetes API conventions, "Spec and Status"). */
  readonly status?: true;
  /** Asks for nothing but type and metadata of what was applied (Kubernetes API concepts, "Metadata-only fetches"). */
  readonly metadata?: true;
}

/**
 * An API server that has answered and accepted the credentials. Every method throws `ApiError` where the server
 * refuses.
 */
export interface KubernetesApi {
  /** URL, as messages name it. */
  readonly server: string;
  /** Returns what the server serves. It is read once, and again where `fresh` is true. */
  discover(signal: AbortSignal, fresh?: boolean): Promise<Discovery>;
  /** Reads an object; undefined where the object or its kind does not exist. */
  read(name: ObjectName, signal: AbortSignal): Promise<LiveObject | undefined>;
  /**
   * Lists the objects of a kind in one namespace, or in all of them; reads page by page. With `metadata` they are
   * nothing but type and metadata. With `atMost` no more of them are read, nor pages of them.
   */
  list(
    resource: Resource,
    filter: {
      readonly namespace?: string;
      readonly labels?: string;
      readonly fields?: string;
      readonly metadata?: true;
      readonly atMost?: number;
    },
    signal: AbortSignal,
  ): Promise<readonly LiveObject[]>;
  /**
   * Applies an object (server-side apply). Its kind has to be known to `discover`. Where the object has a
   * `resourceVersion`, it is applied to exactly that version.
   */
  apply(object: KubernetesObject, options: ApplyOptions, signal: AbortSignal): Promise<LiveObject>;
  /** Stores an object in the place of the one that has its `resourceVersion`, as it is. */
  replace(object: KubernetesObject, signal: AbortSignal): Promise<LiveObject>;
  /**
   * Replaces the record of who set which fields (server-side apply, "Clearing managedFields"), if the object has not
   * changed since it was read. Changes nothing else of it.
   */
  reassign(
    live: LiveObject,
    managedFields: NonNullable<LiveObject['metadata']['managedFields']>,
    signal: AbortSignal,
  ): Promise<LiveObject>;
  /** Deletes the object if it is unchanged and still has that `uid`. Returns false where it no longer exists. */
  remove(
    name: ObjectName,
    options: {
      readonly uid?: string;
      readonly resourceVersion?: string;
      readonly propagation: 'Foreground' | 'Background';
    },
    signal: AbortSignal,
  ): Promise<boolean>;
  /**
   * Reads the last lines that a container printed, the newest last; empty where there are none. `blank` blanks what
   * nobody is to see, before long lines are cut. With `orThrow` a refusal of the server is thrown like that of any
   * other call.
   */
  log(
    pod: { readonly namespace: string; readonly name: string },
    container: string,
    options: {
      readonly previous?: boolean;
      readonly lines: number;
      readonly blank?: (text: string) => string;
      readonly orThrow?: true;
    },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** Returns the user that the credentials stand for; undefined where the server does not tell (SelfSubjectReview). */
  whoAmI(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Returns whether the user may do something with objects of a resource: with all of them, those of a namespace, or
   * one.
   */
  allows(
    what: {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly namespace?: string | undefined;
      readonly name?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<boolean>;
  /**
   * Sends a GET through the server's proxy to a port of a Service (Kubernetes, "Access Services Running on Clusters"),
   * once, and returns the status of the answer, whose body nobody reads. Throws `ApiError` where the server cannot
   * reach it (`reason` is said), and for statuses other than 2xx (`reason` is empty).
   */
  askService(
    service: {
      readonly scheme: 'http' | 'https';
      readonly namespace: string;
      readonly name: string;
      readonly port: string;
      /** Begins with a slash. */
      readonly path: string;
    },
    signal: AbortSignal,
  ): Promise<void>;
  /** Tells in words why the server is not ready to work (`/readyz`); undefined where it is. */
  whyNotReady(signal: AbortSignal): Promise<string | undefined>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** An API server that also says what changes. */
export interface WatchingApi extends KubernetesApi {
  /**
   * Watches objects of a kind until the server ends that, as it does after some minutes (Kubernetes API concepts,
   * "Efficient detection of changes"). `begin` is called once: who reads what is there from then on misses nothing.
   * `change` gets what changes later.
   */
  watch(
    resource: Resource,
    filter: {
      readonly namespace?: string | undefined;
      readonly labels?: string;
      readonly fields?: string;
      readonly metadata?: true;
    },
    on: { begin(): Promise<void> | void; change(change: ObjectChange): void },
    signal: AbortSignal,
  ): Promise<void>;
}

/**
 * The field manager of solpack's own objects; earlier versions used it for all objects (server-side apply, "Managers").
 */
export const MANAGER = 'solpack';

/** Returns the field manager of a configuration: two configurations are two managers. */
export function managerOf(configuration: string): string {
  return `${MANAGER}-${configuration}`;
}

/** Decides whether a field manager is solpack, for any configuration. */
export function isManager(name: string | undefined): boolean {
  return name === MANAGER || name?.startsWith(managerOf('')) === true;
}

/** A refusal of the server, or no answer at all: a `Status` of the API (API conventions, "Response Status Kind"). */
export class ApiError extends Error {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** `reason` of the `Status`, such as Conflict, Forbidden, Invalid; '' where there is none. */
  readonly reason: string;
  readonly causes: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  /** What was tried, such as `apply`, `delete`, `list`. */
  readonly verb: string;
  /** The object or the path: `Kind namespace/name`, or a path. */
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

/** Returns the identity of an object. */
export function nameOf({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): ObjectName {
  return { apiVersion, kind, name, namespace };
}

/** Describes an object: `Kind name`, or `Kind namespace/name`. */
export function wordsOf({ kind, name, namespace }: Omit<ObjectName, 'apiVersion'>): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** Names an object as plans do: `Kind/name`, or `Kind/namespace/name`. */
export function slashed({ kind, name, namespace }: Omit<ObjectName, 'apiVersion'>): string {
  return [kind, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}
