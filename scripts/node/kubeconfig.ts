import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authority } from './certificates.ts';
import { type Paths, server } from './state.ts';

/** The credentials of a user in a kubeconfig: the fields of `AuthInfo`. */
export type Credentials =
  | { readonly token: string }
  | { readonly 'client-certificate-data': string; readonly 'client-key-data': string };

/** Writes a kubeconfig of one user, who trusts only the node's own authority. `at` is the URL of the server. */
export function writeKubeconfig(
  paths: Paths,
  file: string,
  name: string,
  credentials: Credentials,
  at: string = server,
): void {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'node', cluster: { server: at, 'certificate-authority-data': encoded(authority(paths)) } }],
    users: [{ name, user: credentials }],
    contexts: [{ name: 'node', context: { cluster: 'node', user: name } }],
    'current-context': 'node',
  };
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
}

/** Does the same for a user with the client certificate `pki/<certificate>.crt` and its key. */
export function writeCertificateKubeconfig(
  paths: Paths,
  file: string,
  name: string,
  certificate: string,
  at: string = server,
): void {
  const stem = join(paths.pki, certificate);
  const credentials = {
    'client-certificate-data': encoded(`${stem}.crt`),
    'client-key-data': encoded(`${stem}.key`),
  };
  writeKubeconfig(paths, file, name, credentials, at);
}

function encoded(file: string): string {
  return readFileSync(file).toString('base64');
}
