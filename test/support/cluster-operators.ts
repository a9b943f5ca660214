import type { ControlPlane } from './control-plane.ts';

const text = { type: 'string' };

/** The definition of ClusterOperators, with the fields and the rules of OpenShift's. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'clusteroperators.config.openshift.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/openshift/api/pull/497' },
  },
  spec: {
    group: 'config.openshift.io',
    scope: 'Cluster',
    names: {
      kind: 'ClusterOperator',
      listKind: 'ClusterOperatorList',
      plural: 'clusteroperators',
      singular: 'clusteroperator',
      shortNames: ['co'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: { type: 'object' },
              status: {
                type: 'object',
                properties: {
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['lastTransitionTime', 'status', 'type'],
                      properties: {
                        lastTransitionTime: { ...text, format: 'date-time' },
                        message: text,
                        reason: text,
                        status: text,
                        type: text,
                      },
                    },
                  },
                  versions: {
                    type: 'array',
                    items: { type: 'object', required: ['name', 'version'], properties: { name: text, version: text } },
                  },
                  relatedObjects: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['group', 'name', 'resource'],
                      properties: { group: text, name: text, namespace: text, resource: text },
                    },
                  },
                  extension: { type: 'object', nullable: true, 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** Makes a control plane serve ClusterOperators. */
export async function serveClusterOperators(plane: ControlPlane): Promise<void> {
  const applied = await plane.tried(['apply', '-f', '-'], { input: JSON.stringify(definition) });
  if (applied.code !== 0) throw new Error(applied.stderr);
  await plane.kubectl('wait', '--for=condition=Established', 'crd/clusteroperators.config.openshift.io');
}
