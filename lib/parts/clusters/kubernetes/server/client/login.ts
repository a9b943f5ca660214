import { type ExecContext, execPlugin } from './exec-plugin.ts';
import { fileNamedBy, isSecure, type Kubeconfig, kubeconfigInvalid } from './kubeconfig.ts';
import { oidcToken } from './oidc.ts';
import type { TlsMaterial } from './tls-material.ts';

/** What a user is known by, beside what TLS shows. */
export interface Login {
  readonly token?: string | undefined;
  /** `USER:PASSWORD` (RFC 7617). */
  readonly auth?: string | undefined;
  /** What TLS shows in place of the certificate of the kubeconfig. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** How long a token is used that was read from a file, in milliseconds. It is renewed by writing the file anew. */
const FILE_LIFE = 60_000;

/**
 * Makes a function that gives what the user of a kubeconfig logs in with: a token, what a program prints, the token of
 * a file or of a login provider, or user and password, whatever is found first. The function throws
 * `kubeconfig-invalid`.
 */
export function loginOf(kubeconfig: Kubeconfig, context: ExecContext): (material: TlsMaterial) => Promise<Login> {
  const { user } = kubeconfig;
  // As kubectl does: credentials are not for everybody on the way.
  if (!isSecure(kubeconfig)) return async () => ({});
  const { token, tokenFile, username } = user;
  if (token !== undefined && tokenFile === undefined) return async () => ({ token });
  if (user.exec) return execPlugin(kubeconfig, user.exec, context);
  if (tokenFile !== undefined) return tokenOfFile(kubeconfig, tokenFile);
  const provider = user['auth-provider'];
  if (provider?.name === 'oidc') {
    const fresh = oidcToken(provider.config ?? {}, context.signal);
    return async () => ({ token: await fresh() });
  }
  if (provider?.name === 'gcp' || provider?.name === 'azure') {
    const { name, config } = provider;
    return async () => ({ token: accessToken(kubeconfig, name, config ?? {}) });
  }
  return async () => (username === undefined ? {} : { auth: `${username}:${user.password ?? ''}` });
}

function tokenOfFile(kubeconfig: Kubeconfig, path: string): () => Promise<Login> {
  let held: { token: string; until: number } | undefined;
  return async () => {
    if (!held || held.until <= performance.now()) {
      held = { token: (await fileNamedBy(kubeconfig, path)).trim(), until: performance.now() + FILE_LIFE };
    }
    return { token: held.token };
  };
}

/**
 * Returns the token that a login provider left in a kubeconfig before Kubernetes 1.26, which has none of them any
 * more. The programs that such entries name to get another are not run: kubectl runs them no longer either.
 */
function accessToken({ path, who }: Kubeconfig, name: string, config: Readonly<Record<string, string>>): string {
  const { 'access-token': token, expiry, 'expires-on': expires } = config;
  const until =
    expiry === undefined ? (expires === undefined ? undefined : Number(expires) * 1000) : Date.parse(expiry);
  if (token && !(until !== undefined && until < Date.now())) return token;
  const why = token ? 'has expired' : 'is missing';
  throw kubeconfigInvalid(
    path,
    `the credentials of ${who} cannot be used: the access-token of the auth-provider "${name}" ${why}`,
    'get a new kubeconfig: Kubernetes 1.26 and later have credential plugins (exec) instead of this provider',
  );
}
