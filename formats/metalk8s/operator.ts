import { FormatError } from '../error.ts';
import { parseDocuments } from '../manifest/documents.ts';
import { emitYaml } from '../manifest/emit.ts';
import type { KubernetesObject } from '../manifest/object.ts';
import { SOLUTIONS_API } from '../solution/solutions-api.ts';
import { METALK8S_REGISTRY, metalk8sId, metalk8sReference } from './names.ts';
import type { Metalk8sSolution } from './solution.ts';

/** The longest name that MetalK8s gives a RoleBinding. */
const LONGEST = 63;

/**
 * Reads the roles of an operator for MetalK8s: `operator/deploy/role.yaml`. They lose their namespaces, because they
 * live where the operator does. Throws `FormatError` `solution-invalid` for an object of another kind, and
 * `manifest-document-invalid`.
 */
export function parseOperatorRoles(text: string, where: string): KubernetesObject[] {
  return parseDocuments(text, where).map((role) => {
    if (role.kind !== 'Role' && role.kind !== 'ClusterRole') {
      const message = `${where} holds a ${role.kind}, but only Role and ClusterRole are allowed`;
      throw new FormatError('solution-invalid', message);
    }
    const { namespace: _, ...metadata } = role.metadata;
    return { ...role, metadata };
  });
}

/**
 * Makes the objects by which MetalK8s brings up the operator of a Solution in a namespace: its ServiceAccount, `roles`
 * with a RoleBinding each, the ConfigMap that says where images are, and its Deployment. None names the namespace.
 * `images` are those that it may use, `name:tag`.
 */
export function operatorObjects(
  solution: Metalk8sSolution,
  roles: readonly KubernetesObject[],
  images: readonly string[],
): KubernetesObject[] {
  const { name, version } = solution;
  const operator = `${name}-operator`;
  const labels = {
    app: operator,
    'app.kubernetes.io/name': operator,
    'app.kubernetes.io/instance': operator,
    'app.kubernetes.io/version': labelValue(version),
    'app.kubernetes.io/component': 'operator',
    'app.kubernetes.io/part-of': name,
  };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: operator, labels } };
  const bindings = roles.map((role) => bindingOf(role, operator, labels));
  const config = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${operator}-config`, labels },
    data: { 'operator.yaml': operatorConfig(solution, images) },
  };
  return [account, ...roles, ...bindings, config, deploymentOf(solution, operator, labels)];
}

/** Writes the file by which an operator for MetalK8s learns where the images of a version are (`OperatorConfig`). */
function operatorConfig({ name, version }: Metalk8sSolution, images: readonly string[]): string {
  const endpoint = `${METALK8S_REGISTRY}/${metalk8sId(name, version)}`;
  return emitYaml({
    apiVersion: SOLUTIONS_API,
    kind: 'OperatorConfig',
    repositories: { [version]: [{ endpoint, images }] },
  });
}

function bindingOf(
  { kind, metadata }: KubernetesObject,
  operator: string,
  labels: Readonly<Record<string, string>>,
): KubernetesObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: `${operator}-${kind.toLowerCase()}-${metadata.name}`.slice(0, LONGEST), labels },
    // A ServiceAccount without a namespace is that of the binding's own.
    subjects: [{ kind: 'ServiceAccount', name: operator }],
    roleRef: { kind, name: metadata.name, apiGroup: 'rbac.authorization.k8s.io' },
  };
}

function deploymentOf(
  { name, version, operator: image }: Metalk8sSolution,
  operator: string,
  labels: Readonly<Record<string, string>>,
): KubernetesObject {
  const field = (fieldPath: string): object => ({ valueFrom: { fieldRef: { fieldPath } } });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: operator, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: operator } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: operator,
          containers: [
            {
              name: operator,
              image: metalk8sReference(metalk8sId(name, version), image.name, image.tag),
              command: [operator, '--config=/etc/config/operator.yaml'],
              // MetalK8s says Always. A version's images never change, and what is on the node needs no registry.
              imagePullPolicy: 'IfNotPresent',
              env: [
                { name: 'WATCH_NAMESPACE', ...field('metadata.namespace') },
                { name: 'POD_NAME', ...field('metadata.name') },
                { name: 'OPERATOR_NAME', value: operator },
              ],
              volumeMounts: [{ name: 'operator-config', mountPath: '/etc/config' }],
            },
          ],
          volumes: [{ name: 'operator-config', configMap: { name: `${operator}-config` } }],
        },
      },
    },
  };
}

/** A version as the value of a label: no `+`, and at most 63 characters, of which the last is a letter or a digit. */
function labelValue(version: string): string {
  return version
    .replaceAll('+', '_')
    .slice(0, LONGEST)
    .replace(/[^A-Za-z0-9]$/, '');
}
