import type { ClusterFacts } from '../../kernel/content/index.ts';
import type { ApplyMeans, ReadCluster } from '../../shared/solutions/clusters/index.ts';
import type { NodeVariable } from '../../shared/solutions/node-variables/index.ts';
import type { Placement } from '../../shared/solutions/sets/index.ts';
import type { SiteInputs } from '../../shared/solutions/sites/index.ts';
import type { DeliveryMeans, DeliveryRead } from './delivery/index.ts';
import type { GenerationMeans } from './generation-means.ts';
import type { SettledInstall } from './settled.ts';

/** What a request says that both plans and their steps go by. */
type Asked = Pick<SettledInstall, 'trust' | 'delivery' | 'variables' | 'kubernetes' | 'exposes'>;

/** What an install is planned from: what was asked for, and what was read. */
export interface InstallRead
  extends DeliveryRead,
    Asked,
    Pick<SettledInstall, 'hostsDir' | 'timeout' | 'allow' | 'allowMissingImages' | 'strict' | 'test' | 'takeOver'> {
  /** Name of the configuration. */
  readonly configuration: string;
  /** Undefined where the install ends with the images and mirrors. */
  readonly cluster: ReadCluster | undefined;
  /** What of the archives is brought where. */
  readonly placements: readonly Placement[];
  /** What the site sets for components. */
  readonly sites: readonly SiteInputs[];
  /** The versions that the configuration activated before archives were added to it; left out where none were. */
  readonly wantedBefore?: ReadonlyMap<string, string> | undefined;
}

/** What the steps of an install work with, and no plan holds. The archives are those of the plan. */
export interface InstallMeans extends DeliveryMeans, ApplyMeans, GenerationMeans, Asked {
  readonly facts: ClusterFacts | undefined;
  readonly sites: readonly SiteInputs[];
  /** The variables of the node that plugins get, and who said so. */
  readonly nodeVariables: readonly NodeVariable[];
  /** Names of Solutions that the cluster has in a higher version, and that have no sequence. */
  readonly downgraded: readonly string[];
}
