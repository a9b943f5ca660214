import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { ComponentMetadata } from '../../../formats/solution/metadata.ts';
import type { CollectedFile } from '../../parts/components/index.ts';
import type { Renderable } from './renderable.ts';

/** A component of a Solution, its files written to a folder where its kind needs one. */
export interface Unpacked {
  readonly solution: Renderable;
  readonly component: ComponentMetadata;
  readonly folder: string;
  readonly files: readonly CollectedFile[];
  /** Values files of the site, below the folder; they win over those of the component. */
  readonly siteValues?: readonly string[];
  /** Whether the site wants upgrades to keep what it drew; left out: its author decides. */
  readonly siteKeepsDrawn?: boolean | undefined;
  /** What was parsed of it before, for whichever cluster. */
  readonly parsed?: Map<string, readonly KubernetesObject[]>;
}
