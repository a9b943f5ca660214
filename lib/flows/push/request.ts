import type { Digest } from '../../../formats/digest.ts';
import type { Reference } from '../../../formats/oci/reference.ts';
import type { Copied } from '../../kernel/content/index.ts';
import type { RegistryOptions } from '../../parts/registries/index.ts';
import type { ArchivePlace } from '../../shared/solutions/media/index.ts';

/** What to push, and where to. */
export interface PushRequest {
  readonly archive: ArchivePlace;
  /** Archives that may have what it lacks, where it is a delta. Left out: none. */
  readonly bases?: readonly ArchivePlace[] | undefined;
  /** Without a tag it is the version; a digest has to be the root's, and alone it leaves the root without a tag. */
  readonly reference: Reference;
  readonly options: RegistryOptions;
  /** Whether images and charts get names of their own as well, below the repository. */
  readonly expand?: boolean | undefined;
}

/** What was pushed. */
export interface PushResult extends Copied {
  /** Where the Solution is now: the repository, the tag where there is one, and the digest. */
  readonly reference: string;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  /** Signatures of the archive, which are referrers of the root. */
  readonly signatures: number;
  /** Attestations of the archive that are signed, which are referrers of what they are about. */
  readonly attestations: number;
  /** Images and charts that have names of their own now. */
  readonly names: readonly { readonly reference: string; readonly digest: Digest }[];
}
