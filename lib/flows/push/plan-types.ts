import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Copied, Fetched } from '../../kernel/content/index.ts';
import type { Product } from '../../kernel/plan/index.ts';
import type { Archive, CatalogReferrer } from '../../parts/archives/index.ts';
import type { Registries, RepositoryTarget } from '../../parts/registries/index.ts';
import type { AttestationReferrer } from '../../shared/solutions/attestations/index.ts';
import type { Attached } from '../../shared/solutions/registries/index.ts';

/** An image or a chart of an archive, with a name of its own in a registry. */
export interface NamedContent {
  readonly target: RepositoryTarget;
  /** Undefined for an image that is named by digest alone. */
  readonly tag: string | undefined;
  readonly top: Fetched;
  /** All that it consists of, in groups that have to follow each other. */
  readonly groups: readonly (readonly Descriptor[])[];
  readonly referrers: readonly CatalogReferrer[];
}

/** What a push is planned from: what was asked for, and what was read. */
export interface PushRead {
  readonly archive: Pick<Archive, 'path' | 'catalog'>;
  /** Where the Solution goes. */
  readonly target: RepositoryTarget;
  /** The tag that its root gets; undefined where it gets none. */
  readonly tag: string | undefined;
  /** Images and charts that get names of their own. */
  readonly named: readonly NamedContent[];
  readonly attestations: readonly AttestationReferrer[];
}

/** What the steps of a push work with, and no plan holds. */
export interface PushMeans extends Pick<PushRead, 'target' | 'named' | 'attestations'> {
  readonly archive: Archive;
  readonly registries: Registries;
}

/** Given by each step that moves content. */
export const copied: Product<Copied> = { product: 'copied content' };

/** Given once the signatures of an archive, and its signed statements, are beside it. */
export const attached: Product<Attached> = { product: 'signatures and attestations' };

/** Names a repository, as `Repository` does. */
export function repositoryName({ registry, repository }: RepositoryTarget): string {
  return `${registry}/${repository}`;
}
