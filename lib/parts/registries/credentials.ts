import { decodeJson } from '../../../formats/json.ts';
import { z } from '../../../formats/schema.ts';
import { trimmedEnd } from '../../../formats/trim.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import { basicAuthorization } from '../../kernel/http/index.ts';

/** Proves to a registry who a user is. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** A refresh token that stands for both at the token server. */
  readonly identityToken?: string;
}

/** Finds the credentials for a repository of a registry; undefined if there are none. */
export type FindCredentials = (registry: string, repository: string) => Promise<Credentials | undefined>;

/** Asks the credential helper `name`, which the file `path` names, for a server; undefined if it has nothing. */
export type AskHelper = (name: string, server: string, path: string) => Promise<Credentials | undefined>;

/** The largest file of credentials that is read, in bytes. */
const LIMIT = 4 * 1024 * 1024;

const entry = z.looseObject({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  identitytoken: z.string().optional(),
});
const document = z.looseObject({
  auths: z.record(z.string(), entry).optional(),
  credHelpers: z.record(z.string(), z.string()).optional(),
  credsStore: z.string().optional(),
});

/**
 * Looks credentials up in files as `podman login` and `docker login` write them (containers-auth.json(5), docker's
 * config.json), earlier files first; absent ones are left out. Within a file, `askHelper` asks the program that
 * `credHelpers` names for the registry, then the one of `credsStore`. Then the longest key of `auths` wins that is the
 * registry, or the registry and the beginning of the repository's path. Files are read at each lookup. Throws
 * `credentials-invalid`.
 */
export function credentialsFromFiles(paths: readonly string[], askHelper?: AskHelper): FindCredentials {
  return async (registry, repository) => {
    for (const path of paths) {
      const found = await credentialsIn(await bytesOf(path), path, registry, repository, askHelper);
      if (found) return found;
    }
    return undefined;
  };
}

/** Looks credentials up in the bytes of one such file, which errors call `path`. Throws `credentials-invalid`. */
export async function credentialsIn(
  bytes: Uint8Array,
  path: string,
  registry: string,
  repository: string,
  askHelper?: AskHelper,
): Promise<Credentials | undefined> {
  const { auths = {}, credHelpers = {}, credsStore } = await decoded(bytes, path);
  const own = Object.entries(credHelpers).find(([key]) => canonicalKey(key) === registry)?.[1];
  // A store has what it has under the key that docker made up for Docker Hub.
  const server = registry === 'docker.io' ? 'https://index.docker.io/v1/' : registry;
  for (const helper of [own, credsStore]) {
    const found = helper && askHelper ? await askHelper(helper, server, path) : undefined;
    if (found) return found;
  }
  for (const name of names(registry, repository)) {
    const found = Object.entries(auths).find(([key]) => canonicalKey(key) === name);
    const credentials = found && decodeEntry(path, found[0], found[1]);
    if (credentials) return credentials;
  }
  return undefined;
}

/** Returns what a file has; nothing where there is none. */
async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path, LIMIT);
  } catch (error) {
    if (error instanceof SolpackError && error.code === 'file-missing') return new Uint8Array();
    throw error;
  }
}

async function decoded(bytes: Uint8Array, path: string): Promise<z.infer<typeof document>> {
  // An empty file is what some tools leave behind at logout.
  if (bytes.length === 0) return {};
  const hint = 'correct the file, or log in again';
  return refused('credentials-invalid', path, () => decodeJson(bytes, document, 'json-invalid', path), hint);
}

/** Returns what a key may say, the longest first: host and path, shorter paths, the host. */
function names(registry: string, repository: string): string[] {
  const parts = [registry, ...repository.split('/')];
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

/** Reduces a key to the host that counts: Docker writes URLs as keys, and Docker Hub has a key of its own. */
function canonicalKey(key: string): string {
  const url = /^https?:\/\/([^/]*)/.exec(key);
  const name = url ? (url[1] ?? '') : trimmedEnd(key, '/');
  return name
    .replace(/^(?:index\.docker\.io|registry-1\.docker\.io)(?=\/|$)/, 'docker.io')
    .replace(/^docker\.io\/v1$/, 'docker.io');
}

function decodeEntry(path: string, key: string, value: z.infer<typeof entry>): Credentials | undefined {
  const token = value.identitytoken ? { identityToken: value.identitytoken } : {};
  if (value.auth) {
    const decoded = trimmedEnd(Buffer.from(value.auth, 'base64').toString('utf8'), '\0');
    const colon = decoded.indexOf(':');
    if (colon < 1) {
      throw new SolpackError(
        'credentials-invalid',
        path,
        `the "auth" of ${key} in ${path} is not base64 of USER:PASSWORD`,
        {
          hint: 'log in again',
        },
      );
    }
    return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1), ...token };
  }
  if (value.username) return { username: value.username, password: value.password ?? '', ...token };
  return value.identitytoken ? { username: '', password: '', identityToken: value.identitytoken } : undefined;
}

/** Returns the `Authorization` of Basic (RFC 7617). Throws `registry-denied` for a user name that it cannot carry. */
export function basic({ username, password }: Credentials): string {
  if (username.includes(':')) {
    throw new SolpackError('registry-denied', 'credentials', 'a user name must not contain a colon', {
      hint: 'check the credentials for this registry',
    });
  }
  return basicAuthorization(`${username}:${password}`);
}
