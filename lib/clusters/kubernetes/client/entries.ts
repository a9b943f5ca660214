import type { OutgoingHttpHeaders } from 'node:http';
import type { Cluster, User } from '@kubernetes/client-node';
import { PLUGIN } from './exec.ts';
import type { Kubeconfig } from './kubeconfig.ts';

/** The cluster as the library has it. */
export function clusterOf(kubeconfig: Kubeconfig): Cluster {
  const { cluster, server } = kubeconfig;
  const data = cluster['certificate-authority-data'];
  return {
    name: 'cluster',
    server: server.href,
    // Without TLS there is nothing to verify, and the library insists that this be said.
    skipTLSVerify: cluster['insecure-skip-tls-verify'] === true || !isSecure(kubeconfig),
    ...defined({
      caData: data,
      // Data wins over a file, as for kubectl; for the library it is the other way round.
      caFile: data === undefined ? cluster['certificate-authority'] : undefined,
      tlsServerName: cluster['tls-server-name'],
      proxyUrl: cluster['proxy-url'],
    }),
  };
}

/** The user of the context. Always one, because without one the library leaves the certificate authority out, too. */
export function userOf(kubeconfig: Kubeconfig): User {
  const { user } = kubeconfig;
  // As kubectl does: credentials are not for everybody on the way.
  if (!isSecure(kubeconfig)) return { name: 'user' };
  const { 'client-certificate-data': certData, 'client-key-data': keyData } = user;
  const file = user.tokenFile === undefined ? undefined : { name: 'tokenFile', config: { tokenFile: user.tokenFile } };
  return {
    name: 'user',
    ...defined({
      certData,
      certFile: certData === undefined ? user['client-certificate'] : undefined,
      keyData,
      keyFile: keyData === undefined ? user['client-key'] : undefined,
      token: file ? undefined : user.token,
      username: user.username,
      password: user.username === undefined ? undefined : (user.password ?? ''),
      authProvider: user.exec ? { name: PLUGIN } : (file ?? user['auth-provider'] ?? undefined),
    }),
  };
}

/** Acting as somebody else (Kubernetes, "User impersonation"); all of it, because the library knows only the name. */
export function impersonationOf(kubeconfig: Kubeconfig): OutgoingHttpHeaders {
  if (!isSecure(kubeconfig)) return {};
  const { user } = kubeconfig;
  const extra = Object.entries(user['as-user-extra'] ?? {}).map(
    ([name, values]) => [`impersonate-extra-${encodeURIComponent(name)}`, values] as const,
  );
  return defined({
    'impersonate-user': user.as,
    'impersonate-uid': user['as-uid'],
    'impersonate-group': user['as-groups'] ?? undefined,
    ...Object.fromEntries(extra),
  });
}

/** Whether the server is talked to over TLS. */
export function isSecure({ server }: Kubeconfig): boolean {
  return server.protocol === 'https:';
}

/** Without the fields that are undefined. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}
