import type { KubernetesObject } from '../../../../../formats/manifest/documents.ts';
import type { ApplyRequest, RenderedComponent } from '../../../../../lib/clusters/kind.ts';
import { stated } from '../support.ts';

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
