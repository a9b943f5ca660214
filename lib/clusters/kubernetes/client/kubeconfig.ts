import { dirname, isAbsolute, join } from 'node:path';
import { text } from '../../../../formats/bytes.ts';
import { checked } from '../../../../formats/json.ts';
import { parseYaml } from '../../../../formats/manifest/yaml.ts';
import { z } from '../../../../formats/schema.ts';
import { trimmedEnd } from '../../../../formats/trim.ts';
import { fromFormat, SolpackError } from '../../../errors.ts';

/** An optional text; empty and null are as good as absent, as for kubectl. */
const optional = z
  .string()
  .nullish()
  .transform((value) => value || undefined);

const clusterSchema = z.looseObject({
  server: z.string().min(1),
  'certificate-authority': optional,
  'certificate-authority-data': optional,
  'insecure-skip-tls-verify': z.boolean().nullish(),
  'tls-server-name': optional,
  'proxy-url': optional,
});

const execSchema = z.looseObject({
  apiVersion: z.string().min(1),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.looseObject({ name: z.string().min(1), value: z.string() })).nullish(),
  installHint: optional,
  interactiveMode: optional,
  provideClusterInfo: z.boolean().nullish(),
});

const userSchema = z.looseObject({
  'client-certificate': optional,
  'client-certificate-data': optional,
  'client-key': optional,
  'client-key-data': optional,
  token: optional,
  tokenFile: optional,
  username: optional,
  password: optional,
  as: optional,
  'as-uid': optional,
  'as-groups': z.array(z.string()).nullish(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
  'auth-provider': z
    .looseObject({ name: z.string().min(1), config: z.record(z.string(), z.string()).nullish() })
    .nullish(),
  exec: execSchema.nullish(),
});

const contextSchema = z.looseObject({ cluster: z.string().min(1), user: optional });

const entries = z.array(z.looseObject({ name: z.string() })).nullish();
const documentSchema = z.looseObject({
  clusters: entries,
  users: entries,
  contexts: entries,
  'current-context': optional,
});

/** A program that prints credentials (Kubernetes, "client-go credential plugins"). */
export type ExecEntry = z.infer<typeof execSchema>;

/** What a kubeconfig says of the one cluster and user that are meant; paths of files are absolute. */
export interface Kubeconfig {
  readonly path: string;
  readonly server: URL;
  readonly cluster: z.infer<typeof clusterSchema>;
  /** The user in words; a context need not name one. */
  readonly who: string;
  readonly user: z.infer<typeof userSchema>;
}

/**
 * Reads the current context of a kubeconfig (Kubernetes, "kubeconfig (v1)"). `path` is where it is: files that it
 * names are relative to its folder. Throws `kubeconfig-invalid` for what is missing, unknown or of the wrong type.
 */
export function parseKubeconfig(bytes: Uint8Array, path: string): Kubeconfig {
  const found = documentOf(bytes, path);
  const fail = (message: string, hint: string): SolpackError => invalid(path, message, hint);
  const current = found['current-context'];
  if (current === undefined) {
    throw fail('it has no current-context', 'choose one: kubectl config use-context NAME --kubeconfig FILE');
  }
  const pick = <T>(list: 'clusters' | 'users' | 'contexts', name: string, schema: z.ZodType<T>): T => {
    const key = list.slice(0, -1);
    const matches = (found[list] ?? []).filter((entry) => entry.name === name);
    if (matches.length === 0) throw fail(`it has no ${key} "${name}"`, `kubectl config get-${list} lists what it has`);
    if (matches.length > 1) throw fail(`it has more than one ${key} "${name}"`, 'rename one of them');
    return shaped(matches[0]![key] ?? {}, schema, `${key} "${name}"`, path);
  };
  const context = pick('contexts', current, contextSchema);
  const cluster = pick('clusters', context.cluster, clusterSchema);
  const user = context.user === undefined ? shaped({}, userSchema, '', path) : pick('users', context.user, userSchema);
  const what = `cluster "${context.cluster}"`;
  checkProxy(cluster['proxy-url'], what, path);
  return {
    path,
    server: serverOf(cluster.server, what, path),
    cluster: { ...cluster, 'certificate-authority': beside(path, cluster['certificate-authority']) },
    who: context.user === undefined ? 'the current context' : `user "${context.user}"`,
    user: withPaths(user, path),
  };
}

/** A kubeconfig that is of no use: `kubeconfig-invalid` about `path`. */
export function invalid(path: string, message: string, hint: string, cause?: unknown): SolpackError {
  return new SolpackError('kubeconfig-invalid', path, message, { hint, cause });
}

function documentOf(bytes: Uint8Array, path: string): z.infer<typeof documentSchema> {
  const hint = 'give the kubeconfig of the cluster, as kubectl uses it';
  let documents: ReturnType<typeof parseYaml>;
  try {
    documents = parseYaml(text(bytes, 'yaml-invalid'), path);
  } catch (error) {
    throw fromFormat('kubeconfig-invalid', path, error, hint);
  }
  if (documents.length !== 1) {
    throw invalid(path, documents.length === 0 ? 'it is empty' : 'it holds more than one document', hint);
  }
  return shaped(documents[0]!.value, documentSchema, 'the kubeconfig', path);
}

function shaped<T>(value: unknown, schema: z.ZodType<T>, what: string, path: string): T {
  try {
    return checked(value, schema, 'yaml-invalid', what);
  } catch (error) {
    throw fromFormat('kubeconfig-invalid', path, error, 'correct it, or get a new kubeconfig for the cluster');
  }
}

function serverOf(server: string, what: string, path: string): URL {
  const url = URL.parse(server);
  if ((url?.protocol !== 'https:' && url?.protocol !== 'http:') || url.hostname === '') {
    throw invalid(path, `the server of ${what} is no URL`, 'write it as https://HOST:PORT');
  }
  // What stands before or behind host and path is not part of an API server's address.
  return new URL(url.origin + trimmedEnd(url.pathname, '/'));
}

function checkProxy(proxy: string | undefined, what: string, path: string): void {
  if (proxy === undefined || (/^(?:https?|socks[45]?[ah]?):\/\/./.test(proxy) && URL.canParse(proxy))) return;
  throw invalid(
    path,
    `the proxy-url of ${what} is no URL of a proxy`,
    'write it as http://HOST:PORT or socks5://HOST:PORT',
  );
}

function withPaths(user: Kubeconfig['user'], path: string): Kubeconfig['user'] {
  return {
    ...user,
    'client-certificate': beside(path, user['client-certificate']),
    'client-key': beside(path, user['client-key']),
    tokenFile: beside(path, user.tokenFile),
    // A bare name is looked for on PATH; anything with a folder is relative to the kubeconfig, as in client-go.
    exec: user.exec?.command.includes('/') ? { ...user.exec, command: beside(path, user.exec.command)! } : user.exec,
  };
}

function beside(path: string, file: string | undefined): string | undefined {
  return file === undefined || isAbsolute(file) ? file : join(dirname(path), file);
}
