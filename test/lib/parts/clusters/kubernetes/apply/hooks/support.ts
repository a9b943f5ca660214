import type { KubernetesObject } from '../../../../../../../formats/manifest/documents.ts';
import type { ApplyRequest, RenderedComponent } from '../../../../../../../lib/parts/clusters/kind.ts';
import { type KubernetesApi, nameOf } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import type { MemoryCluster } from '../../../../../../support/cluster/index.ts';
import { stated } from '../../support.ts';

/** A Job at `namespace/name` that is a hook of those events. */
export function hook(
  place: string,
  events: string,
  version = '1',
  more: Record<string, string> = {},
): KubernetesObject {
  const spec = { template: { spec: { containers: [{ name: 'app', image: `app:${version}` }] } } };
  return withHook(stated('batch/v1', 'Job', place, { spec }), events, more);
}

/** An object as a hook of those events; `more` are the ends of other annotations, such as `hook-weight`. */
export function withHook(
  object: KubernetesObject,
  events: string,
  more: Record<string, string> = {},
): KubernetesObject {
  const others = Object.fromEntries(Object.entries(more).map(([name, value]) => [`helm.sh/${name}`, value]));
  return { ...object, metadata: { ...object.metadata, annotations: { 'helm.sh/hook': events, ...others } } };
}

/** A request for a Solution `shop` of those components. */
export function asking(version: string, ...components: readonly RenderedComponent[]): ApplyRequest {
  const root = `sha256:${version.replaceAll('.', '').padStart(64, '0')}`;
  return { configuration: 'shop', solutions: [{ name: 'shop', version, root, components }] };
}

/** A connection to a cluster in which Jobs of those names fail as soon as they are made. */
export function failing(cluster: MemoryCluster, ...names: readonly string[]): KubernetesApi {
  const api = cluster.connect();
  return {
    ...api,
    apply: async (object, options, signal) => {
      const live = await api.apply(object, options, signal);
      if (!options.dryRun && object.kind === 'Job' && names.includes(object.metadata.name)) {
        cluster.change(nameOf(live), (draft) => {
          draft['status'] = { conditions: [{ type: 'Failed', status: 'True', reason: 'Broken', message: 'no luck' }] };
        });
      }
      return live;
    },
  };
}
