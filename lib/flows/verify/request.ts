import type { Place, RegistryPlace } from '../../kernel/content/index.ts';
import type { DetachedBundle, Trust } from '../../parts/trust/index.ts';
import type { ArchivePlace } from '../../shared/solutions/media/index.ts';

/** What to verify. */
export interface VerifyRequest {
  /** A folder too, where an archive was mounted or extracted. */
  readonly archive: Place | RegistryPlace;
  /** Checks contents alone, whoever wrote the archive around them. A folder and a registry have nothing else. */
  readonly contentOnly?: boolean | undefined;
  /** Whom to trust; undefined checks integrity alone. */
  readonly trust: Trust | undefined;
  /** Archives that may have what it lacks, where it is a delta: that is checked there. Left out: none. */
  readonly bases?: readonly ArchivePlace[] | undefined;
  /** Signatures in files of their own, which count like those in slots. */
  readonly bundles?: readonly DetachedBundle[] | undefined;
}
