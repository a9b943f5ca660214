import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { reasonOf } from '../../../../../kernel/events/index.ts';
import { fileNamedBy, type Kubeconfig, kubeconfigInvalid } from './kubeconfig.ts';

/** What TLS with an API server is made of: texts in PEM. */
export interface TlsMaterial {
  /** Authorities that may sign the certificate of the server; undefined for those of the system. */
  readonly ca?: string | undefined;
  /** The client certificate. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Reads the certificates and the key that a kubeconfig holds or names; what it holds wins, as for kubectl. Throws
 * `kubeconfig-invalid` for a file that cannot be read.
 */
export async function readMaterial(kubeconfig: Kubeconfig): Promise<TlsMaterial> {
  const { cluster, user } = kubeconfig;
  const textOf = async (data: string | undefined, file: string | undefined): Promise<string | undefined> => {
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    return file === undefined ? undefined : fileNamedBy(kubeconfig, file);
  };
  return {
    ca: await textOf(cluster['certificate-authority-data'], cluster['certificate-authority']),
    certificate: await textOf(user['client-certificate-data'], user['client-certificate']),
    key: await textOf(user['client-key-data'], user['client-key']),
  };
}

/**
 * Checks certificates and keys before they are used, because TLS would say only that something is wrong with them.
 * Throws `kubeconfig-invalid`.
 */
export function checkMaterial({ ca, certificate, key }: TlsMaterial, { path, who }: Kubeconfig): void {
  const fail = (message: string, hint: string, cause?: unknown): Error => kubeconfigInvalid(path, message, hint, cause);
  const again = 'get a new kubeconfig for the cluster';
  if (ca !== undefined && certificateOf(ca) === undefined) {
    throw fail('the certificate authority of the cluster is not a PEM certificate', again);
  }
  if (certificate === undefined && key === undefined) return;
  if (certificate === undefined) throw fail(`${who} has a client key, but no client certificate`, again);
  if (key === undefined) throw fail(`${who} has a client certificate, but no client key`, again);
  if (certificateOf(certificate) === undefined) {
    throw fail(`the client certificate of ${who} is not a PEM certificate`, again);
  }
  if (/ENCRYPTED/.test(key)) {
    throw fail(
      `the client key of ${who} is encrypted`,
      'write it without a passphrase: openssl pkey -in KEY -out PLAIN-KEY',
    );
  }
  try {
    createPrivateKey(key);
  } catch {
    throw fail(`the client key of ${who} is not a PEM private key`, again);
  }
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    const mismatch = /mismatch/i.test(reasonOf(error));
    const why = mismatch ? 'are not a pair' : `cannot be used: ${reasonOf(error)}`;
    throw fail(`the client certificate and the client key of ${who} ${why}`, again, error);
  }
}

/** When credentials are good. */
export interface Expiry {
  readonly what: 'client certificate' | 'token';
  readonly from: Date;
  readonly to: Date;
}

/** Tells until when credentials are good: of the client certificate, or of a token that says so (RFC 7519, 4.1.4). */
export function expiryOf({ certificate: pem }: TlsMaterial, authorization: string | undefined): Expiry | undefined {
  const certificate = pem === undefined ? undefined : certificateOf(pem);
  if (certificate) return { what: 'client certificate', from: certificate.validFromDate, to: certificate.validToDate };
  const claims = authorization?.match(/^Bearer [\w-]+\.([\w-]+)\.[\w-]*$/)?.[1];
  if (claims === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    return typeof exp === 'number' ? { what: 'token', from: new Date(0), to: new Date(exp * 1000) } : undefined;
  } catch {
    return undefined;
  }
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
