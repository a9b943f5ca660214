import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { ApplyRequest, RenderedComponent, RenderedSolution } from '../../../lib/parts/clusters/kind.ts';
import { pauseImage } from '../../../scripts/node/state.ts';
import { stated } from '../../lib/parts/clusters/kubernetes/support.ts';

/** A Namespace. */
export function space(name: string): KubernetesObject {
  return stated('v1', 'Namespace', name);
}

const podSpec = (more: object): object => ({
  terminationGracePeriodSeconds: 0,
  containers: [{ name: 'app', image: pauseImage, imagePullPolicy: 'IfNotPresent', ...more }],
});

/** A Pod at `namespace/name` that sleeps. */
export function pod(place: string, more: object = {}): KubernetesObject {
  return stated('v1', 'Pod', place, { spec: { ...podSpec({}), ...more } });
}

/** A Deployment at `namespace/name` of one Pod that sleeps; `more` are fields of its container. */
export function deployment(place: string, more: object = {}, label = place.replace('/', '-')): KubernetesObject {
  const labels = { app: label };
  const template = { metadata: { labels }, spec: podSpec(more) };
  return stated('apps/v1', 'Deployment', place, { spec: { selector: { matchLabels: labels }, template } });
}

/** A Job at `namespace/name` that runs a command of a shell. */
export function job(place: string, command: string): KubernetesObject {
  const spec = { ...podSpec({ command: ['/bin/sh', '-c', command] }), restartPolicy: 'Never' };
  return stated('batch/v1', 'Job', place, { spec: { backoffLimit: 0, template: { spec } } });
}

/** The definition of a kind of example.com; `fields` is the schema of its spec, and its status is anything. */
export function definition(plural: string, kind: string, fields: object = {}): KubernetesObject {
  const spec = { type: 'object', properties: fields };
  const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return stated('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `${plural}.example.com`, {
    spec: {
      group: 'example.com',
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
          subresources: { status: {} },
        },
      ],
    },
  });
}

/** A component that may take a minute. */
export function component(
  name: string,
  objects: readonly KubernetesObject[],
  more: Partial<RenderedComponent> = {},
): RenderedComponent {
  return { name, objects, after: [], timeout: 60_000, ...more };
}

/** A Solution of those components, or of one with those objects. */
export function solution(
  name: string,
  version: string,
  parts: readonly (RenderedComponent | KubernetesObject)[],
): RenderedSolution {
  const components = parts.filter((part): part is RenderedComponent => 'objects' in part);
  const objects = parts.filter((part): part is KubernetesObject => 'kind' in part);
  const all = objects.length === 0 ? components : [component('all', objects), ...components];
  return { name, version, root: undefined, components: all };
}

/** A request of a configuration. */
export function request(configuration: string, ...solutions: readonly RenderedSolution[]): ApplyRequest {
  return { configuration, solutions };
}
