import type { Reference } from '../../../../formats/oci/reference.ts';
import type { RepositoryTarget } from '../../../parts/registries/index.ts';

/** Finds an image in a `solpack serve` at `url`: below the name of its registry, so that no two can be mixed up. */
export function servedTarget(url: string, { registry, repository }: Reference): RepositoryTarget {
  const { protocol, host } = new URL(url);
  // A path cannot hold the colon of a port; "_" stands for it, as in the folders of containerd's hosts.toml.
  const folder = registry.toLowerCase().replace(':', '_');
  return {
    scheme: protocol === 'https:' ? 'https' : 'http',
    registry: host,
    repository: `${folder}/${repository}`,
  };
}
