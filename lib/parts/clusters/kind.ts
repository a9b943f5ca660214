import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import type { OutsideInstall } from '../../../formats/resolve/outside.ts';
import type { ReadyProbe } from '../../../formats/solution/ready-probe.ts';
import type { Relations } from '../../../formats/solution/relations.ts';
import type { ClusterFacts, Lookups, PreviousVersion } from '../../kernel/content/index.ts';
import type { Flow, SolpackError } from '../../kernel/events/index.ts';
import type { ForeseenAction } from '../../kernel/plan/index.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { Generation, GenerationNote } from './generation.ts';
import type { ConfigurationStatus, Repair } from './presence.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** A component to be applied: its objects, in order. */
export interface RenderedComponent {
  readonly name: string;
  /** With its hooks, which run at their events (`hookOf`). */
  readonly objects: readonly KubernetesObject[];
  /**
   * Components of the same Solution that have to be ready before this one is applied. All of them come before it in the
   * list.
   */
  readonly after: readonly string[];
  /** Milliseconds that it may take to become ready. */
  readonly timeout: number;
  /** What tells that it is ready, besides that its objects are; left out where nothing does. */
  readonly ready?: readonly ReadyProbe[] | undefined;
  /**
   * Custom resources that others have made, in the form that they are to have once the component is ready, each with
   * the `uid` and the `generation` of the one that was looked at. They become no objects of the Solution. Left out:
   * none.
   */
  readonly migrations?: readonly KubernetesObject[];
}

/** Something that the cluster is to remember of a Solution, from before the first of its objects is applied. */
export interface KeptRecord {
  /** What it is about: parts with dots between them, each a DNS label. The last one is the component that it is of. */
  readonly about: string;
  readonly bytes: Uint8Array;
  /**
   * What was remembered about it when these bytes were made; undefined where nothing was; `bytes` itself where that
   * stays.
   */
  readonly replaces: Uint8Array | undefined;
}

/** A Solution version to be applied. Each component comes after those that it waits for. */
export interface RenderedSolution {
  readonly name: string;
  readonly version: string;
  /** Digest of the archive's root; undefined where there is no archive. */
  readonly root: string | undefined;
  /** Digest of what the site sets for it; left out where that is nothing. */
  readonly site?: string | undefined;
  /** What it asks of others and offers them; left out where that is nothing. */
  readonly relations?: Relations | undefined;
  readonly components: readonly RenderedComponent[];
  /** What is to be remembered of it. What is remembered of components that it no longer has is forgotten. */
  readonly records?: readonly KeptRecord[];
}

/** Everything that the cluster has to have afterwards. */
export interface ApplyRequest {
  /**
   * Name of the configuration that asks for this. Solutions that it brought earlier, and that are not in the request,
   * are removed.
   */
  readonly configuration: string;
  readonly solutions: readonly RenderedSolution[];
  /**
   * Where false, nothing is removed, and objects that are not in the request stay in the inventory, for a later apply
   * to remove: for a request that lacks what could not be rendered. Left out: true.
   */
  readonly prune?: boolean;
  /** Whether hooks of `test` are run once all is ready. Left out: false. */
  readonly test?: boolean;
  /**
   * Whether it goes back to what was there before: hooks of a rollback run instead of those of an upgrade, and a
   * CustomResourceDefinition that is there stays as it is where that of the request would narrow what objects are
   * stored for. Left out: false.
   */
  readonly isReturn?: boolean;
  /** What is recorded of it as a generation of the configuration. Left out: nothing is. */
  readonly generation?: GenerationNote;
  /**
   * Solutions that it takes from the configurations that brought them, with all of their environments; those that are
   * not in the request are removed then. Left out: none.
   */
  readonly takeOver?: readonly string[] | undefined;
  /**
   * Whether the result says where objects answer from outside of the cluster, which takes requests of its own. Left
   * out: false.
   */
  readonly exposes?: boolean | undefined;
  /** What somebody has confirmed that the apply does: nothing else is done. Left out: nobody was asked. */
  readonly confirmed?: readonly ForeseenAction[] | undefined;
}

/** What an apply would do, in its order. */
export interface ForeseenApply {
  readonly actions: readonly ForeseenAction[];
  /** How many objects stay as they are. */
  readonly unchanged: number;
  /** What it is done to: the URL of the API server, or a folder. */
  readonly basis: string;
}

/**
 * What happened to an object. `replaced`: deleted and created again, because an immutable field had to change. `kept`:
 * no longer wanted, but left in place because deleting it would delete data. `ran`: a hook, created for an event of its
 * component; a Job or a Pod has succeeded.
 */
export type Action = 'created' | 'changed' | 'replaced' | 'unchanged' | 'ran' | 'removed' | 'kept';

/** An object, and what happened to it. */
export interface AppliedObject {
  /** `Kind name` or `Kind namespace/name`. */
  readonly object: string;
  readonly action: Action;
  /** The component that brings it; undefined where none does any longer. */
  readonly component: string | undefined;
  /** Why it was kept; left out of all others. */
  readonly reason?: string;
}

/** What happened to one Solution. */
export interface AppliedSolution {
  readonly name: string;
  readonly version: string;
  /** Files that were written, in order. */
  readonly files: readonly string[];
  /** Objects in the order in which they were applied or removed. */
  readonly objects: readonly AppliedObject[];
}

/** A hook of `test` that has succeeded. */
export interface ChartTest {
  readonly solution: string;
  readonly component: string;
  /** `Kind namespace/name`. */
  readonly object: string;
  /** The last lines that it printed. */
  readonly log: readonly string[];
}

/** An object that answers from outside of the cluster. */
export interface ExposedObject {
  /** `Kind namespace/name`. */
  readonly object: string;
  /** URLs, or `HOST:PORT`; `ADDRESS` and `NODE` stand for what is not known yet. */
  readonly addresses: readonly string[];
}

/** What an apply did. */
export interface ApplyResult {
  /** The Solutions of the request, in its order. */
  readonly solutions: readonly AppliedSolution[];
  /** Solutions that were removed because the request no longer had them. */
  readonly removed: readonly AppliedSolution[];
  /** The tests that were asked for, in the order in which they ran; undefined where none were. */
  readonly tests?: readonly ChartTest[];
  /** The number of the generation that is there now; left out where none is recorded. */
  readonly generation?: number;
  /** What answers from outside of the cluster; left out where nothing does. */
  readonly exposed?: readonly ExposedObject[];
}

/** A Solution that a cluster remembers to have. */
export interface InventoryEntry {
  readonly name: string;
  readonly version: string;
  /** The digest of its archive's root; undefined where it came from no archive. */
  readonly root: string | undefined;
  /** Which configuration brought it; '' is none. */
  readonly configuration: string;
  /** `applying`: a run has begun to bring it, and has not ended. `removed`: some of its objects were kept. */
  readonly state: 'applying' | 'ready' | 'removed';
  /**
   * What it asks of others and offers them; undefined where that is nothing, or where an earlier release brought it.
   */
  readonly relations?: Relations | undefined;
}

/** What others have installed in a cluster, by other programs. */
export interface OutsideInstalls {
  readonly installs: readonly OutsideInstall[];
  /** What could not be read, with the reason, in words. */
  readonly unread: readonly string[];
}

/** A node, as far as it decides which Pods may run there. */
export interface ClusterNode {
  readonly name: string;
  /** As Go names it, such as `linux`. */
  readonly os: string;
  /** As Go names it, such as `amd64`. */
  readonly architecture: string;
  /** With those of the platform, also where it has none (`kubernetes.io/arch`, `kubernetes.io/os`). */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value: string; readonly effect: string }[];
  /** Those by which other nodes reach it; absent if there is none. */
  readonly addresses?: readonly string[];
}

/**
 * Decides whether what a generation of a configuration applied, or a part of that, may be applied once more. Throws
 * `not-trusted`.
 */
export type Permit = (
  configuration: string,
  generation: Pick<Generation, 'number' | 'solutions'>,
  content: readonly RenderedSolution[],
) => void;

/** Where rendered Solutions go: a folder, or the API server of a cluster. Whoever opens it disposes of it. */
export interface ClusterTarget extends AsyncDisposable {
  /** How messages name it. */
  readonly name: string;
  /**
   * Reads the facts about the cluster, and so finds out whether it can be reached. Undefined where there is no cluster
   * to ask.
   */
  facts(flow: Flow): Promise<ClusterFacts | undefined>;
  /** Lists what is remembered of all Solutions, by name; nothing where nothing is remembered. */
  inventory(flow: Flow): Promise<readonly InventoryEntry[]>;
  /**
   * Reads what others have installed by OLM and by Helm; nothing where there is no cluster. It reads Secrets of Helm,
   * and returns nothing of them but names and versions of charts.
   */
  outside(flow: Flow): Promise<OutsideInstalls>;
  /** Returns what is remembered of a Solution, as a `KeptRecord` said it; undefined where nothing is. */
  recorded(solution: string, about: string, flow: Flow): Promise<Uint8Array | undefined>;
  /** Names the configurations whose generations are remembered, in order. */
  configurations(flow: Flow): Promise<readonly string[]>;
  /** Tells the generations of a configuration that are remembered, the newest first. */
  generations(configuration: string, flow: Flow): Promise<readonly Generation[]>;
  /**
   * Returns what a generation applied, with the records that were kept then; undefined where that is not remembered, or
   * damaged.
   */
  generationContent(
    configuration: string,
    number: number,
    flow: Flow,
  ): Promise<readonly RenderedSolution[] | undefined>;
  /**
   * Compares what the newest generation of a configuration applied with what is there; undefined where that is not
   * remembered. It reads, and changes nothing.
   */
  status(configuration: string, flow: Flow): Promise<ConfigurationStatus | undefined>;
  /**
   * Puts back what has drifted of the newest generation of a configuration, or is gone, where `solution` is given of
   * that alone; undefined where there is no cluster. `permit` is asked first; left out, nobody is. Throws what it
   * throws, `generation-absent`, and `generation-unfinished` where that generation did not go well.
   */
  repair(configuration: string, solution: string | undefined, flow: Flow, permit?: Permit): Promise<Repair | undefined>;
  /** Prepares to read what is in the cluster of its Solutions; undefined where there is no cluster. Changes nothing. */
  snapshot(flow: Flow): Promise<ClusterSnapshot | undefined>;
  /** Looks objects up; undefined where there is no cluster. What was looked up once stays as it was then. */
  readonly lookups: Lookups | undefined;
  /**
   * Finds out what `apply` would do with a request, and does nothing. Throws what that throws before its first change.
   */
  foresee(request: ApplyRequest, flow: Flow): Promise<ForeseenApply>;
  /**
   * Reads what there is of a Solution, its Secrets aside, before `version` of it is brought up; undefined where no
   * other version is there.
   */
  previousVersion(solution: string, version: string, flow: Flow): Promise<PreviousVersion | undefined>;
  /** Reads the settings that the cluster reports, for plugins; empty if there is no cluster. */
  settings(flow: Flow): Promise<ClusterSettings>;
  /**
   * Finds out why the API server is not ready; undefined where it is, or there is none. Throws what connecting throws
   * where it does not answer.
   */
  whyNotReady(flow: Flow): Promise<string | undefined>;
  /** Lists the nodes; undefined where they may not be listed, empty where there is no cluster. */
  nodes(flow: Flow): Promise<readonly ClusterNode[] | undefined>;
  /**
   * Finds what an apply would fail by, or break, as far as that is known without trying it: rights that are missing,
   * stored custom resources that a new definition does not take. Changes nothing.
   */
  examine(request: ApplyRequest, flow: Flow): Promise<readonly SolpackError[]>;
  /** Applies Solutions, which replace the versions that are there, and waits until they are ready. */
  apply(request: ApplyRequest, flow: Flow): Promise<ApplyResult>;
}
