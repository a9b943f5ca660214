/** The API server: its client, names of objects, fields, facts, and what a session shares. */

export {
  /** A refusal of the server, or no answer at all. */
  ApiError,
  /** What a server serves, by its discovery documents. */
  type Discovery,
  /** Decides whether a field manager is solpack, for any configuration. */
  isManager,
  /** An API server that has answered and accepted the credentials. */
  type KubernetesApi,
  /** An object as an API server returns it (Kubernetes API conventions, "Metadata"). */
  type LiveObject,
  /** Returns the field manager of a configuration: two configurations are two managers. */
  managerOf,
  /** Returns the identity of an object. */
  nameOf,
  /** Something that became of an object; one that a filter no longer shows counts as gone. */
  type ObjectChange,
  /** The identity of an object. */
  type ObjectName,
  /** A kind that a server serves, and how its paths name it. */
  type Resource,
  /** Names an object as plans do: `Kind/name`, or `Kind/namespace/name`. */
  slashed,
  /** An API server that also says what changes. */
  type WatchingApi,
  /** Describes an object: `Kind name`, or `Kind namespace/name`. */
  wordsOf,
} from './api.ts';
export {
  /** Waits until deleted objects are gone, and reports what it waits for. */
  awaitRemoval,
} from './await-removal.ts';
export {
  /** Turns a refusal of a server into an error of the user's terms. */
  clusterError,
  /** Connects to the cluster of the current context of a kubeconfig file. */
  connect,
  /** Decides whether an object was refused because of an immutable field, so that it would have to be made again. */
  isImmutable,
  /** Tells until when the certificates and the token are good that a kubeconfig holds or names. */
  kubeconfigTerms,
  /** The account of the Pod that a process runs in (Kubernetes, "Accessing the Kubernetes API from a Pod"). */
  type PodAccount,
  /** Names a port of a Service as the path of the proxy does, and as a rule of RBAC has to. */
  proxiedName,
} from './client/index.ts';
export {
  /** Returns what rendering needs to know of a cluster, from the discovery of its server. */
  factsOf,
} from './cluster-facts.ts';
export {
  /** Returns the result of `work`, or `otherwise` where the server refuses. */
  ifReadable,
} from './if-readable.ts';
export {
  /** What was looked up in a cluster, and what came of it. */
  type LookupMemory,
  /** Starts a server on this machine at which charts look objects up for as long as it runs. */
  serveLookups,
} from './lookup/index.ts';
export {
  /** A condition of an object's status (Kubernetes API conventions, "Typical status properties"). */
  type Condition,
  /** Returns the condition of that type in an object's status. */
  conditionOf,
  /** Returns what lies at `path` in `value`; undefined where something on the way is no object or list. */
  fieldAt,
  /** Decides whether the object's status has a condition of that type with that status. */
  hasCondition,
  /** Returns the list at `path`; empty where there is none. */
  listAt,
  /** Returns the whole number at `path`; undefined where there is none. */
  numberAt,
  /** Returns the string at `path`; '' where there is none. */
  textAt,
} from './object-path.ts';
export {
  /** Returns what follows the first `words` in `text`; undefined where they are not in it. */
  behind,
  /** Returns a count with its noun: `1 replica`, `3 replicas`. */
  counted,
  /** Returns `text`, which may come from anybody, as one line of at most `limit` characters. */
  oneLine,
  /** Returns what a condition says: its message, otherwise its reason, otherwise its type and status. */
  saysOf,
} from './one-line.ts';
export type {
  /** Which cluster to use, and how. */
  KubernetesOptions,
} from './options.ts';
export {
  /** Returns the kind that a CustomResourceDefinition defines, as `group/Kind`; undefined for any other object. */
  definedKind,
  /** Decides whether an object defines a kind (apiextensions.k8s.io, CustomResourceDefinition). */
  isDefinition,
  /** Returns whether objects of a kind live in namespaces; undefined for an unknown kind. */
  type Scope,
  /** Looks up kinds: first those that `objects` define, then those that the server serves. */
  scopeOf,
  /** Returns the apiVersions in which a CustomResourceDefinition has its kind served. */
  servedVersions,
} from './scope.ts';
export {
  /** Lists the values of all Secrets of a request, hooks among them. */
  requestedSecrets,
  /** Lists the names of the Secrets that a Pod has by its spec. */
  secretNames,
  /** Lists the values of a Secret as a program sees them, and as they are stored. */
  secretTexts,
} from './secret-texts.ts';
export {
  /** What every step of an apply works with. */
  type ApplySession,
  /** How long an apply waits, in milliseconds. */
  type ApplyTiming,
  /** The timing of real installs. */
  defaultTiming,
  /** Returns the milliseconds of a monotonic clock. */
  now,
  /** Returns the result of `work`, or the refusal of the API server. */
  orRefusal,
  /** Waits. */
  pause,
  /** Reads an object. */
  readOrRefusal,
} from './session.ts';
export {
  /** Waits until the server serves all that these definitions define, but `milliseconds` at most. */
  glanceAt,
  /** Repeats discovery until the server serves the kinds of all objects. */
  untilServed,
} from './until-served.ts';
