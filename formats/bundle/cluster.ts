import { coerce, lt } from 'semver';
import { refusedBundle } from './files.ts';
import type { OperatorBundle } from './read.ts';

/**
 * Makes sure that a cluster is new enough for an operator (`minKubeVersion`). Throws `FormatError`
 * `operator-bundle-invalid`.
 */
export function requireKubernetes({ operator }: OperatorBundle, version: string | undefined): void {
  const [least, found] = [coerce(operator.minKubeVersion), coerce(version)];
  if (least === null || found === null || !lt(found, least)) return;
  throw refusedBundle(`needs Kubernetes ${least.version} or newer, and the cluster has ${version}`);
}
