import type { ControlPlane } from './control-plane.ts';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'verticalpodautoscalers.autoscaling.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/63797' },
  },
  spec: {
    group: 'autoscaling.k8s.io',
    names: { kind: 'VerticalPodAutoscaler', plural: 'verticalpodautoscalers' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/**
 * Makes a VerticalPodAutoscaler of a Deployment of the namespace `shop`, as its project defines them, without what
 * would act on it.
 */
export async function verticalAutoscaler({ kubectl, tried }: ControlPlane, name: string): Promise<void> {
  const apply = async (object: object): Promise<void> => {
    const { code, stderr } = await tried(['apply', '-f', '-'], { input: JSON.stringify(object) });
    if (code !== 0) throw new Error(stderr);
  };
  await apply(definition);
  await kubectl('wait', '--for=condition=Established', `crd/${definition.metadata.name}`);
  await apply({
    apiVersion: 'autoscaling.k8s.io/v1',
    kind: 'VerticalPodAutoscaler',
    metadata: { name, namespace: 'shop' },
    spec: { targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
  });
}
