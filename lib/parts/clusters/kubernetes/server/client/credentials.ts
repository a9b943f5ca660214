import { reasonOf, SolpackError } from '../../../../../kernel/events/index.ts';
import { readFile } from '../../../../../kernel/files/index.ts';
import {
  type ConnectionSettings,
  createTransport,
  http,
  type Transport,
  usualTiming,
} from '../../../../../kernel/http/index.ts';
import { impersonationOf } from './impersonation.ts';
import { isSecure, type Kubeconfig, kubeconfigInvalid, parseKubeconfig } from './kubeconfig.ts';
import { type Login, loginOf } from './login.ts';
import { type PodAccount, podKubeconfig } from './pod-account.ts';
import { checkMaterial, expiryOf, readMaterial, type TlsMaterial } from './tls-material.ts';

/** With what a request is sent. */
export interface ClusterAccess {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Keeps connections, knows the TLS settings and the proxy. */
  readonly transport: Transport;
  /** User and password (RFC 7617), where the kubeconfig has them. */
  readonly auth: string | undefined;
  /** Tells credentials apart. */
  readonly key: string;
  /** Why a server may have refused these credentials, in words. */
  readonly refusal: string;
}

/** The credentials of a kubeconfig's current context, fresh for each request. */
export interface ClusterCredentials {
  /** Where the API server is; without a slash at its end. */
  readonly server: string;
  /** Gives what the next request is sent with. Throws `kubeconfig-invalid` where no credentials are available. */
  access(): Promise<ClusterAccess>;
  /** Reads the kubeconfig anew; gives undefined where it holds the same credentials that were `refused`. */
  renew(refused: ClusterAccess): Promise<ClusterAccess | undefined>;
  close(): void;
}

/** A kubeconfig is far smaller. */
const LIMIT = 4 * 1024 * 1024;

/**
 * Opens the kubeconfig `path`, and does with it what kubectl does: client certificates, tokens, credential plugins,
 * OpenID Connect, proxies; or takes the account of a Pod. Throws `file-missing`, `file-unreadable` or
 * `kubeconfig-invalid`. `signal` ends programs that print credentials; `env` is the environment that they get.
 */
export async function openCredentials(
  path: string | PodAccount,
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<ClusterCredentials> {
  const transports = new Map<string, Transport>();
  const open = async (): Promise<{ server: string; access: () => Promise<ClusterAccess> }> => {
    const kubeconfig =
      typeof path === 'string' ? parseKubeconfig(await readFile(path, LIMIT), path) : podKubeconfig(path);
    const login = loginOf(kubeconfig, { env, signal });
    let material: Promise<TlsMaterial> | undefined;
    const make = async (): Promise<ClusterAccess> => {
      material ??= isSecure(kubeconfig) ? readMaterial(kubeconfig) : Promise.resolve({});
      const found = await material;
      return accessOf(kubeconfig, found, await loggedIn(kubeconfig, () => login(found), signal), transports);
    };
    let pending: Promise<ClusterAccess> | undefined;
    const access = (): Promise<ClusterAccess> => {
      // Requests of the same moment share one login: a program may ask elsewhere, and a refresh token is good for once.
      pending ??= make().finally(() => {
        pending = undefined;
      });
      return pending;
    };
    return { server: kubeconfig.server.href.replace(/\/$/, ''), access };
  };
  let current = await open();
  return {
    server: current.server,
    access: () => current.access(),
    renew: async (refused) => {
      const renewed = await open();
      const access = await renewed.access();
      if (access.key === refused.key || renewed.server !== current.server) return undefined;
      current = renewed;
      return access;
    },
    close: () => {
      for (const transport of transports.values()) transport.close();
    },
  };
}

async function loggedIn(kubeconfig: Kubeconfig, login: () => Promise<Login>, signal: AbortSignal): Promise<Login> {
  try {
    return await login();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SolpackError) throw error;
    const malformed = error instanceof SyntaxError || error instanceof TypeError;
    const why = malformed ? 'they are not well-formed' : reasonOf(error);
    const message = `the credentials of ${kubeconfig.who} cannot be used: ${why}`;
    throw kubeconfigInvalid(kubeconfig.path, message, 'get a new kubeconfig for the cluster');
  }
}

/** Makes what requests are sent with. `transports` are those that were made before, and may be in use. */
function accessOf(
  kubeconfig: Kubeconfig,
  stored: TlsMaterial,
  login: Login,
  transports: Map<string, Transport>,
): ClusterAccess {
  const { certificate = stored.certificate, key: privateKey = stored.key, auth } = login;
  const material = { ca: stored.ca, certificate, key: privateKey };
  checkMaterial(material, kubeconfig);
  const authorization = bearerOf(login.token, kubeconfig);
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(isSecure(kubeconfig) ? impersonationOf(kubeconfig) : {}),
  };
  const connection = JSON.stringify([kubeconfig.cluster, material]);
  const transport = transports.get(connection) ?? createTransport(usualTiming, settingsOf(kubeconfig, material));
  transports.set(connection, transport);
  const key = JSON.stringify([headers, auth, certificate ?? '']);
  return { headers, transport, auth, key, refusal: refusalOf(kubeconfig, material, authorization ?? auth) };
}

function settingsOf(kubeconfig: Kubeconfig, { ca, certificate, key }: TlsMaterial): ConnectionSettings {
  const { server, cluster } = kubeconfig;
  const proxy = cluster['proxy-url'] === undefined ? undefined : new URL(cluster['proxy-url']);
  const name = cluster['tls-server-name'];
  const own = {
    ...(ca === undefined ? {} : { onlyCa: ca }),
    ...(certificate === undefined || key === undefined ? {} : { certificate: { certificate, key } }),
    ...(name === undefined ? {} : { serverName: name }),
    insecure: cluster['insecure-skip-tls-verify'] === true,
  };
  // What is known of the server does not count for a proxy on the way.
  return { tls: async (host) => (host === server.host ? own : {}), proxy: () => proxy };
}

function bearerOf(token: string | undefined, { path, who }: Kubeconfig): string | undefined {
  if (token === undefined) return undefined;
  const value = `Bearer ${token}`.trim();
  try {
    http.validateHeaderValue('authorization', value);
  } catch {
    // The cause would repeat the token.
    throw kubeconfigInvalid(path, `the token of ${who} has characters that a token cannot have`, 'get a new token');
  }
  return value;
}

function refusalOf({ path, who }: Kubeconfig, material: TlsMaterial, authorization: string | undefined): string {
  const user = `${who} of ${path}`;
  if (material.certificate === undefined && authorization === undefined) return `${user} has no credentials`;
  const expiry = expiryOf(material, authorization);
  const now = new Date();
  if (expiry && expiry.to < now) return `the ${expiry.what} of ${user} expired on ${expiry.to.toISOString()}`;
  if (expiry && expiry.from > now)
    return `the ${expiry.what} of ${user} is not valid before ${expiry.from.toISOString()}`;
  return `the server does not accept the credentials of ${user}`;
}
