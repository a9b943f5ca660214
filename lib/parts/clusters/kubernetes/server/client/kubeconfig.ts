import { dirname, isAbsolute, join } from 'node:path';
import { text } from '../../../../../../formats/bytes.ts';
import { checkedYamlPart } from '../../../../../../formats/manifest/checked-yaml.ts';
import { parseYaml } from '../../../../../../formats/manifest/yaml.ts';
import { YamlPart } from '../../../../../../formats/manifest/yaml-part.ts';
import type { z } from '../../../../../../formats/schema.ts';
import { trimmedEnd } from '../../../../../../formats/trim.ts';
import { fromFormat, reasonOf, SolpackError } from '../../../../../kernel/events/index.ts';
import { readFile } from '../../../../../kernel/files/index.ts';
import { clusterSchema, contextSchema, documentSchema, userSchema } from './kubeconfig-schema.ts';

/** The largest file that a kubeconfig names, in bytes. */
const LIMIT = 4 * 1024 * 1024;

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
  const part = documentOf(bytes, path);
  const found = shaped(part, documentSchema, undefined, path);
  const fail = (message: string, hint: string): SolpackError => kubeconfigInvalid(path, message, hint);
  const current = found['current-context'];
  if (current === undefined) {
    throw fail('it has no current-context', 'choose one: kubectl config use-context NAME --kubeconfig FILE');
  }
  const pick = <T>(list: 'clusters' | 'users' | 'contexts', name: string, schema: z.ZodType<T>): T => {
    const key = list.slice(0, -1);
    const entries = found[list] ?? [];
    const matches = entries.filter((entry) => entry.name === name);
    if (matches.length === 0) throw fail(`it has no ${key} "${name}"`, `kubectl config get-${list} lists what it has`);
    if (matches.length > 1) throw fail(`it has more than one ${key} "${name}"`, 'rename one of them');
    const entry = part.at(list, entries.indexOf(matches[0]!), key);
    return shaped(entry, schema, `${key} "${name}"`, path);
  };
  const context = pick('contexts', current, contextSchema);
  const cluster = pick('clusters', context.cluster, clusterSchema);
  const user = context.user === undefined ? userSchema.parse({}) : pick('users', context.user, userSchema);
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

/** Returns whether the server is talked to over TLS. */
export function isSecure({ server }: Kubeconfig): boolean {
  return server.protocol === 'https:';
}

/** Reads the text of a file that a kubeconfig names. Throws `kubeconfig-invalid` where it cannot be read. */
export async function fileNamedBy({ path }: Kubeconfig, file: string): Promise<string> {
  try {
    return Buffer.from(await readFile(file, LIMIT)).toString();
  } catch (error) {
    const why = reasonOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
    throw kubeconfigInvalid(path, `it names the file ${file}, which cannot be read: ${why}`, 'check the path', error);
  }
}

/** Makes the error about a kubeconfig that is of no use: `kubeconfig-invalid` about `path`. */
export function kubeconfigInvalid(path: string, message: string, hint: string, cause?: unknown): SolpackError {
  return new SolpackError('kubeconfig-invalid', path, message, { hint, cause });
}

function documentOf(bytes: Uint8Array, path: string): YamlPart {
  const hint = 'give the kubeconfig of the cluster, as kubectl uses it';
  let source: string;
  let documents: ReturnType<typeof parseYaml>;
  try {
    source = text(bytes, 'yaml-invalid');
    documents = parseYaml(source, path);
  } catch (error) {
    throw fromFormat('kubeconfig-invalid', path, error, hint);
  }
  if (documents.length !== 1) {
    throw kubeconfigInvalid(path, documents.length === 0 ? 'it is empty' : 'it holds more than one document', hint);
  }
  return new YamlPart(source, documents[0]!.start, documents[0]!.value);
}

/** Checks a part of a kubeconfig. */
function shaped<T>(part: YamlPart, schema: z.ZodType<T>, what: string | undefined, path: string): T {
  try {
    return checkedYamlPart(part.orEmpty(), schema, 'yaml-invalid', path, what);
  } catch (error) {
    throw fromFormat('kubeconfig-invalid', path, error, 'correct it, or get a new kubeconfig for the cluster');
  }
}

function serverOf(server: string, what: string, path: string): URL {
  const url = URL.parse(server);
  if ((url?.protocol !== 'https:' && url?.protocol !== 'http:') || url.hostname === '') {
    throw kubeconfigInvalid(path, `the server of ${what} is not a URL`, 'write it as https://HOST:PORT');
  }
  // What stands before or behind host and path is not part of an API server's address.
  return new URL(url.origin + trimmedEnd(url.pathname, '/'));
}

function checkProxy(proxy: string | undefined, what: string, path: string): void {
  if (proxy === undefined || (/^(?:https?|socks[45]?[ah]?):\/\/./.test(proxy) && URL.canParse(proxy))) return;
  throw kubeconfigInvalid(
    path,
    `the proxy-url of ${what} is not the URL of a proxy`,
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
