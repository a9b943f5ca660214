import type { Bytes } from '../../formats/bytes.ts';
import type { ChartMetadata } from '../../formats/chart/metadata.ts';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import type { Flow } from '../flow.ts';
import type { ClusterFacts } from '../model.ts';

/** The kinds of component that this version knows. */
export type ComponentKindName = 'manifests' | 'kustomize' | 'helm' | 'plugin';

/** What the author wrote of one component, with `path` and `values` made absolute and inside the definition's folder. */
export interface ComponentSpec {
  readonly name: string;
  readonly kind: ComponentKindName;
  readonly path: string;
  readonly values: readonly string[];
  /** The definition's folder: nothing outside of it is read. */
  readonly root: string;
}

/** A file of a component on its way into an archive. */
export interface CollectedFile {
  /** Relative to the component's folder in the archive, `/` between names. */
  readonly path: string;
  /** 0o755 for what its owner may execute, else 0o644. */
  readonly mode: number;
  readonly size: number;
  /** The file on the disk whose bytes these are; undefined for what was made here. */
  readonly origin?: string;
  open(): Bytes;
}

/** All that a component puts into an archive. */
export interface Collected {
  /** In byte order of their paths, each path once. */
  readonly files: readonly CollectedFile[];
  /** Where rendering starts, relative to the component's folder; '' is the folder itself. */
  readonly entry: string;
  /** Helm values files in order of precedence (later wins), relative to the component's folder. */
  readonly values: readonly string[];
  /** Which file is the chart, for kind `helm`. */
  readonly chart?: { readonly path: string; readonly metadata: ChartMetadata };
}

/** A component out of an archive, its files written to a folder. */
export interface UnpackedComponent {
  readonly name: string;
  readonly folder: string;
  readonly entry: string;
  readonly values: readonly string[];
  readonly namespace: string | undefined;
  /** Name and version of the Solution that it belongs to. */
  readonly solution: { readonly name: string; readonly version: string };
  /** The cluster that it is rendered for; undefined where none was asked. */
  readonly cluster: ClusterFacts | undefined;
  /** What plugins are told of the node, by the names of their convention; the rest are empty. */
  readonly variables: Readonly<Record<string, string>>;
}

/** One kind of component: how it gets into an archive, and how it becomes Kubernetes objects. */
export interface ComponentKind {
  readonly kind: ComponentKindName;
  /** Whether its objects depend on the kinds that the cluster serves. */
  readonly asksKinds?: boolean;
  /** Lists the component's files and checks that they are what the kind wants. Throws `component-invalid`. */
  collect(spec: ComponentSpec, signal?: AbortSignal): Promise<Collected>;
  /** Refuses a component that `render` could not work with, before any component is rendered. */
  probe?(component: UnpackedComponent, flow: Flow): Promise<void>;
  /** The objects in the order the component states them. Throws `tool-missing`, `tool-failed`, `plugin-failed`, `component-invalid`. */
  render(component: UnpackedComponent, flow: Flow): Promise<readonly KubernetesObject[]>;
}
