import type { Bytes } from '../../../formats/bytes.ts';
import type { ChartMetadata } from '../../../formats/chart/metadata.ts';
import type { ChartMentions, ChartTraits } from '../../../formats/chart/text-traits.ts';
import type { JsonSchema } from '../../../formats/json-schema/schema.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { Relations } from '../../../formats/solution/relations.ts';
import type { Upgrade, UpgradeBound } from '../../../formats/solution/upgrade.ts';
import type { ClusterFacts, Lookups, ReadPreviousVersion } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';

/** The kinds of component that this version knows. */
export type ComponentKindName =
  | 'manifests'
  | 'kustomize'
  | 'helm'
  | 'plugin'
  | 'registry+v1'
  | 'plain+v0'
  | 'components.d';

/** One component of the definition. Its `path` and `values` are absolute. */
export interface ComponentSpec {
  readonly name: string;
  readonly kind: ComponentKindName;
  /** The file or folder that it is made of; it lies in `root`. */
  readonly path: string;
  readonly values: readonly string[];
  /** The folder outside of which nothing of the component is read. */
  readonly root: string;
  /** The definition's folder, if that is another one; values files in it may be links within it. */
  readonly home?: string | undefined;
  /** Where it was fetched from, for messages. */
  readonly origin?: string | undefined;
  /** Values that stand in the definition itself. */
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  /** Whether Helm passes over the schemas of a chart. */
  readonly skipSchemaValidation?: boolean | undefined;
  /** What the catalog that it is of says of upgrades to it; undefined if it is of none. */
  readonly upgrade?: UpgradeBound | undefined;
  /** Gets what it needs from elsewhere; without it, nothing is fetched. */
  readonly remote?: RemoteParts | undefined;
}

/** Gets parts of components that lie on a network. All throw what fetching throws. */
export interface RemoteParts {
  /** Returns the file of a packed chart, by the address of its repository with its name behind it. */
  chart(address: string, version: string): Promise<string>;
  /** Returns a folder of a git repository, and the folder that the commit was unpacked into. */
  folder(address: string): Promise<{ readonly path: string; readonly root: string }>;
  /** Returns a file of objects. */
  file(address: string): Promise<string>;
}

/** A file of a component, on its way into an archive or out of one. */
export interface CollectedFile {
  /** Relative to the component's folder in the archive, `/` between names. */
  readonly path: string;
  /** 0o755 for a file that its owner may execute, otherwise 0o644. */
  readonly mode: number;
  readonly size: number;
  /** The file on the disk with these bytes; undefined where they were made in memory. */
  readonly origin?: string;
  /** What it was packed of, such as the files of a chart's folder; undefined for a file as it is. */
  readonly parts?: readonly CollectedFile[];
  open(): Bytes;
}

/** Everything that a component puts into an archive. */
export interface Collected {
  /** In byte order of their paths, each path once. */
  readonly files: readonly CollectedFile[];
  /** Where rendering starts, relative to the component's folder; '' means the folder itself. */
  readonly entry: string;
  /** Helm values files, relative to the component's folder; later ones win. */
  readonly values: readonly string[];
  /** The version of an operator, for kind `registry+v1`. */
  readonly version?: string;
  /** Where it goes if nobody says so: into this namespace, which its Solution then brings. */
  readonly namespace?: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  /** The chart, for kind `helm`. */
  readonly chart?: { readonly path: string; readonly metadata: ChartMetadata };
  /** What it asks of other Solutions, and offers them. */
  readonly relations?: Relations;
  /** Over which versions of what it provides it may be installed. */
  readonly upgrade?: Upgrade['provides'];
  /** What the author should know of them, in words. */
  readonly notices?: readonly string[];
  /** Whether only the node can render it. Left out: where the definition says so. */
  readonly atInstall?: boolean;
}

/** A component of an archive, unpacked into a folder. */
export interface UnpackedComponent {
  readonly name: string;
  /** Where its files are; nothing is there for a kind that needs no folder. */
  readonly folder: string;
  /** Its files, with paths relative to the folder; left out: they are all there. */
  readonly files?: readonly CollectedFile[];
  readonly entry: string;
  readonly values: readonly string[];
  readonly namespace: string | undefined;
  /** The name of a chart's release. */
  readonly release: string;
  /** Whether Helm passes over the schemas of a chart. */
  readonly skipSchemaValidation?: true;
  /** Whether an upgrade keeps what a chart drew. */
  readonly keepDrawn?: true;
  /** Name and version of its Solution. */
  readonly solution: { readonly name: string; readonly version: string };
  /** The name by which the cluster knows what is rendered; left out: that of the Solution. */
  readonly instance?: string;
  /** The cluster to render for; undefined where none was asked. */
  readonly cluster: ClusterFacts | undefined;
  /** What was parsed of it before, by its text: most of what a chart prints is the same for all clusters. */
  readonly parsed?: Map<string, readonly KubernetesObject[]>;
  /** Looks objects of that cluster up, for charts; undefined where `lookup` finds nothing. */
  readonly lookups?: Lookups | undefined;
  /** Whether a chart is rendered for an upgrade of what is there, rather than for a first installation. */
  readonly upgrade?: boolean;
  /** The plugin convention's variables about the node; those that are left out are empty. */
  readonly variables: Readonly<Record<string, string>>;
}

/** An object, and where its component states it. */
export interface StatedObject {
  readonly object: KubernetesObject;
  /** A template of a chart, or `FILE:LINE` of a manifest; undefined where the kind cannot tell. */
  readonly source: string | undefined;
  /** Images that its component says it uses, and that it does not name itself. */
  readonly images?: readonly DeclaredImage[];
}

/** An image that a component says it uses, with where it says so. */
export interface DeclaredImage {
  readonly reference: string;
  readonly path: string;
  /** How sure it is that something runs it. */
  readonly certainty: 'certain' | 'likely';
}

/** One kind of component: how it is packed, and how it becomes Kubernetes objects. */
export interface ComponentKind {
  readonly kind: ComponentKindName;
  /** Lists the component's files, and checks that they fit the kind. Throws `component-invalid`. */
  collect(spec: ComponentSpec, signal?: AbortSignal): Promise<Collected>;
  /** Refuses a component that `render` cannot handle, before any component is rendered. */
  probe?(component: UnpackedComponent, flow: Flow): Promise<void>;
  /** What sites may set as values, where that is the same for all of its components. */
  readonly values?: JsonSchema;
  /** Whether its objects are the same for every cluster. */
  readonly isFixed?: boolean;
  /** Whether it is rendered of its files as they are read, so that nobody has to write them to a folder. */
  readonly needsNoFolder?: boolean;
  /** Returns what can be known of its rendering without doing it. Left out: it depends on nothing but its files. */
  traits?(component: UnpackedComponent): Promise<ChartTraits>;
  /** Reads what its templates mention. Left out: nothing. */
  mentions?(component: UnpackedComponent): Promise<ChartMentions>;
  /**
   * Returns the objects in the order in which the component states them. Throws `tool-missing`, `tool-failed`,
   * `plugin-failed`, `component-invalid`.
   */
  render(component: UnpackedComponent, flow: Flow): Promise<readonly StatedObject[]>;
  /**
   * Returns the custom resources that have to change because another version of the Solution was there, in their new
   * form. Left out: none has to. Throws as `render`.
   */
  upgrade?(
    component: UnpackedComponent,
    readPreviousVersion: ReadPreviousVersion,
    flow: Flow,
  ): Promise<readonly KubernetesObject[]>;
}
