import type { SourceConnections } from '../../parts/sources/index.ts';
import type { InputsRequest } from '../pack/index.ts';

/** What to raise. Paths are absolute. */
export interface UpdateRequest
  extends Omit<InputsRequest, 'lock' | 'keepSources' | 'writesLock' | 'installer' | 'metalk8s' | 'sources'> {
  /** How upstreams are reached. */
  readonly sources: SourceConnections;
  /** Names of components and references of images; left out: all. */
  readonly only?: readonly string[] | undefined;
  /** Whether ranges, channels and major versions may be left. Left out: false. */
  readonly latest?: boolean | undefined;
  /** Whether pre-releases count beside exact versions and tags. Left out: false. */
  readonly preReleases?: boolean | undefined;
  /** Whether nothing newer is looked for: only images and the lock follow the definition. Left out: false. */
  readonly follow?: boolean | undefined;
  /** Whether nothing is written. Left out: false. */
  readonly plan?: boolean | undefined;
}
