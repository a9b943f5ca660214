import { join } from 'node:path';
import type { LoadRequest } from '../../../../lib/flows/load/index.ts';
import { directoryTarget } from '../../../../lib/parts/clusters/index.ts';
import type { ApplyRequest, ClusterTarget } from '../../../../lib/parts/clusters/kind.ts';
import { configMap, type Planted } from '../../parts/components/support.ts';

/** A kustomization with one object. */
export function kustomization(folder: string, name: string): Record<string, Planted> {
  return {
    [`${folder}/kustomization.yaml`]: 'resources: [map.yaml]\n',
    [`${folder}/map.yaml`]: configMap(name),
  };
}

/** A folder that objects are rendered into, which remembers what it was asked for. */
export function rememberingTarget(folder: string): ClusterTarget & { readonly requests: ApplyRequest[] } {
  const target = directoryTarget(folder);
  const requests: ApplyRequest[] = [];
  return {
    ...target,
    requests,
    apply: (request, flow) => {
      requests.push(request);
      return target.apply(request, flow);
    },
  };
}

/** A request for the tree in `folder`, rendered beside it. */
export function requestFor(folder: string, more: Partial<LoadRequest> = {}): LoadRequest {
  return {
    folders: [folder],
    cluster: directoryTarget(join(folder, '../rendered')),
    name: undefined,
    variables: {},
    retryFor: 0,
    keepGoing: false,
    allowEmpty: false,
    timeout: 60_000,
    ...more,
  };
}
