import type { KubernetesObject } from '../manifest/object.ts';
import { webhookCertificate } from './certificates.ts';
import type { BundleDeployment, ServiceVersion } from './csv.ts';
import { configured, type DeploymentSettings } from './deployment-settings.ts';
import { mappingsOf, withPods } from './pods.ts';

/** How the Deployments of a bundle are made. */
export interface DeploymentOptions {
  readonly namespace: string;
  readonly watched: readonly string[];
  /** Whether somebody makes certificates for webhooks. */
  readonly certificates: boolean;
  readonly settings: DeploymentSettings | undefined;
}

/** Where programs look for the certificates of their webhooks, and by which names. */
const places = [
  {
    name: 'webhook-cert',
    mountPath: '/tmp/k8s-webhook-server/serving-certs',
    files: { certificate: 'tls.crt', key: 'tls.key' },
  },
  {
    name: 'apiservice-cert',
    mountPath: '/apiserver.local.config/certificates',
    files: { certificate: 'apiserver.crt', key: 'apiserver.key' },
  },
] as const;

/** The Deployments of a bundle, with the annotations of its operator, and of what that watches, at their Pods. */
export function deploymentsOf(operator: ServiceVersion, options: DeploymentOptions): KubernetesObject[] {
  const serving = new Set(operator.webhooks.map(({ deploymentName }) => deploymentName));
  return operator.deployments.map((deployment) => {
    const made = deploymentOf(deployment, operator, options);
    const needsCertificate = options.certificates && serving.has(deployment.name);
    return configured(needsCertificate ? withCertificate(made, deployment.name) : made, options.settings);
  });
}

function deploymentOf(
  { name, label, spec }: BundleDeployment,
  { annotations }: ServiceVersion,
  { namespace, watched }: DeploymentOptions,
): KubernetesObject {
  const { template } = spec;
  const placed = {
    ...annotations,
    ...template.metadata?.annotations,
    'olm.targetNamespaces': watched.join(','),
    'olm.operatorNamespace': namespace,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, ...(label && Object.keys(label).length > 0 ? { labels: { ...label } } : {}) },
    spec: {
      ...spec,
      revisionHistoryLimit: 1,
      template: { ...template, metadata: { ...template.metadata, annotations: placed } },
    },
  };
}

/**
 * Puts the certificate of its webhooks where the Pods of a Deployment look for it, in the place of what is mounted
 * there.
 */
function withCertificate(object: KubernetesObject, deployment: string): KubernetesObject {
  const secretName = webhookCertificate(deployment);
  return withPods(object, (pod) => {
    const containers = mappingsOf(pod['containers']);
    const mounts = containers.flatMap((one) => mappingsOf(one['volumeMounts']));
    const paths: readonly unknown[] = places.map(({ mountPath }) => mountPath);
    const taken = new Set<unknown>(places.map(({ name }) => name));
    for (const mount of mounts) if (paths.includes(mount['mountPath'])) taken.add(mount['name']);
    const stays = ({ name }: Record<string, unknown>): boolean => !taken.has(name);
    const volumes = places.map(({ name, files }) => ({
      name,
      secret: {
        secretName,
        items: [
          { key: 'tls.crt', path: files.certificate },
          { key: 'tls.key', path: files.key },
        ],
      },
    }));
    const own = places.map(({ name, mountPath }) => ({ name, mountPath }));
    return {
      ...pod,
      volumes: [...mappingsOf(pod['volumes']).filter(stays), ...volumes],
      containers: containers.map((one) => ({
        ...one,
        volumeMounts: [...mappingsOf(one['volumeMounts']).filter(stays), ...own],
      })),
    };
  });
}
