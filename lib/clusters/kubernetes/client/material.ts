import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { RequestOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import { reasonOf } from '../../../system-errors.ts';
import { invalid, type Kubeconfig } from './kubeconfig.ts';

/**
 * Checks certificates and keys before they are used, because TLS would say only that something is wrong with them.
 * Throws `kubeconfig-invalid`.
 */
export function checkMaterial({ ca, cert, key }: RequestOptions, { path, who }: Kubeconfig): void {
  const fail = (message: string, hint: string, cause?: unknown): Error => invalid(path, message, hint, cause);
  const again = 'get a new kubeconfig for the cluster';
  if (ca !== undefined && certificateOf(ca) === undefined) {
    throw fail('the certificate authority of the cluster is not a PEM certificate', again);
  }
  if (cert === undefined && key === undefined) return;
  if (cert === undefined) throw fail(`${who} has a client key, but no client certificate`, again);
  if (key === undefined) throw fail(`${who} has a client certificate, but no client key`, again);
  if (certificateOf(cert) === undefined) throw fail(`the client certificate of ${who} is not a PEM certificate`, again);
  if (/ENCRYPTED/.test(String(key))) {
    throw fail(
      `the client key of ${who} is encrypted`,
      'write it without a passphrase: openssl pkey -in KEY -out PLAIN-KEY',
    );
  }
  try {
    createPrivateKey(String(key));
  } catch {
    throw fail(`the client key of ${who} is not a PEM private key`, again);
  }
  try {
    createSecureContext({ cert: String(cert), key: String(key) });
  } catch (error) {
    const mismatch = /mismatch/i.test(reasonOf(error));
    const why = mismatch ? 'do not belong together' : `cannot be used: ${reasonOf(error)}`;
    throw fail(`the client certificate and the client key of ${who} ${why}`, again, error);
  }
}

/** Until when credentials are good: of the client certificate, or of a token that says so (RFC 7519, 4.1.4). */
export function expiryOf({ cert }: RequestOptions, authorization: string | undefined): Expiry | undefined {
  const certificate = cert === undefined ? undefined : certificateOf(cert);
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

/** When credentials are good. */
export interface Expiry {
  readonly what: 'client certificate' | 'token';
  readonly from: Date;
  readonly to: Date;
}

function certificateOf(pem: NonNullable<RequestOptions['cert']>): X509Certificate | undefined {
  try {
    return new X509Certificate(String(pem));
  } catch {
    return undefined;
  }
}
