import type { Digest } from '../../../formats/digest.ts';
import type { SolutionMetadata } from '../../../formats/solution/metadata.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { CatalogImage } from '../../parts/archives/index.ts';
import type { CollectedFile } from '../../parts/components/index.ts';

/** An image that a Solution brings along. */
export type HeldImage = Pick<CatalogImage, 'reference' | 'descriptor' | 'closure'>;

/** The programs that an archive brings along. */
export interface CarriedPrograms {
  /** How messages name the archive. */
  readonly path: string;
  /** Why they are not run; undefined where they may be. */
  readonly refusal: string | undefined;
  /** The platforms that it has a program for. */
  platformsOf(name: string): readonly string[];
  /** Writes a program for a platform to the file `full`, checked against its digest. Throws `archive-damaged`. */
  write(name: string, platform: string, full: string, flow: Flow): Promise<void>;
}

/** Where what a Solution has in namespaces is moved to. */
export interface MovedSolution {
  /** The name by which the cluster knows what is rendered of it. */
  readonly instance: string;
  readonly namespace: string;
  /** The namespaces that its author has for its components. */
  readonly from: readonly string[];
  /** Labels that the namespace gets besides its own. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A Solution whose components can be rendered, whether an archive has it already or not. */
export interface Renderable {
  /** How messages name where it comes from. */
  readonly path: string;
  readonly metadata: SolutionMetadata;
  /** Digest of its root; undefined where there is none yet. */
  readonly root: string | undefined;
  readonly images: readonly HeldImage[];
  /** The files of the installer that it brings along; absent where it is not an archive yet. */
  readonly installer?: readonly { readonly path: string; readonly digest: Digest }[];
  /** The programs of that installer; absent where nobody was asked whether they may be run. */
  readonly programs?: CarriedPrograms;
  /** Where it is moved to; absent where it stays where its author says. */
  readonly moved?: MovedSolution;
  /** Lists the files of a component. They are checked against their digests as they are read. */
  readonly files: (component: string, flow: Flow) => readonly CollectedFile[];
}

/** The name by which the cluster knows what is rendered of a Solution: its own, or that of an environment. */
export function renderedName({ metadata, moved }: Pick<Renderable, 'metadata' | 'moved'>): string {
  return moved?.instance ?? metadata.name;
}
