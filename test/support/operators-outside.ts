import type { ControlPlane } from './control-plane.ts';

const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function definition(group: string, kind: string, plural: string, version: string, scope: string): unknown {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: any, status: any } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

/** Makes a control plane serve the kinds by which OLM says what it has installed. */
export async function serveOlm(plane: ControlPlane): Promise<void> {
  for (const [kind, plural] of [
    ['ClusterServiceVersion', 'clusterserviceversions'],
    ['Subscription', 'subscriptions'],
  ] as const) {
    const input = JSON.stringify(definition('operators.coreos.com', kind, plural, 'v1alpha1', 'Namespaced'));
    const applied = await plane.tried(['apply', '-f', '-'], { input });
    if (applied.code !== 0) throw new Error(applied.stderr);
    await plane.kubectl('wait', '--for=condition=Established', `crd/${plural}.operators.coreos.com`);
  }
}
