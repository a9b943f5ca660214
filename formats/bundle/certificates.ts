import type { KubernetesObject } from '../manifest/object.ts';
import { joinedName } from './names.ts';

/** Who makes the certificates of webhooks. */
export type CertificateProvider = 'cert-manager';

/** The API of cert-manager, as API servers list it. */
export const CERT_MANAGER = 'cert-manager.io/v1';

/** The Service before a Deployment that serves webhooks. */
export function webhookService(deployment: string): string {
  return joinedName(deployment.replaceAll('.', '-'), 'service');
}

/** The certificate of that Service, and the Secret that holds it. */
export function webhookCertificate(deployment: string): string {
  return joinedName(webhookService(deployment), 'cert');
}

/** The annotations by which cert-manager puts the authority of a certificate into an object. */
export function injection(deployment: string, namespace: string): Record<string, string> {
  return { 'cert-manager.io/inject-ca-from': `${namespace}/${webhookCertificate(deployment)}` };
}

/**
 * The objects of which cert-manager makes the certificate for the webhooks of a Deployment: for two years, signed by
 * itself.
 */
export function certificateObjects(deployment: string, namespace: string): KubernetesObject[] {
  const name = webhookCertificate(deployment);
  const host = `${webhookService(deployment)}.${namespace}`;
  const issuer = joinedName(name, 'selfsigned-issuer');
  return [
    {
      apiVersion: CERT_MANAGER,
      kind: 'Issuer',
      metadata: { name: issuer, namespace },
      spec: { selfSigned: {} },
    },
    {
      apiVersion: CERT_MANAGER,
      kind: 'Certificate',
      metadata: { name, namespace },
      spec: {
        commonName: host,
        dnsNames: [host, `${host}.svc`, `${host}.svc.cluster.local`],
        duration: '17520h0m0s',
        issuerRef: { name: issuer },
        renewBefore: '24h0m0s',
        secretName: name,
        usages: ['server auth'],
      },
    },
  ];
}
