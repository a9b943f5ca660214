import type { Agent, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { SolpackError } from '../../../errors.ts';
import { http } from '../../../http/node.ts';
import { readFile } from '../../../open-file.ts';
import { codeOf, reasonOf } from '../../../system-errors.ts';
import { clusterOf, impersonationOf, isSecure, userOf } from './entries.ts';
import { execAuthenticator } from './exec.ts';
import { invalid, type Kubeconfig, parseKubeconfig } from './kubeconfig.ts';
import { checkMaterial, expiryOf } from './material.ts';

/** With what a request is sent. */
export interface Access {
  readonly headers: OutgoingHttpHeaders;
  /** Keeps connections, knows the TLS settings and the proxy. */
  readonly agent: Agent;
  /** User and password (RFC 7617), where the kubeconfig has them. */
  readonly auth: string | undefined;
  /** Tells credentials apart. */
  readonly key: string;
  /** Why a server may have refused these credentials, in words. */
  readonly refusal: string;
}

/** The credentials of a kubeconfig's current context, fresh for each request. */
export interface Credentials {
  /** Where the API server is; without a slash at its end. */
  readonly server: string;
  /** Throws `kubeconfig-invalid` where there are none to be had. */
  access(): Promise<Access>;
  /** Reads the kubeconfig anew; undefined where that gives the same credentials that were `refused`. */
  renew(refused: Access): Promise<Access | undefined>;
  close(): void;
}

/** A kubeconfig is far smaller. */
const LIMIT = 4 * 1024 * 1024;

/**
 * Opens the kubeconfig `path`. Its clients' library does what kubectl does: client certificates, tokens, credential
 * plugins, OpenID Connect, proxies. Throws `file-missing`, `file-unreadable` or `kubeconfig-invalid`. `signal` ends
 * programs that print credentials.
 */
export async function openCredentials(path: string, signal: AbortSignal): Promise<Credentials> {
  const agents = new Set<Agent>();
  const open = async (): Promise<{ server: string; access: () => Promise<Access> }> => {
    const kubeconfig = parseKubeconfig(await readFile(path, LIMIT), path);
    const config = await load(kubeconfig, signal);
    const access = async (): Promise<Access> => {
      const applied = await apply(kubeconfig, config, signal);
      agents.add(applied.agent);
      return applied;
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
      for (const agent of agents) agent.destroy();
    },
  };
}

async function load(kubeconfig: Kubeconfig, signal: AbortSignal): Promise<KubeConfig> {
  // It takes a moment and much memory, and most commands never need it.
  const { KubeConfig: Config } = await import('@kubernetes/client-node');
  const config = new Config();
  const { exec } = kubeconfig.user;
  if (exec && isSecure(kubeconfig)) config.addAuthenticator(await execAuthenticator(kubeconfig, exec, signal));
  config.loadFromOptions({
    clusters: [clusterOf(kubeconfig)],
    users: [userOf(kubeconfig)],
    contexts: [{ name: 'current', cluster: 'cluster', user: 'user' }],
    currentContext: 'current',
  });
  return config;
}

async function apply(kubeconfig: Kubeconfig, config: KubeConfig, signal: AbortSignal): Promise<Access> {
  const options: RequestOptions & { headers: OutgoingHttpHeaders } = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    signal.throwIfAborted();
    throw unusable(kubeconfig, error);
  }
  checkMaterial(options, kubeconfig);
  const authorization = bearerOf(options.headers, kubeconfig);
  const headers = { ...(authorization === undefined ? {} : { authorization }), ...impersonationOf(kubeconfig) };
  // The library makes its agents without it, and so a connection and a TLS handshake for each request.
  const agent = Object.assign(options.agent as Agent, { keepAlive: true });
  const auth = options.auth ?? undefined;
  const key = JSON.stringify([headers, auth, String(options.cert ?? '')]);
  return { headers, agent, auth, key, refusal: refusalOf(kubeconfig, options, authorization) };
}

function bearerOf(headers: OutgoingHttpHeaders, { path, who }: Kubeconfig): string | undefined {
  const value = (headers as IncomingHttpHeaders & { Authorization?: string })['Authorization']?.trim();
  if (value === undefined) return undefined;
  try {
    http.validateHeaderValue('authorization', value);
  } catch {
    // The cause would repeat the token.
    throw invalid(path, `the token of ${who} has characters that no token has`, 'get a new token');
  }
  return value;
}

function refusalOf({ path, who }: Kubeconfig, options: RequestOptions, authorization: string | undefined): string {
  const user = `${who} of ${path}`;
  if (options.cert === undefined && authorization === undefined && !options.auth) return `${user} has no credentials`;
  const expiry = expiryOf(options, authorization);
  const now = new Date();
  if (expiry && expiry.to < now) return `the ${expiry.what} of ${user} expired on ${expiry.to.toISOString()}`;
  if (expiry && expiry.from > now)
    return `the ${expiry.what} of ${user} is not valid before ${expiry.from.toISOString()}`;
  return `the server does not accept the credentials of ${user}`;
}

function unusable({ path, who }: Kubeconfig, error: unknown): SolpackError {
  if (error instanceof SolpackError) return error;
  const file = error instanceof Error && 'path' in error && codeOf(error) ? String(error.path) : undefined;
  if (file !== undefined) {
    return invalid(
      path,
      `it names the file ${file}, which cannot be read: ${reasonOf(error)}`,
      'check the path',
      error,
    );
  }
  const why = error instanceof SyntaxError || error instanceof TypeError ? 'they are not well-formed' : reasonOf(error);
  const message = `the credentials of ${who} cannot be used: ${why}`;
  return invalid(path, message, 'get a new kubeconfig for the cluster');
}
