import { X509Certificate } from 'node:crypto';
import { readFile } from '../../../../../kernel/files/index.ts';
import { certificatesIn } from '../../../../../kernel/http/index.ts';
import { isSecure, parseKubeconfig } from './kubeconfig.ts';
import { checkMaterial, expiryOf, readMaterial } from './tls-material.ts';

/** Something by which a kubeconfig is good for a time. */
export interface KubeconfigTerm {
  readonly what: 'client certificate' | 'certificate authority' | 'token';
  readonly from: Date;
  readonly to: Date;
}

/** What a kubeconfig says of the cluster of its current context, and for how long. */
export interface KubeconfigTerms {
  readonly server: URL;
  /** The name that the server's certificate is for, where that is not the one in its address. */
  readonly serverName?: string | undefined;
  /** Whether a proxy leads to it. */
  readonly isProxied: boolean;
  readonly terms: readonly KubeconfigTerm[];
}

/** Most bytes of a kubeconfig. */
const LIMIT = 4 * 1024 * 1024;

/**
 * Tells until when the certificates and the token are good that a kubeconfig holds or names. No program is run that
 * prints credentials. Throws `file-missing`, `file-unreadable`, `kubeconfig-invalid`.
 */
export async function kubeconfigTerms(path: string): Promise<KubeconfigTerms> {
  const kubeconfig = parseKubeconfig(await readFile(path, LIMIT), path);
  const { server, cluster, user } = kubeconfig;
  const material = isSecure(kubeconfig) ? await readMaterial(kubeconfig) : {};
  checkMaterial(material, kubeconfig);
  const own = expiryOf(material, user.token === undefined ? undefined : `Bearer ${user.token}`);
  const authorities = certificatesIn(material.ca ?? '').map((pem): KubeconfigTerm => {
    const { validFromDate: from, validToDate: to } = new X509Certificate(pem);
    return { what: 'certificate authority', from, to };
  });
  return {
    server,
    serverName: cluster['tls-server-name'],
    isProxied: cluster['proxy-url'] !== undefined,
    terms: [...(own === undefined ? [] : [own]), ...authorities],
  };
}
